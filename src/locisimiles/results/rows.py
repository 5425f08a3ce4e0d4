"""Rows of results, as users of lists, NumPy and data frames name them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from locisimiles.checks import check_equal_lengths, checked_row
from locisimiles.errors import ParameterError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

__all__ = ["chosen_rows"]


def chosen_rows(rows: ArrayLike, size: int) -> NDArray[np.int64]:
    """Return rows, or those where a mask is true, as ascending numbers.

    Examples
    --------
    >>> chosen_rows([0, -1], 4).tolist(), chosen_rows([True, False, True], 3).tolist()
    ([0, 3], [0, 2])
    """
    wanted = np.asarray(rows)
    if wanted.dtype == object and all(isinstance(one, bool | np.bool_) for one in wanted.flat):
        wanted = wanted.astype(bool)  # a mask of pandas that could have missing values
    if wanted.ndim != 1 or (len(wanted) and wanted.dtype.kind not in "biu"):
        raise ParameterError("results.rows", value=type(rows).__name__)
    if wanted.dtype == bool:
        check_equal_lengths(candidates=range(size), mask=wanted)
        return np.flatnonzero(wanted)
    for extreme in (wanted.min(), wanted.max()) if len(wanted) else ():
        checked_row(extreme, size, "pairs")
    chosen = np.arange(size)[wanted.astype(np.int64)]
    if (np.diff(chosen) <= 0).any():
        raise ParameterError("results.order")
    return chosen
