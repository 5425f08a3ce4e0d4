"""How rare shared words are, where else they occur, and whether another source is better."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.corpus.citations import cite
from locisimiles.corpus.library.dates import years_of
from locisimiles.evidence.facts import Collocation, Elsewhere, Formula, Place, Rival, SharedLemma
from locisimiles.evidence.lemma_index import lemma_index
from locisimiles.latin import Frequencies
from locisimiles.latin.text_words import Lexicon

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from locisimiles.corpus import Document
    from locisimiles.evidence.lemma_index import LemmaPlaces
    from locisimiles.latin.text_words import TextWords

    LemmaPair = tuple[int, int]
    PlacesOfLemmas = dict[int, list[int]]

__all__ = ["Rarity", "known_year"]

_MOST_TRIED = 8  # of the rarest shared lemmas, to form collocations
_MANY_SENTENCES = 150
_MANY_PLACES, _MANY_AUTHORS = 12, 4
_STRETCH = 10  # content words within which a source must have the lemmas it explains
_BETTER, _MORE = 1.5, 2.0  # the lemmas of a rival must be rarer by this factor and this much
_FEWEST = 2  # lemmas that a rival must explain; one rare word does not make a source


def known_year(year: float) -> int | None:
    """Return a year; None for infinity, which means unknown."""
    return int(year) if np.isfinite(year) else None


class Rarity:
    """Counts lemmas in a source, in a library (which may contain the source), and in Latin.

    `elsewhere` lists at most `places`; `words` are those of the source, None if it is on disk.
    """

    def __init__(
        self,
        source: Document,
        words: TextWords | None,
        library: Document | None = None,
        *,
        places: int = 10,
    ) -> None:
        self._background = Frequencies.shipped()
        self._names = Lexicon.shared().lemmas
        window = self._background.window
        self._source = lemma_index(source, words, window)
        self._library = None if library is None else lemma_index(library, None, window)
        self._documents = [source] if library is None else [source, library]
        self._years = [years_of(document) for document in self._documents]
        self._most_places = places
        # Segments of the source are not counted again in the library.
        known = set(source.ids)
        ids = library.ids if library is not None else ()
        self._is_new = np.array([segment_id not in known for segment_id in ids], bool)
        self.library_segments = int(self._is_new.sum())

    def rarest(self, lemmas: Sequence[int]) -> list[int]:
        """Return lemmas by rising number of source segments that have them; a stable order."""
        return sorted(lemmas, key=self._source.count)

    def shared_lemma(self, lemma: int) -> SharedLemma:
        """Return how common a lemma is."""
        name = self._names[lemma]
        return SharedLemma(
            name,
            in_source=self._source.count(lemma),
            in_library=None if self._library is None else self._library.count(lemma),
            in_background=self._background.count(name),
        )

    def rarest_pair(self, query: PlacesOfLemmas, source: PlacesOfLemmas) -> LemmaPair | None:
        """Return the rarest two lemmas that stand together on both sides.

        The arguments map shared lemmas, in the order of the query, to their places among the
        content words of each side.
        """
        tried = set(self.rarest(list(query))[:_MOST_TRIED])
        pairs = [
            pair
            for pair in combinations([lemma for lemma in query if lemma in tried], 2)
            if self._near(query, pair) and self._near(source, pair)
        ]
        return min(
            pairs,
            key=lambda pair: (
                len(self._source.texts_with_both(*pair)),
                -sum(map(self._source.rarity, pair)),
            ),
            default=None,
        )

    def _near(self, places: PlacesOfLemmas, pair: LemmaPair) -> bool:
        one, other = pair
        gap = min(abs(a - b) for a in places[one] for b in places[other])
        return gap <= self._source.window

    def collocation(self, pair: LemmaPair) -> Collocation:
        """Return how often two lemmas stand together."""
        one, other = (self._names[lemma] for lemma in pair)
        return Collocation(
            (one, other),
            in_source=len(self._source.texts_with_both(*pair)),
            in_library=None if self._library is None else len(self._library.texts_with_both(*pair)),
            in_background=self._background.pair_count(one, other),
        )

    def elsewhere(self, lemmas: Sequence[int], source_row: int, query_id: str) -> Elsewhere:
        """Return where else one lemma occurs, or two stand together."""

        def texts_in(index: LemmaPlaces) -> NDArray[np.int64]:
            return (index.texts_with if len(lemmas) == 1 else index.texts_with_both)(*lemmas)

        texts = texts_in(self._source)
        rows = [texts[texts != source_row]]
        if self._library is not None:
            texts = texts_in(self._library)
            rows.append(texts[self._is_new[texts]])
        for at, document in enumerate(self._documents):
            if query_id in document:
                rows[at] = rows[at][rows[at] != document.index(query_id)]
        row = np.concatenate(rows)
        number = np.repeat(np.arange(len(rows)), [len(texts) for texts in rows])
        years = np.concatenate([years[own] for years, own in zip(self._years, rows, strict=True)])
        first = np.argsort(years, kind="stable")[: self._most_places]
        return Elsewhere(
            tuple(self._names[lemma] for lemma in lemmas),
            len(row),
            int(np.isinf(years).sum()),
            tuple(map(self._place, number[first].tolist(), row[first].tolist())),
        )

    def _place(self, number: int, row: int) -> Place:
        document, year = self._documents[number], self._years[number][row]
        citation = _citation(document, row)
        return Place(document.ids[row], document.authors[row], known_year(year), citation)

    def year(self, row: int) -> int | None:
        """Return the year of a source segment; None if it is unknown."""
        return known_year(self._years[0][row])

    def formula(self, pair: LemmaPair, collocation: Collocation) -> Formula | None:
        """Return why two lemmas may be a common expression; None if they are not."""
        count, sentences = collocation.in_background, self._background.sentences
        if count >= _MANY_SENTENCES:
            reason = f"they stand together in about {count:,} of {sentences:,} Latin sentences"
            return Formula(collocation.lemmas, reason, count, sentences=sentences)
        rows = self._source.texts_with_both(*pair)
        authors = {self._documents[0].authors[row] for row in rows.tolist()} - {""}
        if len(rows) < _MANY_PLACES or len(authors) < _MANY_AUTHORS:
            return None
        reason = f"they stand together in {len(rows):,} segments by {len(authors)} authors"
        return Formula(collocation.lemmas, reason, len(rows), authors=len(authors))

    def rival(
        self, lemmas: Sequence[int], source_row: int, query_id: str, query_year: float
    ) -> Rival | None:
        """Return the source that explains lemmas of the query best, if it is much better.

        Neither the query itself nor a later text can be a rival; an unknown year is infinity.
        """
        index, source = self._source, self._documents[0]
        value, own_lemmas = index.best_stretch(source_row, lemmas, _STRETCH)
        needed = value * _BETTER + _MORE
        # An upper bound: what a text has anywhere is at least what it has in a stretch.
        most = index.explained(lemmas)
        years = self._years[0]
        most[np.isfinite(years) & (years > query_year)] = 0
        if query_id in source:
            most[source.index(query_id)] = 0
        likely = np.flatnonzero(most > needed)
        best_row, best = -1, set[int]()
        for row in likely[np.argsort(-most[likely], kind="stable")].tolist():
            if most[row] <= needed:
                break
            rarity, explained = index.best_stretch(row, lemmas, _STRETCH)
            if rarity > needed and len(explained) >= _FEWEST:
                best_row, best, needed = row, explained, rarity
        if best_row < 0:
            return None

        def names(kept: set[int]) -> tuple[str, ...]:
            return tuple(self._names[lemma] for lemma in lemmas if lemma in kept)

        citation = _citation(source, best_row)
        return Rival(source.ids[best_row], names(best), names(own_lemmas), citation)


def _citation(document: Document, row: int) -> str:
    """Return how a segment is cited; empty if its author and work are unknown, or its locus."""
    segment = document[row]
    cited = cite(segment)
    return "" if segment.id in cited else cited
