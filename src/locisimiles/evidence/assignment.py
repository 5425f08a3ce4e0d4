"""The best way to pair rows with columns, each at most once.

Weights are few and mostly far apart, so what hangs together is solved by itself: a single cell at
once, a bundle of them by shortest augmenting paths (Jonker and Volgenant), which is exact.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["assign_cells", "assign_matrix"]


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
        Which cells, in the order of their rows.

    Examples
    --------
    Taking the heaviest cell first would leave nothing for the second row:

    >>> assign_cells([0, 0, 1], [0, 1, 0], [1.0, 0.9, 0.9])
    [1, 2]
    """
    chosen: list[int] = []
    for cells in _components(rows, columns):
        if len(cells) == 1:
            chosen += cells
            continue
        own_rows = sorted({rows[cell] for cell in cells})
        own_columns = sorted({columns[cell] for cell in cells})
        row_of = {row: place for place, row in enumerate(own_rows)}
        column_of = {column: place for place, column in enumerate(own_columns)}
        matrix = np.zeros((len(own_rows), len(own_columns)))
        cell_at = {}
        for cell in cells:
            place = row_of[rows[cell]], column_of[columns[cell]]
            matrix[place] = weights[cell]
            cell_at[place] = cell
        pairs = enumerate(assign_matrix(matrix).tolist())
        chosen += [cell_at[pair] for pair in pairs if pair in cell_at]
    return sorted(chosen, key=rows.__getitem__)


def assign_matrix(weights: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the column of each row so that the sum of weights is greatest.

    Parameters
    ----------
    weights
        Not negative.

    Returns
    -------
    array
        A column for each row; -1 for rows that get none because there are too few columns.

    Examples
    --------
    >>> assign_matrix(np.array([[1.0, 0.9], [0.9, 0.0], [0.0, 0.1]])).tolist()
    [1, 0, -1]
    """
    height, width = weights.shape
    if height > width:
        row_of_column = _shortest_paths(-weights.T)
        found = np.full(height, -1, np.int64)
        found[row_of_column] = np.arange(width)
        return found
    return _shortest_paths(-weights)


def _shortest_paths(costs: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the column of each row with the least sum of costs; no more rows than columns.

    Rows come in one after the other. Each takes the cheapest way to a free column, over columns
    whose rows then move on; prices of rows and columns keep all ways honest.
    """
    height, width = costs.shape
    price_of_row, price_of_column = np.zeros(height), np.zeros(width)
    row_at = np.full(width, -1, np.int64)
    for row in range(height):
        distance = np.full(width, np.inf)
        came_from = np.full(width, -1, np.int64)
        done = np.zeros(width, bool)
        current, at, reached = row, -1, 0.0
        while True:
            step = reached + costs[current] - price_of_row[current] - price_of_column
            shorter = ~done & (step < distance)
            distance[shorter] = step[shorter]
            came_from[shorter] = at
            at = int(np.where(done, np.inf, distance).argmin())
            reached = float(distance[at])
            done[at] = True
            if row_at[at] < 0:
                break
            current = int(row_at[at])
        price_of_row[row] += reached
        passed = np.flatnonzero(done & (row_at >= 0))
        price_of_row[row_at[passed]] += reached - distance[passed]
        price_of_column[passed] -= reached - distance[passed]
        while at >= 0:
            before = int(came_from[at])
            row_at[at] = row if before < 0 else row_at[before]
            at = before
    found = np.empty(height, np.int64)
    taken = np.flatnonzero(row_at >= 0)
    found[row_at[taken]] = taken
    return found


def _components(rows: Sequence[int], columns: Sequence[int]) -> list[list[int]]:
    """Return groups of cells that share no row and no column with each other."""
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
