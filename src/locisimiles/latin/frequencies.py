"""Frequencies of lemmas, and of pairs of lemmas close together.

They are counted by sentence in some 48 million words of Latin from all periods. Pairs that occur in
few sentences are not stored: they count as rare.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.errors import MalformedInputError
from locisimiles.files.arrays import load_arrays, pack_strings, save_arrays, unpack_strings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["Frequencies"]

_COUNTS = "frequencies.npz"
_MOST_PLACES = 8
# Counts of pairs are kept to within one or 5 %, in one byte.
_STEPS_PER_DOUBLING = 8


@dataclass(frozen=True)
class Frequencies:
    """Sentence counts of lemmas and of pairs of lemmas.

    Attributes
    ----------
    sentences
        The number of sentences.
    lemmas, counts
        The lemmas, and the number of sentences in which each occurs.
    pairs, pair_counts
        Pairs as ``first * len(lemmas) + second`` with ``first < second``, in ascending order, and
        the number of sentences in which the two occur close together, without stop words and rare
        pairs.
    window
        The maximum distance in words that counts as close, without stop words.
    fewest
        The minimum number of sentences of a pair that is stored.

    Examples
    --------
    >>> frequencies = Frequencies.shipped()
    >>> frequencies.count("fauces") < frequencies.count("uox") < frequencies.count("et")
    True
    >>> frequencies.pair_count("res", "publicus") > 1000
    True
    """

    sentences: int
    lemmas: Sequence[str]
    counts: NDArray[np.int32]
    pairs: NDArray[np.int64]
    pair_counts: NDArray[np.int32]
    window: int
    fewest: int

    @classmethod
    @cache
    def shipped(cls) -> Frequencies:
        """Return the counts shipped with the package; they are loaded once."""
        with resources.as_file(resources.files("locisimiles.latin") / "data" / _COUNTS) as path:
            return cls.load(path)

    def count(self, lemma: str) -> int:
        """Return the number of sentences with a lemma; 0 if it is unknown."""
        row = self._rows.get(lemma)
        return 0 if row is None else int(self.counts[row])

    def pair_count(self, one: str, other: str) -> int:
        """Return the number of sentences with two lemmas close together, in either order.

        0 means fewer than `fewest`. Counts are accurate to within one or 5 %.
        """
        return int(self.pair_counts_of(self.rows_of([one]), self.rows_of([other]))[0])

    def rows_of(self, lemmas: Sequence[str]) -> NDArray[np.int64]:
        """Return the rows of lemmas, -1 for those that are unknown."""
        return np.array([self._rows.get(lemma, -1) for lemma in lemmas], np.int64)

    def pair_counts_of(self, one: NDArray[np.int64], other: NDArray[np.int64]) -> NDArray[np.int32]:
        """Return `pair_count` for many pairs, given the rows of their lemmas."""
        if not len(self.pairs):
            return np.zeros(len(one), np.int32)
        key = np.minimum(one, other) * len(self.lemmas) + np.maximum(one, other)
        place = np.minimum(np.searchsorted(self.pairs, key), len(self.pairs) - 1)
        known = (self.pairs[place] == key) & (one >= 0) & (other >= 0)
        return np.where(known, self.pair_counts[place], 0).astype(np.int32)

    def rarity(self, lemma: str) -> float:
        r"""Return the rarity of a lemma, :math:`\log(N / n)`; for unknown lemmas :math:`n = 1`.

        Examples
        --------
        >>> frequencies = Frequencies.shipped()
        >>> frequencies.rarity("et") < frequencies.rarity("uox") < frequencies.rarity("nescioquid")
        True
        """
        return math.log(self.sentences / max(self.count(lemma), 1))

    @cached_property
    def _rows(self) -> dict[str, int]:
        return dict(zip(self.lemmas, range(len(self.lemmas)), strict=True))

    def save(self, path: Path) -> None:
        """Write the counts to a file."""
        steps = np.log2(np.maximum(self.pair_counts, 1)) * _STEPS_PER_DOUBLING
        arrays: dict[str, NDArray[np.generic]] = {
            "facts": np.array([self.sentences, self.window, self.fewest], np.int64),
            "lemmas": pack_strings(self.lemmas),
            "counts": self.counts,
            "gaps": _as_bytes(np.diff(self.pairs, prepend=0)),
            "pair_steps": np.round(steps).astype(np.uint8),
        }
        save_arrays(path, arrays)

    @classmethod
    def load(cls, path: str | Path) -> Frequencies:
        """Read counts from a file, or raise a MalformedInputError."""
        try:
            arrays = load_arrays(Path(path))
            sentences, window, fewest = arrays["facts"].tolist()
            steps = arrays["pair_steps"].astype(np.uint8)
            loaded = cls(
                sentences=sentences,
                lemmas=tuple(unpack_strings(arrays["lemmas"])),
                counts=arrays["counts"].astype(np.int32),
                pairs=np.cumsum(_from_bytes(arrays["gaps"].astype(np.uint8))),
                pair_counts=np.round(np.exp2(steps / _STEPS_PER_DOUBLING)).astype(np.int32),
                window=window,
                fewest=fewest,
            )
            loaded.check()
        except (KeyError, TypeError, ValueError) as error:
            raise MalformedInputError("latin.no_frequencies", file=str(path)) from error
        return loaded

    def check(self) -> None:
        """Raise a ValueError if the columns do not fit together."""
        pairs, size = self.pairs, len(self.lemmas)
        fits = self.counts.shape == (size,) and pairs.shape == self.pair_counts.shape
        ascending = bool((pairs[1:] > pairs[:-1]).all())
        within = not len(pairs) or 0 <= pairs[0] <= pairs[-1] < size**2
        if not (self.sentences > 0 and fits and ascending and within):
            raise ValueError("the columns contradict each other")


def _as_bytes(numbers: NDArray[np.int64]) -> NDArray[np.uint8]:
    """Encode numbers in seven bits per byte; the eighth is set if more bytes follow."""
    lengths = np.ones(len(numbers), np.int64)
    rest = numbers >> 7
    while rest.any():
        lengths += rest > 0
        rest >>= 7
    begin = np.cumsum(lengths) - lengths
    written = np.zeros(int(lengths.sum()), np.uint8)
    for place in range(int(lengths.max(initial=0))):
        rows = lengths > place
        more = (lengths[rows] > place + 1).astype(np.uint8) << 7
        written[begin[rows] + place] = ((numbers[rows] >> (7 * place)) & 0x7F) | more
    return written


def _from_bytes(written: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Decode what `_as_bytes` encoded."""
    if not len(written):
        return np.empty(0, np.int64)
    if written.ndim != 1 or written[-1] & 0x80:
        raise ValueError("the last number is incomplete")
    end = np.flatnonzero((written & 0x80) == 0)
    lengths = np.diff(end, prepend=-1)
    if lengths.max() > _MOST_PLACES + 1:
        raise ValueError("a number is too large")
    begin = end - lengths + 1
    numbers = (written[begin] & 0x7F).astype(np.int64)
    # Nearly all have one byte; the others need more rounds.
    rows = np.flatnonzero(lengths > 1)
    place = 1
    while len(rows):
        numbers[rows] |= (written[begin[rows] + place] & 0x7F).astype(np.int64) << (7 * place)
        place += 1
        rows = rows[lengths[rows] > place]
    return numbers
