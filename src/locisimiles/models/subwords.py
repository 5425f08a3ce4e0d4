"""The subwords of fastText: character n-grams in hash buckets.

A word is written ``<word>``; its n-grams are all runs of ``shortest`` to ``longest`` characters,
except the two brackets alone. The bucket of an n-gram is its FNV-1a hash modulo the number of
buckets, computed as in fastText (over UTF-8 bytes, taken as signed).
"""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["subword_means", "subwords", "subwords_of_all"]

_FNV_START = 2166136261
_FNV_PRIME = 16777619
_WORDS_AT_A_TIME = 4096


def subwords(word: str, shortest: int, longest: int) -> list[str]:
    """Return the n-grams of a word.

    Examples
    --------
    >>> subwords("uox", 3, 4)
    ['<uo', '<uox', 'uox', 'uox>', 'ox>']
    >>> subwords("a", 1, 2)
    ['<a', 'a', 'a>']
    """
    marked = f"<{word}>"
    size = len(marked)
    return [
        marked[begin:end]
        for begin in range(size)
        for end in range(begin + max(shortest, 1), min(begin + longest, size) + 1)
        if end - begin > 1 or 0 < begin < size - 1
    ]


def subwords_of_all(
    words: Sequence[str], shortest: int, longest: int, buckets: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the buckets of the n-grams of words, and the bounds of each word among them."""
    pieces = [
        [piece.encode("utf-8", "surrogatepass") for piece in subwords(word, shortest, longest)]
        for word in words
    ]
    bounds = np.array([0, *accumulate(map(len, pieces))], np.int64)
    return _hashes([piece for word_pieces in pieces for piece in word_pieces]) % buckets, bounds


def subword_means(
    words: Sequence[str],
    matrix: NDArray[np.float32],
    shortest: int,
    longest: int,
    own: NDArray[np.float32] | None = None,
) -> NDArray[np.float32]:
    r"""Return the mean vector of the n-grams of each word.

    .. math:: v(w) = \frac{1}{|G_w| + 1} \Bigl( u_w + \sum_{g \in G_w} z_g \Bigr)

    with the word's own vector :math:`u_w`; without one, :math:`\frac{1}{|G_w|} \sum_g z_g`, or
    zeros if it has no n-gram. `matrix` has a row per bucket.
    """
    means = np.zeros((len(words), matrix.shape[1]), np.float32)
    for begin in range(0, len(words), _WORDS_AT_A_TIME):
        block = words[begin : begin + _WORDS_AT_A_TIME]
        bucket, bounds = subwords_of_all(block, shortest, longest, len(matrix))
        counts = np.diff(bounds)
        sums = np.zeros((len(block), matrix.shape[1]), np.float32)
        if len(bucket):
            filled = np.flatnonzero(counts)
            sums[filled] = np.add.reduceat(matrix[bucket], bounds[:-1][filled], axis=0)
        if own is not None:
            sums += own[begin : begin + _WORDS_AT_A_TIME]
            counts = counts + 1
        means[begin : begin + len(block)] = sums / np.maximum(counts, 1)[:, None]
    return means


def _hashes(pieces: Sequence[bytes]) -> NDArray[np.int64]:
    """Hash byte strings: all first bytes at once, then all second bytes, and so on."""
    lengths = np.fromiter(map(len, pieces), np.int64, len(pieces))
    starts = np.cumsum(lengths) - lengths
    signed = np.frombuffer(b"".join(pieces), np.int8).astype(np.int32).view(np.uint32)
    hashes = np.full(len(pieces), _FNV_START, np.uint32)
    for place in range(int(lengths.max(initial=0))):
        rows = np.flatnonzero(lengths > place)
        hashes[rows] = (hashes[rows] ^ signed[starts[rows] + place]) * np.uint32(_FNV_PRIME)
    return hashes.astype(np.int64)
