"""How much two texts have in common: their shared content lemmas, weighted by rarity."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from locisimiles.latin.text_words import TextWords

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray
    from scipy.sparse import csr_array

__all__ = ["LemmaTable"]

_ROWS_AT_ONCE = 256  # products with all texts are nearly dense


class LemmaTable:
    """The content lemmas of texts, and how rare each is among them.

    The weight of a lemma is the logarithm of the number of texts over the number of texts that
    have it.

    Parameters
    ----------
    texts
        The texts; rarity is counted among the first `counted` of them.
    counted
        How many texts count; by default all.

    Examples
    --------
    >>> table = LemmaTable(["arma uirumque cano", "arma cano", "uox haesit", "uocem"])
    >>> [round(weight, 2) for weight in table.shared([0, 0, 2], [1, 2, 3])]
    [1.39, 0.0, 0.69]
    """

    def __init__(self, texts: Sequence[str], counted: int | None = None) -> None:
        words = TextWords.read(texts)
        counted = len(texts) if counted is None else counted
        own = [
            np.unique(words.lemma[begin:end][words.content[begin:end]])
            for begin, end in zip(words.bounds[:-1], words.bounds[1:], strict=True)
        ]
        self.bounds = np.cumsum([0, *map(len, own)])
        self.lemma = np.concatenate([np.empty(0, np.int64), *own])
        seen = np.bincount(self.lemma[: self.bounds[counted]], minlength=self._lemmas)
        self.weight = np.log(max(counted, 1) / np.maximum(seen, 1))

    @property
    def _lemmas(self) -> int:
        return int(self.lemma.max(initial=-1)) + 1

    def total(self) -> NDArray[np.float64]:
        """Return the weight of all lemmas of each text."""
        return np.asarray(self._matrix().sum(axis=1), np.float64)

    def shared(self, one: Sequence[int], other: Sequence[int]) -> list[float]:
        """Return the weight of the lemmas that texts share, pair by pair."""
        rows = self._rows()
        return [
            float(self.weight[np.intersect1d(rows[a], rows[b], assume_unique=True)].sum())
            for a, b in zip(one, other, strict=True)
        ]

    def sharing(
        self, rows: Sequence[int], among: int, *, least: float
    ) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]]:
        """Yield what some texts have in common with the first texts, where it is enough.

        Places among `rows`, the other text, and the weight of their shared lemmas.

        Examples
        --------
        >>> table = LemmaTable(["arma uirumque cano", "arma cano", "uox haesit", "uocem"])
        >>> [(a.tolist(), b.tolist()) for a, b, _ in table.sharing([3], 3, least=0.5)]
        [([0], [2])]
        """
        matrix = self._matrix()
        present = matrix[:among].astype(bool).astype(np.float64).T.tocsr()
        chosen = np.asarray(rows, np.int64)
        for begin in range(0, len(chosen), _ROWS_AT_ONCE):
            shared = (matrix[chosen[begin : begin + _ROWS_AT_ONCE]] @ present).tocoo()
            heavy = shared.data >= least
            yield (
                shared.coords[0][heavy].astype(np.int64) + begin,
                shared.coords[1][heavy].astype(np.int64),
                shared.data[heavy],
            )

    def alike(
        self, *, share: float, weight: float
    ) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
        """Yield the pairs of texts with nearly the same words, the earlier text first.

        The lemmas they share weigh at least `weight`, and at least `share` of those of the heavier
        text.

        Examples
        --------
        >>> table = LemmaTable(["arma uirumque cano", "arma uiri canam", "uox haesit"])
        >>> [pairs[0].tolist() + pairs[1].tolist() for pairs in table.alike(share=0.9, weight=1)]
        [[0, 1]]
        """
        matrix, total = self._matrix(), self.total()
        present = matrix.astype(bool).astype(np.float64).T.tocsr()
        for begin in range(0, matrix.shape[0], _ROWS_AT_ONCE):
            shared = (matrix[begin : begin + _ROWS_AT_ONCE] @ present).tocoo()
            heavy = shared.data >= weight
            one, other = shared.coords[0][heavy] + begin, shared.coords[1][heavy]
            enough = shared.data[heavy] >= share * np.maximum(total[one], total[other])
            enough &= one < other
            yield one[enough].astype(np.int64), other[enough].astype(np.int64)

    def _rows(self) -> list[NDArray[np.int64]]:
        return np.split(self.lemma, self.bounds[1:-1]) if len(self.bounds) > 1 else []

    def _matrix(self) -> csr_array:
        from scipy.sparse import csr_array

        shape = (len(self.bounds) - 1, self._lemmas)
        return csr_array((self.weight[self.lemma], self.lemma, self.bounds), shape=shape)
