"""How common words are, and how common it is to find two of them together.

Counted in some 48 million words of Latin from all ages, sentence by sentence. Pairs that are found
in few sentences are not kept: they count as rare.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.arrays import load_arrays, pack_strings, save_arrays, unpack_strings
from locisimiles.errors import MalformedInputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["Frequencies"]

_COUNTS = "frequencies.npz"
_MOST_PLACES = 8
_STEPS_PER_DOUBLING = 8
"""Counts of pairs are kept to within one or 5 %, in one byte."""


@dataclass(frozen=True)
class Frequencies:
    """Sentence counts of lemmas and of pairs of lemmas.

    Attributes
    ----------
    sentences
        How many sentences were counted.
    lemmas, counts
        The lemmas, and in how many sentences each occurs.
    pairs, pair_counts
        Pairs as ``first * len(lemmas) + second`` with ``first < second``, in ascending order, and
        in how many sentences the two stand close to each other; both function words and rare pairs
        are left out.
    window
        How close: at most so many words apart, function words not counted.
    fewest
        Pairs that occur in fewer sentences are not there.

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
    def shipped(cls) -> Frequencies:
        """Return the counts that come with the package; they are loaded once."""
        return _shipped()

    def count(self, lemma: str) -> int:
        """Return in how many sentences a lemma occurs; 0 if it is unknown."""
        row = self._rows.get(lemma)
        return 0 if row is None else int(self.counts[row])

    def pair_count(self, one: str, other: str) -> int:
        """Return in how many sentences two lemmas stand close together, in either order.

        0 means fewer than `fewest`. Counts are right to within one or 5 %.
        """
        return int(self.pair_counts_of(self.rows_of([one]), self.rows_of([other]))[0])

    def rows_of(self, lemmas: Sequence[str]) -> NDArray[np.int64]:
        """Return the rows of lemmas, -1 for those that are unknown."""
        return np.array([self._rows.get(lemma, -1) for lemma in lemmas], np.int64)

    def pair_counts_of(self, one: NDArray[np.int64], other: NDArray[np.int64]) -> NDArray[np.int32]:
        """Return the same as `pair_count` for many pairs, given the rows of their lemmas.

        Examples
        --------
        >>> frequencies = Frequencies.shipped()
        >>> res, publicus = frequencies.rows_of(["res", "publicus"])
        >>> counts = frequencies.pair_counts_of(np.array([res, res]), np.array([publicus, -1]))
        >>> counts[0] == frequencies.pair_count("res", "publicus"), int(counts[1])
        (np.True_, 0)
        """
        if not len(self.pairs):
            return np.zeros(len(one), np.int32)
        key = np.minimum(one, other) * len(self.lemmas) + np.maximum(one, other)
        place = np.minimum(np.searchsorted(self.pairs, key), len(self.pairs) - 1)
        found = (self.pairs[place] == key) & (one >= 0) & (other >= 0)
        return np.where(found, self.pair_counts[place], 0).astype(np.int32)

    def rarity(self, lemma: str) -> float:
        r"""Return how rare a lemma is: :math:`\log(N / n)`, where an unknown one counts as one.

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
        save_arrays(
            path,
            {
                "facts": np.array([self.sentences, self.window, self.fewest], np.int64),
                "lemmas": pack_strings(self.lemmas),
                "counts": self.counts,
                "gaps": _as_bytes(np.diff(self.pairs, prepend=0)),
                "pair_steps": _to_steps(self.pair_counts),
            },
        )

    @classmethod
    def load(cls, path: str | Path) -> Frequencies:
        """Read counts from a file.

        Raises
        ------
        MalformedInputError
            If it is no such file.
        """
        try:
            arrays = load_arrays(Path(path))
            sentences, window, fewest = arrays["facts"].tolist()
            loaded = cls(
                sentences=sentences,
                lemmas=tuple(unpack_strings(arrays["lemmas"])),
                counts=arrays["counts"].astype(np.int32),
                pairs=np.cumsum(_from_bytes(arrays["gaps"].astype(np.uint8))),
                pair_counts=_from_steps(arrays["pair_steps"].astype(np.uint8)),
                window=window,
                fewest=fewest,
            )
        except (KeyError, TypeError, ValueError) as error:
            raise MalformedInputError("this is no file of frequencies", file=str(path)) from error
        if not loaded.is_sound():
            raise MalformedInputError(
                "this is no file of frequencies: its columns contradict each other", file=str(path)
            )
        return loaded

    def is_sound(self) -> bool:
        """Tell whether the columns fit together."""
        return (
            self.sentences > 0
            and self.counts.shape == (len(self.lemmas),)
            and self.pairs.shape == self.pair_counts.shape
            and bool((self.pairs[1:] > self.pairs[:-1]).all())
            and (
                not len(self.pairs) or 0 <= self.pairs[0] <= self.pairs[-1] < len(self.lemmas) ** 2
            )
        )


@lru_cache(maxsize=1)
def _shipped() -> Frequencies:
    with resources.as_file(resources.files("locisimiles.latin") / "data" / _COUNTS) as path:
        return Frequencies.load(path)


def _as_bytes(numbers: NDArray[np.int64]) -> NDArray[np.uint8]:
    """Write numbers in as few bytes as each needs: seven bits a byte, the eighth says 'goes on'."""
    lengths = np.ones(len(numbers), np.int64)
    rest = numbers >> 7
    while rest.any():
        lengths += rest > 0
        rest >>= 7
    begin = np.cumsum(lengths) - lengths
    written = np.zeros(int(lengths.sum()), np.uint8)
    for place in range(int(lengths.max(initial=0))):
        rows = lengths > place
        goes_on = (lengths[rows] > place + 1).astype(np.uint8) << 7
        written[begin[rows] + place] = ((numbers[rows] >> (7 * place)) & 0x7F) | goes_on
    return written


def _from_bytes(written: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Read what `_as_bytes` wrote."""
    if not len(written):
        return np.empty(0, np.int64)
    if written.ndim != 1 or written[-1] & 0x80:
        raise ValueError("the last number is not complete")
    end = np.flatnonzero((written & 0x80) == 0)
    lengths = np.diff(end, prepend=-1)
    if lengths.max() > _MOST_PLACES + 1:
        raise ValueError("a number is too large")
    begin = end - lengths + 1
    numbers = (written[begin] & 0x7F).astype(np.int64)
    # Nearly all have one byte: only those that have more are looked at again.
    rows = np.flatnonzero(lengths > 1)
    place = 1
    while len(rows):
        numbers[rows] |= (written[begin[rows] + place] & 0x7F).astype(np.int64) << (7 * place)
        place += 1
        rows = rows[lengths[rows] > place]
    return numbers


def _to_steps(counts: NDArray[np.int32]) -> NDArray[np.uint8]:
    return np.round(np.log2(np.maximum(counts, 1)) * _STEPS_PER_DOUBLING).astype(np.uint8)


def _from_steps(steps: NDArray[np.uint8]) -> NDArray[np.int32]:
    return np.round(np.exp2(steps / _STEPS_PER_DOUBLING)).astype(np.int32)
