"""Collects the evidence of many pairs: each document is read once, each pair looked at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from locisimiles.corpus.library.dates import years_of
from locisimiles.errors import ParameterError
from locisimiles.evidence.alignment import Aligner, Alignment
from locisimiles.evidence.context import context_at, row_of
from locisimiles.evidence.cues import find_cues
from locisimiles.evidence.facts import Changes, Collocation, Elsewhere, Evidence, Neighbours
from locisimiles.evidence.meanings import EncoderMeanings, VectorMeanings
from locisimiles.evidence.rarity import Rarity, known_year
from locisimiles.evidence.verse import PROSE, VERSE, forms_of
from locisimiles.latin.text_words import TextWords
from locisimiles.progress import silent

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from locisimiles.corpus import Document
    from locisimiles.evidence.facts import Formula
    from locisimiles.evidence.meanings import Meanings
    from locisimiles.progress import Progress

__all__ = ["EvidenceFinder"]

_AT_ONCE = 2048  # pairs
_AROUND = 5  # words beside the aligned stretch that a better source might explain


class EvidenceFinder:
    """Says why pairs of segments may belong together.

    Parameters
    ----------
    query, source
        The two documents.
    library
        Further texts in which words are counted; they may contain the source.
    meanings
        What knows which words are near in meaning: ``vectors`` are those that come with the
        package, ``encoder`` reads contexts; or `Meanings` of your own. None leaves meanings out.
    places
        How many other places are listed.

    Examples
    --------
    >>> from locisimiles import load_example_query, load_example_source
    >>> finder = EvidenceFinder(load_example_query(), load_example_source())
    >>> evidence = finder.explain("hier. epist. 130.5.5.3", "verg. aen. 2.774.1")
    >>> [word.lemma for word in evidence.shared], evidence.changes.order
    (['haereo', 'uox', 'faux'], 'other')
    """

    def __init__(
        self,
        query: Document,
        source: Document,
        *,
        library: Document | None = None,
        meanings: Meanings | str | None = "vectors",
        places: int = 10,
    ) -> None:
        if isinstance(meanings, str):
            meanings = _meanings_called(meanings)
        self._query, self._source = query, source
        self._texts = [*query.texts, *source.texts]
        self._words = TextWords.read(self._texts)
        self._aligner = Aligner(meanings)
        library_words = None if library is None else TextWords.read(library.texts)
        self._rarity = Rarity(
            source,
            self._words.part(len(query), len(self._texts)),
            library,
            library_words,
            places=places,
        )
        known = set(source.ids)
        self._library_segments = sum(i not in known for i in library.ids) if library else 0
        self._query_years = years_of(query)
        self._forms = forms_of(query), forms_of(source)

    def explain(self, query_id: str, source_id: str) -> Evidence:
        """Return the evidence of one pair.

        Raises
        ------
        SegmentIdError
            If one of the documents has no such segment.
        """
        rows = [
            row_of(document, segment_id, side)
            for document, segment_id, side in (
                (self._query, query_id, "query"),
                (self._source, source_id, "source"),
            )
        ]
        return self.for_pairs(rows[:1], rows[1:])[0]

    def for_pairs(
        self,
        query_rows: Sequence[int] | NDArray[np.int64],
        source_rows: Sequence[int] | NDArray[np.int64],
        *,
        progress: Progress = silent,
    ) -> list[Evidence]:
        """Return the evidence of pairs, given as positions in the two documents.

        Raises
        ------
        ParameterError
            If a position is none of the documents.
        """
        query, source = np.asarray(query_rows, np.int64), np.asarray(source_rows, np.int64)
        if query.shape != source.shape:
            raise ParameterError(f"{len(query)} queries and {len(source)} sources are no pairs")
        for rows, document in ((query, self._query), (source, self._source)):
            if len(rows) and not 0 <= rows.min() <= rows.max() < len(document):
                raise ParameterError(f"a pair points beyond {len(document)} segments")
        found: list[Evidence] = []
        progress("collecting evidence", 0, len(query))
        for begin in range(0, len(query), _AT_ONCE):
            own = slice(begin, begin + _AT_ONCE)
            aligned = self._aligner.align_rows(
                self._words, self._texts, query[own], source[own] + len(self._query)
            )
            found += map(self._evidence, query[own].tolist(), source[own].tolist(), aligned)
            progress("collecting evidence", len(found), len(query))
        return found

    def _evidence(self, query: int, source: int, alignment: Alignment) -> Evidence:
        number = self._words.lexicon.number
        shared = [number(lemma) for lemma in alignment.lemmas]
        collocation, elsewhere, formula = self._together(query, source, shared)
        text, query_id = self._query.texts[query], self._query.ids[query]
        year = self._query_years[query]
        rival = None
        if shared:
            rival = self._rarity.rival(self._around(query, alignment), source, query_id, year)
        return Evidence(
            query_id=query_id,
            source_id=self._source.ids[source],
            source_author=self._source.authors[source],
            query_year=known_year(year),
            source_year=self._rarity.year(source),
            alignment=alignment,
            shared=tuple(self._rarity.lemma(lemma) for lemma in shared),
            segments=len(self._source),
            library_segments=self._library_segments,
            collocation=collocation,
            elsewhere=elsewhere,
            formula=formula,
            rival=rival,
            cues=find_cues(text, alignment.query_span, alignment.query_words),
            changes=self._changes(query, source, alignment),
            query_neighbours=_neighbours(self._query, query),
            source_neighbours=_neighbours(self._source, source),
        )

    def _together(
        self, query: int, source: int, shared: list[int]
    ) -> tuple[Collocation | None, Elsewhere | None, Formula | None]:
        """Return what is known of the shared words that stand together."""
        if not shared:
            return None, None, None
        rarity, query_id = self._rarity, self._query.ids[query]
        places = (self._places(row, shared) for row in (query, source + len(self._query)))
        pair = rarity.collocation(*places)
        if pair is None:
            rarest = min(
                shared, key=lambda lemma: (rarity.source.count(lemma), shared.index(lemma))
            )
            return None, rarity.elsewhere([rarest], source, query_id), None
        counted = rarity.counted(pair)
        elsewhere = rarity.elsewhere(pair, source, query_id)
        return counted, elsewhere, rarity.formula(pair, counted)

    def _places(self, text: int, shared: list[int]) -> dict[int, list[int]]:
        """Return where shared lemmas stand among the content words of a text."""
        own = self._words.of(text)
        content = self._words.lemma[own][self._words.content[own]].tolist()
        places: dict[int, list[int]] = {lemma: [] for lemma in shared}
        for place, lemma in enumerate(content):
            if lemma in places:
                places[lemma].append(place)
        return places

    def _around(self, query: int, alignment: Alignment) -> list[int]:
        """Return the distinct lemmas in and beside the aligned stretch of a query."""
        own = self._words.of(query)
        start, content = self._words.start[own], self._words.content[own]
        begin, end = alignment.query_span or (0, 0)
        inside = np.flatnonzero((start >= begin) & (start < end))
        near = slice(max(int(inside[0]) - _AROUND, 0), int(inside[-1]) + _AROUND + 1)
        lemmas = self._words.lemma[own][near][content[near]]
        return list(dict.fromkeys(lemmas.tolist()))

    def _changes(self, query: int, source: int, alignment: Alignment) -> Changes:
        shared = [p for p in alignment.pairs if p.is_shared and not p.is_function_word]
        unchanged = {pair.query_lemma for pair in shared if pair.bond == "form"}
        lemmas = {pair.query_lemma for pair in shared}
        order = [pair.source for pair in shared]
        return Changes(
            order=None if len(lemmas) < 2 else "same" if order == sorted(order) else "other",  # noqa: PLR2004 - one has no order
            inflected=len(lemmas - unchanged),
            synonyms=sum(pair.bond in ("synonym", "meaning") for pair in alignment.pairs),
            query_words=self._extent(query, [pair.query for pair in shared]),
            source_words=self._extent(source + len(self._query), [p.source for p in shared]),
            verse_in_prose=bool(self._forms[1][source] == VERSE and self._forms[0][query] == PROSE),
        )

    def _extent(self, text: int, spans: list[tuple[int, int]]) -> int:
        """Return over how many words of a text some of them stretch."""
        if not spans:
            return 0
        start = self._words.start[self._words.of(text)]
        first, last = min(spans)[0], max(spans)[0]
        return int(((start >= first) & (start <= last)).sum())


def _meanings_called(name: str) -> Meanings:
    known: dict[str, Callable[[], Meanings]] = {
        "vectors": VectorMeanings,
        "encoder": EncoderMeanings,
    }
    if name not in known:
        raise ParameterError(f"meanings={name!r} is unknown", hint=f"use {' or '.join(known)}")
    return known[name]()


def _neighbours(document: Document, row: int) -> Neighbours:
    """Return the segments beside one in the same work."""
    context = context_at(document, row, 1)
    before, after = (
        next((segment.id for segment in side), "") for side in (context.before, context.after)
    )
    return Neighbours(before, after)
