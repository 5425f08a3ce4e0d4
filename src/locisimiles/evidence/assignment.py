"""Maximum-weight assignment: pair rows with columns, each at most once.

Most words have one possible partner, so each component of the bipartite graph is solved separately.
SciPy's solver breaks ties differently, which would change alignments. No perturbation of weights
reproduces ours: of two equal matchings, it prefers either, depending on the rest of the component.
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
    """Return the cells of greatest total weight, at most one per row and column, ordered by row.

    Weights are positive, and no two cells have the same place.

    Examples
    --------
    The heaviest cell would leave nothing for the second row:

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
    used_rows, row = np.unique([rows[cell] for cell in cells], return_inverse=True)
    used_columns, column = np.unique([columns[cell] for cell in cells], return_inverse=True)
    matrix = np.zeros((len(used_rows), len(used_columns)))
    matrix[row, column] = [weights[cell] for cell in cells]
    cell_at = np.full(matrix.shape, -1)
    cell_at[row, column] = cells
    if len(used_rows) > len(used_columns):
        matrix, cell_at = matrix.T, cell_at.T
    chosen = cell_at[np.arange(len(matrix)), _shortest_paths(-matrix)]
    return [cell for cell in chosen.tolist() if cell >= 0]


def _shortest_paths(costs: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the column of each row with the least total cost; at most as many rows as columns.

    The algorithm of Jonker and Volgenant: each row in turn takes the shortest augmenting path to a
    free column. The dual variables of rows and columns keep reduced costs non-negative, so the
    result is exact.
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
    """Return groups of cells that share no row or column; most hold a single cell."""
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
