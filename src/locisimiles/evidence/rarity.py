"""How rare shared words are, where else they stand together, and who explains them better."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.corpus.library.dates import years_of
from locisimiles.evidence.facts import Collocation, Elsewhere, Formula, Place, Rival, SharedLemma
from locisimiles.evidence.pool import LemmaPool
from locisimiles.latin import Frequencies

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from locisimiles.corpus import Document
    from locisimiles.latin.text_words import Lexicon, TextWords

__all__ = ["Rarity", "known_year"]

_RAREST = 8  # of the shared lemmas are tried for a collocation
_MANY_SENTENCES = 150
_MANY_PLACES, _MANY_AUTHORS = 12, 4
_STRETCH = 10  # content words in which a source must have what it explains
_BETTER, _MORE = 1.5, 2.0  # what a rival explains must be rarer by this factor and this much
_FEWEST = 2  # lemmas that a rival must explain; one rare word makes no source


def known_year(year: float) -> int | None:
    """Return a year; None for infinity, which stands for what is unknown."""
    return int(year) if np.isfinite(year) else None


class Rarity:
    """Counts in a source, in a library, and in the background.

    Parameters
    ----------
    source, words
        The source document and its words.
    library, library_words
        Further texts, or the whole library; they may contain the source.
    places
        How many other places are listed.
    """

    def __init__(
        self,
        source: Document,
        words: TextWords,
        library: Document | None = None,
        library_words: TextWords | None = None,
        *,
        places: int = 10,
    ) -> None:
        self._background = Frequencies.shipped()
        self._lexicon: Lexicon = words.lexicon
        window = self._background.window
        self.source = LemmaPool(words, window)
        self._library = LemmaPool(library_words, window) if library_words is not None else None
        self._documents = [source] if library is None else [source, library]
        self._years = [years_of(document) for document in self._documents]
        self._most_places = places
        # What the library has from the source is not another place.
        known = set(source.ids)
        ids = library.ids if library is not None else ()
        self._is_new = np.array([segment_id not in known for segment_id in ids], bool)

    def lemma(self, lemma: int) -> SharedLemma:
        """Return how common a lemma is."""
        name = self._lexicon.lemmas[lemma]
        return SharedLemma(
            name,
            in_source=self.source.count(lemma),
            in_library=None if self._library is None else self._library.count(lemma),
            in_background=self._background.count(name),
        )

    def collocation(
        self, query: dict[int, list[int]], source: dict[int, list[int]]
    ) -> tuple[int, int] | None:
        """Return the rarest two lemmas that stand together on both sides.

        Parameters
        ----------
        query, source
            For each shared lemma its places among the content words, lemmas in the order of the
            query.
        """
        order = list(query)
        rarest = sorted(order, key=lambda lemma: (self.source.count(lemma), order.index(lemma)))
        kept = [lemma for lemma in order if lemma in rarest[:_RAREST]]
        pairs = [pair for pair in combinations(kept, 2) if self._near(query, pair, source)]
        if not pairs:
            return None
        return min(
            pairs,
            key=lambda pair: (
                len(self.source.texts_with_both(*pair)),
                -sum(map(self.source.rarity, pair)),
            ),
        )

    def _near(
        self, query: dict[int, list[int]], pair: tuple[int, int], source: dict[int, list[int]]
    ) -> bool:
        one, other = pair
        return all(
            min(abs(a - b) for a in side[one] for b in side[other]) <= self.source.window
            for side in (query, source)
        )

    def counted(self, pair: tuple[int, int]) -> Collocation:
        """Return how common it is that two lemmas stand together."""
        one, other = (self._lexicon.lemmas[lemma] for lemma in pair)
        return Collocation(
            (one, other),
            in_source=len(self.source.texts_with_both(*pair)),
            in_library=None if self._library is None else len(self._library.texts_with_both(*pair)),
            in_background=self._background.pair_count(one, other),
        )

    def elsewhere(self, lemmas: Sequence[int], source_row: int, query_id: str) -> Elsewhere:
        """Return where else one lemma stands, or two stand together.

        Parameters
        ----------
        lemmas
            One or two.
        source_row, query_id
            The pair, which is no other place.
        """
        texts = self._texts(self.source, lemmas)
        found = [texts[texts != source_row]]
        if self._library is not None:
            texts = self._texts(self._library, lemmas)
            found.append(texts[self._is_new[texts]])
        for place, document in enumerate(self._documents):
            if query_id in document:
                found[place] = found[place][found[place] != document.index(query_id)]
        row = np.concatenate(found)
        number = np.repeat(np.arange(len(found)), [len(own) for own in found])
        years = np.concatenate([year[own] for year, own in zip(self._years, found, strict=True)])
        first = np.argsort(years, kind="stable")[: self._most_places]
        return Elsewhere(
            tuple(self._lexicon.lemmas[lemma] for lemma in lemmas),
            len(row),
            int(np.isinf(years).sum()),
            tuple(map(self._place, number[first].tolist(), row[first].tolist())),
        )

    @staticmethod
    def _texts(pool: LemmaPool, lemmas: Sequence[int]) -> NDArray[np.int64]:
        if len(lemmas) == 1:
            return pool.texts_with(lemmas[0])
        return pool.texts_with_both(lemmas[0], lemmas[1])

    def year(self, row: int) -> int | None:
        """Return the year of a segment of the source; None if it is unknown."""
        return known_year(self._years[0][row])

    def _place(self, number: int, row: int) -> Place:
        document, year = self._documents[number], self._years[number][row]
        return Place(document.ids[row], document.authors[row], known_year(year))

    def formula(self, pair: tuple[int, int], collocation: Collocation) -> Formula | None:
        """Say whether two lemmas that stand together are a common expression."""
        if collocation.in_background >= _MANY_SENTENCES:
            return Formula(
                collocation.lemmas,
                f"they stand together in about {collocation.in_background:,} "
                f"of {self._background.sentences:,} Latin sentences",
                count=collocation.in_background,
                sentences=self._background.sentences,
            )
        rows = self.source.texts_with_both(*pair)
        if len(rows) < _MANY_PLACES:
            return None
        authors = {self._documents[0].authors[row] for row in rows.tolist()} - {""}
        if len(authors) < _MANY_AUTHORS:
            return None
        return Formula(
            collocation.lemmas,
            f"they stand together in {len(rows):,} segments by {len(authors)} authors",
            count=len(rows),
            authors=len(authors),
        )

    def rival(
        self, lemmas: Sequence[int], source_row: int, query_id: str, query_year: float
    ) -> Rival | None:
        """Return the source that explains some words of the query best, if it is much better.

        Parameters
        ----------
        lemmas
            The distinct lemmas in and around the aligned stretch of the query.
        source_row
            The source that was found.
        query_id, query_year
            The query and its year, infinity if unknown: neither the query itself nor what is
            later can be its source.
        """
        pool = self.source
        value, own = pool.best_stretch(source_row, lemmas, _STRETCH)
        needed = value * _BETTER + _MORE
        # What a text has anywhere is at least what it has in a stretch.
        most = pool.explained(lemmas)
        years = self._years[0]
        most[np.isfinite(years) & (years > query_year)] = 0
        if query_id in self._documents[0]:
            most[self._documents[0].index(query_id)] = 0
        likely = np.flatnonzero(most > needed)
        best_row, best = -1, set[int]()
        for row in likely[np.argsort(-most[likely], kind="stable")].tolist():
            if most[row] <= needed:
                break
            found, explained = pool.best_stretch(row, lemmas, _STRETCH)
            if found > needed and len(explained) >= _FEWEST:
                best_row, best, needed = row, explained, found
        if best_row < 0:
            return None
        return Rival(
            self._documents[0].ids[best_row], self._names(lemmas, best), self._names(lemmas, own)
        )

    def _names(self, lemmas: Sequence[int], kept: set[int]) -> tuple[str, ...]:
        return tuple(self._lexicon.lemmas[lemma] for lemma in lemmas if lemma in kept)
