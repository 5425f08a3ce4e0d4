"""An inverted index of lemmas in many texts, to count them and to find better sources.

It holds content words only, and distances count only these: a place is the place of a content word
among content words.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.index import PreparedDocument
from locisimiles.latin.text_words import Lexicon, TextWords

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from locisimiles.corpus import Document
    from locisimiles.index.lemmas import StoredLemmas

__all__ = ["LemmaIndex", "LemmaPlaces", "StoredLemmaIndex", "lemma_index", "stored_lemmas"]

_MOST_KEPT = 1 << 10  # lemmas


class LemmaPlaces(ABC):
    """The places of lemmas in texts, wherever they are kept.

    `window` is the largest distance of two words that stand together, `texts` the number of texts.
    """

    window: int
    texts: int

    def __init__(self, window: int, texts: int) -> None:
        self.window, self.texts = window, texts
        self._both: dict[tuple[int, int], NDArray[np.int64]] = {}

    @abstractmethod
    def occurrences(self, lemma: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return text and place of each occurrence; words of two texts are never near by place."""

    @abstractmethod
    def texts_with(self, lemma: int) -> NDArray[np.int64]:
        """Return the texts that have a lemma, in rising order."""

    def count(self, lemma: int) -> int:
        """Return the number of texts that have a lemma."""
        return len(self.texts_with(lemma))

    def rarity(self, lemma: int) -> float:
        r"""Return how rare a lemma is in these texts: :math:`\log((N + 1) / (n + 1))`."""
        return float(np.log((self.texts + 1) / (self.count(lemma) + 1)))

    def texts_with_both(self, one: int, other: int) -> NDArray[np.int64]:
        """Return the texts in which two different lemmas stand together, in rising order."""
        key = min(one, other), max(one, other)
        if key not in self._both:
            self._both[key] = self._find_both(*key)
        return self._both[key]

    def _find_both(self, one: int, other: int) -> NDArray[np.int64]:
        (texts, places), (_, near) = sorted(
            map(self.occurrences, (one, other)), key=lambda found: len(found[0])
        )
        if not len(near):
            return np.empty(0, np.int64)
        after = np.searchsorted(near, places)
        gap = np.minimum(
            np.abs(near[np.minimum(after, len(near) - 1)] - places),
            np.abs(near[np.maximum(after - 1, 0)] - places),
        )
        return np.unique(texts[gap <= self.window])

    def explained(self, lemmas: Sequence[int]) -> NDArray[np.float64]:
        """Return the summed rarity of the lemmas that each text has."""
        scores = np.zeros(self.texts)
        for lemma in lemmas:
            scores[self.texts_with(lemma)] += self.rarity(lemma)
        return scores

    def best_stretch(self, text: int, lemmas: Iterable[int], width: int) -> tuple[float, set[int]]:
        """Return the rarity and the lemmas of the rarest stretch of a text; of equals, the first.

        Only the given lemmas count; `width` is the length of a stretch in content words.
        """
        places: list[tuple[int, int]] = []
        for lemma in lemmas:
            texts, own = self.occurrences(lemma)
            begin, end = np.searchsorted(texts, [text, text + 1]).tolist()
            places += [(place, lemma) for place in own[begin:end].tolist()]
        places.sort()
        best: tuple[float, set[int]] = 0.0, set()
        for at, (begin, _) in enumerate(places):
            inside = {lemma for place, lemma in places[at:] if place < begin + width}
            rarity = sum(sorted(map(self.rarity, inside)))
            if rarity > best[0]:
                best = rarity, inside
        return best


class LemmaIndex(LemmaPlaces):
    """The places of lemmas in texts, in memory.

    Parameters
    ----------
    words
        The words of the texts.
    window
        The largest distance of two words that stand together; 1 means side by side.

    Examples
    --------
    >>> from locisimiles.latin.text_words import TextWords
    >>> words = TextWords.read(["uox et faucibus haesit", "uox", "haesit ibi rosa"])
    >>> index = LemmaIndex(words, window=1)
    >>> number = words.lexicon.number
    >>> index.texts_with(number("uox")).tolist(), index.texts_with(number("haereo")).tolist()
    ([0, 1], [0, 2])
    >>> index.texts_with_both(number("uox"), number("haereo")).tolist()
    []
    """

    def __init__(self, words: TextWords, window: int) -> None:
        super().__init__(window, len(words))
        kept = np.flatnonzero(words.content)
        text = np.repeat(np.arange(len(words)), np.diff(words.bounds))[kept]
        # A gap between texts, so that words of different texts are never near each other.
        place = np.arange(len(kept)) + text * (window + 1)
        lemma = words.lemma[kept]
        order = np.argsort(lemma, kind="stable")
        self._lemma, first = np.unique(lemma[order], return_index=True)
        self._bounds = np.append(first, len(order))
        self._place = place[order]
        self._text = text[order].astype(np.int64)
        new = np.diff(self._text, prepend=-1) != 0
        new[first] = True
        self._distinct = self._text[new]
        self._distinct_bounds = np.concatenate([[0], np.cumsum(new)])[self._bounds]

    def _rows(self, lemma: int, bounds: NDArray[np.int64]) -> slice:
        at = int(np.searchsorted(self._lemma, lemma))
        if at == len(self._lemma) or self._lemma[at] != lemma:
            return slice(0, 0)
        return slice(int(bounds[at]), int(bounds[at + 1]))

    def occurrences(self, lemma: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return text and place of each occurrence of a lemma."""
        rows = self._rows(lemma, self._bounds)
        return self._text[rows], self._place[rows]

    def texts_with(self, lemma: int) -> NDArray[np.int64]:
        """Return the texts that have a lemma, in rising order."""
        texts: NDArray[np.int64] = self._distinct[self._rows(lemma, self._distinct_bounds)]
        return texts


class StoredLemmaIndex(LemmaPlaces):
    """The places of lemmas in the texts of an index on disk; `names` are the lemmas by number."""

    def __init__(self, stored: StoredLemmas, names: Sequence[str], window: int) -> None:
        super().__init__(window, stored.begins[-1])
        self._stored = stored
        self._names = names
        self._known: dict[int, tuple[NDArray[np.int64], NDArray[np.int64]]] = {}

    def occurrences(self, lemma: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return text and place of each occurrence of a lemma."""
        if lemma not in self._known:
            if len(self._known) > _MOST_KEPT:
                self._known.clear()
            text, place = self._stored.places(self._names[lemma])
            self._known[lemma] = text, place + text * (self.window + 1)
        return self._known[lemma]

    def texts_with(self, lemma: int) -> NDArray[np.int64]:
        """Return the texts that have a lemma, in rising order."""
        texts, _ = self.occurrences(lemma)
        return texts[np.flatnonzero(np.diff(texts, prepend=-1))]


def lemma_index(document: Document, words: TextWords | None, window: int) -> LemmaPlaces:
    """Return the places of lemmas in a document, given its words unless it is on disk."""
    stored = stored_lemmas(document)
    if stored is not None:
        return StoredLemmaIndex(stored, Lexicon.shared().lemmas, window)
    return LemmaIndex(TextWords.read(document.texts) if words is None else words, window)


def stored_lemmas(document: Document) -> StoredLemmas | None:
    """Return the lemmas of an index on disk; None for other documents."""
    return document.lemma_rows("fast") if isinstance(document, PreparedDocument) else None
