"""Sums and maxima of all windows of rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["sliding", "window_sums"]


def window_sums(values: NDArray[np.float32], width: int) -> NDArray[np.float32]:
    """Return the sums of all windows of rows; with fewer rows, of the one window there is."""
    return sliding(np.add, values, min(width, len(values)))


def sliding(function: np.ufunc, values: NDArray[np.float32], width: int) -> NDArray[np.float32]:
    """Reduce each window of `width` rows by a function.

    Windows are composed of runs of 1, 2, 4, 8 … rows. Nothing is subtracted, which would leave
    rounding errors of rows outside the window; and a column gives the same bits whatever the others
    are, which NumPy's own sums do not promise.

    Examples
    --------
    >>> sliding(np.add, np.array([1, 2, 3, 4, 5]), 3).tolist()
    [6, 9, 12]
    """
    runs, length = values, 1
    found: NDArray[np.float32] | None = None
    covered = 0
    while True:
        if width & length:
            found = runs if found is None else _joined(function, found, runs[covered:])
            covered += length
        if covered == width:
            return runs if found is None else found
        runs = _joined(function, runs, runs[length:])
        length *= 2


def _joined(
    function: np.ufunc, one: NDArray[np.float32], other: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Join each run with the one that follows it."""
    both = min(len(one), len(other))
    found: NDArray[np.float32] = function(one[:both], other[:both])
    return found
