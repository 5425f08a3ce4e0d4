"""Which texts have pieces near those of a query: inverted lists of pieces, sorted by vectors.

A piece of the query looks only at the lists whose centres are nearest to it, at every piece there.
Where it sees nothing of a text, it expects what it finds in other texts of about that length: long
texts have something similar to anything. The best are scored exactly afterwards.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.errors import ParameterError
from locisimiles.models.embedding_cache import EmbeddingCache
from locisimiles.retrieve.late_scoring import window_sums
from locisimiles.retrieve.late_words import STEPS
from locisimiles.retrieve.vectors.nearest import nearest_centres, spherical_centres

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from locisimiles.retrieve.late_scoring import Scoring
    from locisimiles.retrieve.late_words import Words

__all__ = ["FirstStage", "WordLists"]

_WORDS_IN_A_LIST = 1024  # on average
_ROUNDS = 6
_STEPS_IN_A_SHADE = 64  # products are kept in shades, so that each is a byte
_SAMPLE = 512  # texts, of all lengths
_BYTES_AT_A_TIME = 1 << 27
_TEXTS_AT_A_TIME = 1 << 12  # whose contributions to all words of a query stay in the cache
_NOTHING_KEPT = EmbeddingCache(None)


@dataclass(frozen=True, slots=True)
class FirstStage:
    """How pieces of words are sorted into lists, and how many of these are looked at.

    Parameters
    ----------
    lists
        How many; by default one for 1,024 pieces.
    probes
        How many a piece of a query looks at. With all of them nothing is missed.
    seed
        For the first centres.
    """

    lists: int | None = None
    probes: int = 16
    seed: int = 0

    def __post_init__(self) -> None:
        for name, value in (("lists", self.lists), ("probes", self.probes)):
            if value is not None and value < 1:
                raise ParameterError(f"{name}={value} finds nothing", hint="1 is the least")

    def build(
        self,
        words: Words,
        cache: EmbeddingCache = _NOTHING_KEPT,
        made_of: Mapping[str, object] = MappingProxyType({}),
        texts: Sequence[str] = (),
    ) -> WordLists:
        """Sort the pieces of texts into lists.

        Parameters
        ----------
        words
            The pieces.
        cache, made_of, texts
            Where lists are kept, and what they depend on: how vectors are made, and of which texts.
        """
        key = {"what": "lists", "lists": self.lists, "seed": self.seed, **made_of}
        arrays = cache.get(key, texts, partial(self._sort, words))
        return WordLists(
            words,
            centres=arrays["centres"].astype(np.float32, copy=False),
            list_of_word=arrays["list"].astype(np.int32, copy=False),
            probes=self.probes,
        )

    def _sort(self, words: Words) -> dict[str, NDArray[np.generic]]:
        count = self.lists or max(len(words.vectors) // _WORDS_IN_A_LIST, 1)
        count = min(count, max(len(words.vectors), 1))
        random = np.random.default_rng(self.seed)
        centres = spherical_centres(words.vectors, count, random, rounds=_ROUNDS)
        # In steps as words are: then it does not depend on rounding either what a word looks at.
        centres = np.rint(centres * STEPS)
        nearest = nearest_centres(words.vectors, centres)
        return {"centres": centres, "list": nearest.astype(np.int32)}


class WordLists:
    """The pieces of texts, sorted into lists; made by `FirstStage.build`."""

    def __init__(
        self,
        words: Words,
        centres: NDArray[np.float32],
        list_of_word: NDArray[np.int32],
        probes: int,
    ) -> None:
        text = np.repeat(np.arange(len(words), dtype=np.int32), words.lengths)
        # Words are in the order of texts, and stay so inside a list.
        order = np.argsort(list_of_word, kind="stable")
        self._vectors = words.vectors[order]
        self._text = text[order]
        self._bounds = np.searchsorted(list_of_word[order], np.arange(len(centres) + 1)).tolist()
        self._centres = centres
        self._probes = min(probes, len(centres))
        self._texts = len(words)
        self._expected = _Expectation(words)

    @property
    def nbytes(self) -> int:
        """How many bytes of memory they take."""
        return self._vectors.nbytes + self._text.nbytes + self._centres.nbytes

    def scores(self, queries: Words, scoring: Scoring) -> Iterator[NDArray[np.float32]]:
        """Yield for each query what the texts are likely to score."""
        worth = scoring.worth(np.arange(256, dtype=np.float32) * _STEPS_IN_A_SHADE)
        most = max(_BYTES_AT_A_TIME // max(self._texts, 1), 1)
        bounds = queries.bounds
        begin = 0
        while begin < len(queries):
            end = int(np.searchsorted(bounds, bounds[begin] + most, side="right")) - 1
            if end > begin:
                yield from self._scores_of(queries, begin, end, worth, scoring.window)
            else:
                end = begin + 1
                yield self._scores_of_long(queries.of(begin), most, worth, scoring.window)
            begin = end

    def _scores_of(
        self, queries: Words, begin: int, end: int, worth: NDArray[np.float32], window: int
    ) -> Iterator[NDArray[np.float32]]:
        own = slice(int(queries.bounds[begin]), int(queries.bounds[end]))
        near = self._near(queries.vectors[own].astype(np.float32))
        weight = queries.weight[own]
        for first, last in pairwise((queries.bounds[begin : end + 1] - own.start).tolist()):
            if first == last:
                yield np.zeros(self._texts, np.float32)
                continue
            yield _best_windows(near[first:last], worth, weight[first:last], window)

    def _scores_of_long(
        self, query: Words, most: int, worth: NDArray[np.float32], window: int
    ) -> NDArray[np.float32]:
        """Return the scores of a query whose words are too many to be looked at together."""
        found = np.zeros(self._texts, np.float32)
        # Each piece has the windows that begin in it, as far as there are whole ones.
        for begin in range(0, max(len(query.vectors) - window, 0) + 1, most):
            own = slice(begin, begin + most + window - 1)
            near = self._near(query.vectors[own].astype(np.float32))
            np.maximum(found, _best_windows(near, worth, query.weight[own], window), out=found)
        return found

    def _nothing(self, words: NDArray[np.float32]) -> NDArray[np.uint8]:
        return np.zeros((len(words), self._texts), np.uint8)

    def _near(self, words: NDArray[np.float32]) -> NDArray[np.uint8]:
        """Return the highest product of each word (row) with those it sees of each text."""
        everything = self._probes == len(self._centres)
        near = self._nothing(words) if everything else self._expected.shades(words)
        flat = near.reshape(-1)  # the same memory: rows lie one behind the other
        probed = _highest(words @ self._centres.T, self._probes)
        # List by list: the words that look at one are compared with it in one product.
        by_list = np.argsort(probed, axis=None, kind="stable")
        asking = by_list // self._probes
        begins = np.searchsorted(probed.ravel()[by_list], np.arange(len(self._centres) + 1))
        for number, (first, last) in enumerate(pairwise(begins.tolist())):
            members = slice(self._bounds[number], self._bounds[number + 1])
            if first == last or members.start == members.stop:
                continue
            rows = asking[first:last]
            texts = self._text[members]
            products = words[rows] @ self._vectors[members].astype(np.float32).T
            starts = np.flatnonzero(np.diff(texts, prepend=-1))
            if len(starts) < len(texts):
                products = np.maximum.reduceat(products, starts, axis=1)
                texts = texts[starts]
            seen = _shades(products)
            places = rows[:, None] * self._texts + texts
            flat[places] = np.maximum(flat[places], seen)
        return near


def _best_windows(
    near: NDArray[np.uint8],
    worth: NDArray[np.float32],
    weight: NDArray[np.float32],
    window: int,
) -> NDArray[np.float32]:
    """Return the score of each text (column), given what each shade is worth."""
    found = np.empty(near.shape[1], np.float32)
    for begin in range(0, len(found), _TEXTS_AT_A_TIME):
        some = slice(begin, begin + _TEXTS_AT_A_TIME)
        contributions = worth.take(near[:, some])
        contributions *= weight[:, None]
        found[some] = window_sums(contributions, window).max(axis=0)
    found /= np.float32(window)
    return found


class _Expectation:
    """What a word finds in a text of some length: a curve, fitted to a sample of texts.

    Parameters
    ----------
    words
        The words of all texts.
    """

    def __init__(self, words: Words) -> None:
        lengths = words.lengths
        with_words = np.flatnonzero(lengths)
        by_length = with_words[np.argsort(lengths[with_words], kind="stable")]
        places = np.linspace(0, len(by_length) - 1, _SAMPLE).round().astype(int)
        sample = np.unique(by_length[places]) if len(by_length) else by_length
        self._vectors = words.vectors[words.rows_of(sample)].astype(np.float32)
        self._begins = np.cumsum(lengths[sample]) - lengths[sample]
        distinct, self._length_of_text = np.unique(lengths, return_inverse=True)
        # Least squares for all words at once: products × sample, sample × lengths.
        to_curve = np.linalg.pinv(_powers(lengths[sample])) if len(sample) else np.empty((3, 0))
        curves = _powers(distinct) @ to_curve
        curves[distinct == 0] = 0  # in a text without words nothing is found
        self._fit = curves.T

    def shades(self, words: NDArray[np.float32]) -> NDArray[np.uint8]:
        """Return the product that each word (row) may expect in each text (column)."""
        if not len(self._begins):
            return np.zeros((len(words), len(self._length_of_text)), np.uint8)
        highest = np.maximum.reduceat(words @ self._vectors.T, self._begins, axis=1)
        expected = (np.maximum(highest, 0) @ self._fit).astype(np.float32)
        return _shades(expected).take(self._length_of_text, axis=1)


def _powers(lengths: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return what the curve is made of: it bends with the logarithm of the length."""
    logarithm = np.log(np.maximum(lengths, 1))
    return np.stack([np.ones(len(lengths)), logarithm, logarithm**2], axis=1)


def _shades(products: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Return products in shades, from 0 for those at a right angle to 252 for equal vectors."""
    return (np.clip(products, 0, STEPS**2) / np.float32(_STEPS_IN_A_SHADE)).astype(np.uint8)


def _highest(values: NDArray[np.float32], count: int) -> NDArray[np.int64]:
    """Return the places of the highest values of each row."""
    if count >= values.shape[1]:
        return np.broadcast_to(np.arange(values.shape[1]), values.shape)
    return np.argpartition(-values, count - 1, axis=1)[:, :count]
