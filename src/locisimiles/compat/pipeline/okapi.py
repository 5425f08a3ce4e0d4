"""BM25 with the weights of the library that the paper's package uses, ``rank_bm25``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from locisimiles.retrieve import BM25

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Okapi"]

_FLOOR = 0.25
_LEAST = 1e-6


class Okapi(BM25):
    r"""BM25 whose terms weigh :math:`\log\frac{N - n_t + 0.5}{n_t + 0.5}`, as Robertson has it.

    Common words count for less than with Lucene's weights, which `BM25` has. A term in half of the
    texts or more has a quarter of the average weight.

    Examples
    --------
    >>> Okapi().rarity(np.array([1, 2, 8]), 10).round(2).tolist()
    [4.61, 3.06, 0.38]
    """

    __slots__ = ()

    def rarity(self, containing: NDArray[np.int64], texts: int) -> NDArray[np.float64]:
        """Return what terms weigh, by the number of the texts that contain them."""
        weights = np.log((texts - containing + 0.5) / (containing + 0.5))
        # In very few texts, all may be below zero; what is shared still counts.
        floor = max(_FLOOR * weights.mean(), _LEAST) if len(weights) else _LEAST
        raised: NDArray[np.float64] = np.where(weights <= 0, floor, weights) * (self.k1 + 1)
        return raised
