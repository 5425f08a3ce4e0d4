"""Pair rows with columns, each at most once, so that the total weight is greatest.

Most words have one possible partner, so every component of the bipartite graph is solved by itself.
SciPy's solver finds the same totals, but breaks ties in another way, which would change alignments.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["assign_cells"]


def assign_cells(
    rows: Sequence[int], columns: Sequence[int], weights: Sequence[float]
) -> list[int]:
    """Choose cells of the greatest total weight, at most one in a row and one in a column.

    Parameters
    ----------
    rows, columns, weights
        The cells, each place once; weights are positive.

    Returns
    -------
    list of int
        The chosen cells, in the order of their rows.

    Examples
    --------
    Taking the heaviest cell first would leave nothing for the second row:

    >>> assign_cells([0, 0, 1], [0, 1, 0], [1.0, 0.9, 0.9])
    [1, 2]
    """
    chosen: list[int] = []
    for cells in _components(rows, columns):
        chosen += cells if len(cells) == 1 else _assign(cells, rows, columns, weights)
    return sorted(chosen, key=rows.__getitem__)


def _assign(
    cells: list[int], rows: Sequence[int], columns: Sequence[int], weights: Sequence[float]
) -> list[int]:
    row_at = {row: at for at, row in enumerate(sorted({rows[cell] for cell in cells}))}
    column_at = {column: at for at, column in enumerate(sorted({columns[cell] for cell in cells}))}
    cell_at = {(row_at[rows[cell]], column_at[columns[cell]]): cell for cell in cells}
    matrix = np.zeros((len(row_at), len(column_at)))
    for place, cell in cell_at.items():
        matrix[place] = weights[cell]
    transposed = len(row_at) > len(column_at)
    pairs = enumerate(_shortest_paths(-matrix.T if transposed else -matrix).tolist())
    places = ((column, row) if transposed else (row, column) for row, column in pairs)
    return [cell_at[place] for place in places if place in cell_at]


def _shortest_paths(costs: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the column of each row with the least total cost; no more rows than columns.

    The algorithm of Jonker and Volgenant: each row in turn takes the shortest path to a free
    column, over columns whose rows then move on. The dual variables of rows and columns keep
    reduced costs non-negative, so the result is exact.
    """
    height, width = costs.shape
    row_dual, column_dual = np.zeros(height), np.zeros(width)
    row_at = np.full(width, -1, np.int64)
    for row in range(height):
        distance = np.full(width, np.inf)
        came_from = np.full(width, -1, np.int64)
        done = np.zeros(width, bool)
        current, at, reached = row, -1, 0.0
        while True:
            step = reached + costs[current] - row_dual[current] - column_dual
            shorter = ~done & (step < distance)
            distance[shorter] = step[shorter]
            came_from[shorter] = at
            at = int(np.where(done, np.inf, distance).argmin())
            reached = float(distance[at])
            done[at] = True
            if row_at[at] < 0:
                break
            current = int(row_at[at])
        row_dual[row] += reached
        passed = np.flatnonzero(done & (row_at >= 0))
        row_dual[row_at[passed]] += reached - distance[passed]
        column_dual[passed] -= reached - distance[passed]
        while at >= 0:
            before = int(came_from[at])
            row_at[at] = row if before < 0 else row_at[before]
            at = before
    taken = np.flatnonzero(row_at >= 0)
    return taken[np.argsort(row_at[taken])]


def _components(rows: Sequence[int], columns: Sequence[int]) -> list[list[int]]:
    """Return groups of cells that have no row or column in common; most hold a single cell."""
    in_row: dict[int, list[int]] = {}
    in_column: dict[int, list[int]] = {}
    for cell, (row, column) in enumerate(zip(rows, columns, strict=True)):
        in_row.setdefault(row, []).append(cell)
        in_column.setdefault(column, []).append(cell)
    if len(in_row) == len(in_column) == len(rows):
        return [[cell] for cell in range(len(rows))]
    groups: list[list[int]] = []
    while in_row:
        _, waiting = in_row.popitem()
        group: list[int] = []
        while waiting:
            cell = waiting.pop()
            group.append(cell)
            waiting += in_row.pop(rows[cell], ())
            waiting += in_column.pop(columns[cell], ())
        groups.append(sorted(set(group)))
    return groups
