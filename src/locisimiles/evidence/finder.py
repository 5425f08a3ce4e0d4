"""Collect the evidence of many pairs, reading each document once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from locisimiles.checks import check_between, check_choice, check_equal_lengths
from locisimiles.corpus.library.dates import years_of
from locisimiles.evidence.alignment import Aligner, Alignment
from locisimiles.evidence.context import context_at, row_of
from locisimiles.evidence.cues import find_cues
from locisimiles.evidence.explanation import Evidence
from locisimiles.evidence.facts import Changes, Collocation, Elsewhere, Neighbours
from locisimiles.evidence.lemma_index import stored_lemmas
from locisimiles.evidence.meanings import EncoderMeanings, VectorMeanings
from locisimiles.evidence.rarity import Rarity, known_year
from locisimiles.evidence.verbatim import verbatim_runs
from locisimiles.evidence.verse import PROSE, VERSE, verse_or_prose
from locisimiles.index import TextPart
from locisimiles.latin.text_words import TextWords
from locisimiles.messages import Message
from locisimiles.progress import silent

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from locisimiles.corpus import Document
    from locisimiles.evidence.alignment import Span
    from locisimiles.evidence.facts import Formula
    from locisimiles.evidence.meanings import Meanings
    from locisimiles.progress import Progress

__all__ = ["EvidenceFinder"]

_MEANINGS: dict[str, type[Meanings]] = {"vectors": VectorMeanings, "encoder": EncoderMeanings}
_AT_ONCE = 2048  # pairs
_AROUND = 5  # words beside the aligned span that a better source might explain


class EvidenceFinder:
    """Explains why pairs of segments may be references.

    Parameters
    ----------
    query, source
        The two documents.
    library
        Further texts in which words are counted; they may contain the source.
    meanings
        How to find words of similar meaning: ``vectors`` compares the word vectors that come with
        the package, ``encoder`` compares words in context; or your own `Meanings`. None compares
        lemmas only.
    places
        The largest number of other places to list.

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
            check_choice(_MEANINGS, meanings=meanings)
            meanings = _MEANINGS[meanings]()
        self._query, self._source = query, source
        self._aligner = Aligner(meanings)
        self._is_stored = stored_lemmas(source) is not None
        words = None
        if not self._is_stored:  # else words are read pair by pair, of both texts
            self._read(range(len(query)), range(len(source)))
            words = self._words.part(len(query), len(self._texts))
        self._rarity = Rarity(source, words, library, places=places)
        self._query_years = years_of(query)
        self._verse_in_prose = verse_or_prose(query) == PROSE, verse_or_prose(source) == VERSE

    def explain(self, query_id: str, source_id: str) -> Evidence:
        """Return the evidence of one pair.

        Raises
        ------
        SegmentIdError
            If one of the documents has no such segment.
        """
        query = row_of(self._query, query_id, Message("evidence.the_query"))
        source = row_of(self._source, source_id, Message("evidence.the_source"))
        return self.for_pairs([query], [source])[0]

    def for_pairs(
        self,
        query_rows: Sequence[int] | NDArray[np.int64],
        source_rows: Sequence[int] | NDArray[np.int64],
        *,
        progress: Progress = silent,
    ) -> list[Evidence]:
        """Return the evidence of pairs, given as rows of the two documents."""
        query, source = np.asarray(query_rows, np.int64), np.asarray(source_rows, np.int64)
        check_equal_lengths(query_rows=query, source_rows=source)
        if len(query):
            for extreme in (np.min, np.max):
                check_between(0, len(self._query) - 1, query_rows=int(extreme(query)))
                check_between(0, len(self._source) - 1, source_rows=int(extreme(source)))
        evidence: list[Evidence] = []
        progress("collecting evidence", 0, len(query))
        for begin in range(0, len(query), _AT_ONCE):
            batch = slice(begin, begin + _AT_ONCE)
            rows = query[batch].tolist(), source[batch].tolist()
            if self._is_stored:
                self._read(*(sorted(set(side)) for side in rows))
            alignments = self._aligner.align_rows(
                self._words,
                self._texts,
                np.array([self._row_of_query[row] for row in rows[0]]),
                np.array([self._row_of_source[row] for row in rows[1]]),
            )
            evidence += map(self._evidence, *rows, alignments)
            progress("collecting evidence", len(evidence), len(query))
        return evidence

    def _read(self, query: Sequence[int], source: Sequence[int]) -> None:
        """Read the words of some query and source segments."""
        part = TextPart.of([self._query.texts[row] for row in query]).join(
            TextPart.of([self._source.texts[row] for row in source])
        )
        self._row_of_query = {row: place for place, row in enumerate(query)}
        self._row_of_source = {row: place for place, row in enumerate(source, len(query))}
        self._texts, self._words = part.texts, TextWords.of_tokens(part.tokens)

    def _evidence(self, query: int, source: int, alignment: Alignment) -> Evidence:
        number = self._words.lexicon.number
        shared = [number(lemma) for lemma in alignment.lemmas]
        collocation, elsewhere, formula = self._together(query, source, shared)
        text, query_id = self._query.texts[query], self._query.ids[query]
        year = self._query_years[query]
        rival = None
        if shared:
            around = self._around(self._row_of_query[query], alignment)
            rival = self._rarity.rival(around, source, query_id, year)
        return Evidence(
            query_id=query_id,
            source_id=self._source.ids[source],
            source_author=self._source.authors[source],
            query_year=known_year(year),
            source_year=self._rarity.year(source),
            alignment=alignment,
            shared=tuple(map(self._rarity.shared_lemma, shared)),
            segments=len(self._source),
            library_segments=self._rarity.library_segments,
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
        """Return the facts about shared words that stand together."""
        if not shared:
            return None, None, None
        rarity, query_id = self._rarity, self._query.ids[query]
        rows = self._row_of_query[query], self._row_of_source[source]
        places = (self._places(row, shared) for row in rows)
        pair = rarity.rarest_pair(*places)
        if pair is None:
            return None, rarity.elsewhere(rarity.rarest(shared)[:1], source, query_id), None
        collocation = rarity.collocation(pair)
        elsewhere = rarity.elsewhere(pair, source, query_id)
        return collocation, elsewhere, rarity.formula(pair, collocation)

    def _places(self, text: int, shared: list[int]) -> dict[int, list[int]]:
        """Return the places of shared lemmas among the content words of a text."""
        rows = self._words.of(text)
        content = self._words.lemma[rows][self._words.content[rows]].tolist()
        places: dict[int, list[int]] = {lemma: [] for lemma in shared}
        for place, lemma in enumerate(content):
            if lemma in places:
                places[lemma].append(place)
        return places

    def _around(self, text: int, alignment: Alignment) -> list[int]:
        """Return the distinct lemmas of a text in and beside the aligned span of a query."""
        rows = self._words.of(text)
        start, content = self._words.start[rows], self._words.content[rows]
        begin, end = alignment.query_span or (0, 0)
        inside = np.flatnonzero((start >= begin) & (start < end))
        near = slice(max(int(inside[0]) - _AROUND, 0), int(inside[-1]) + _AROUND + 1)
        lemmas = self._words.lemma[rows][near][content[near]]
        return list(dict.fromkeys(lemmas.tolist()))

    def _changes(self, query: int, source: int, alignment: Alignment) -> Changes:
        shared = [p for p in alignment.pairs if p.is_shared and not p.is_function_word]
        unchanged = {pair.query_lemma for pair in shared if pair.bond == "form"}
        lemmas = {pair.query_lemma for pair in shared}
        order = [pair.source for pair in shared]
        in_prose, verse = self._verse_in_prose
        return Changes(
            order=None if len(lemmas) < 2 else "same" if order == sorted(order) else "other",  # noqa: PLR2004 - one has no order
            inflected=len(lemmas - unchanged),
            synonyms=sum(pair.bond in ("synonym", "meaning") for pair in alignment.pairs),
            query_words=self._extent(self._row_of_query[query], [pair.query for pair in shared]),
            source_words=self._extent(self._row_of_source[source], order),
            verse_in_prose=bool(in_prose[query] and verse[source]),
            verbatim=verbatim_runs(alignment, self._query.texts[query], self._source.texts[source]),
        )

    def _extent(self, text: int, spans: list[Span]) -> int:
        """Return the number of words of a text from the first span to the last."""
        if not spans:
            return 0
        start = self._words.start[self._words.of(text)]
        first, last = min(spans)[0], max(spans)[0]
        return int(((start >= first) & (start <= last)).sum())


def _neighbours(document: Document, row: int) -> Neighbours:
    context = context_at(document, row, 1)
    return Neighbours(*(side[0].id if side else "" for side in (context.before, context.after)))
