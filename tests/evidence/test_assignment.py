"""The best way to pair rows with columns."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.optimize import linear_sum_assignment

from locisimiles.evidence.assignment import assign_cells, assign_matrix

SHAPES = hnp.array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=9)
# Few distinct weights, so that there are ties and empty cells.
MATRICES = hnp.arrays(float, SHAPES, elements=st.sampled_from([0.0, 0.0, 0.2, 0.35, 0.9, 1.0]))


def best_total(matrix):
    return matrix[linear_sum_assignment(matrix, maximize=True)].sum()


@settings(deadline=None, max_examples=300)
@given(MATRICES)
def test_a_matrix_is_assigned_as_well_as_scipy_does_it(matrix):
    columns = assign_matrix(matrix)
    taken = columns[columns >= 0]
    assert len(columns) == len(matrix)
    assert len(set(taken.tolist())) == len(taken) == min(matrix.shape)
    total = matrix[np.flatnonzero(columns >= 0), taken].sum()
    assert np.isclose(total, best_total(matrix))


@settings(deadline=None, max_examples=300)
@given(MATRICES)
def test_cells_are_chosen_as_well_as_scipy_does_it(matrix):
    rows, columns = (places.tolist() for places in np.nonzero(matrix))
    weights = matrix[rows, columns].tolist()
    chosen = assign_cells(rows, columns, weights)
    assert [rows[cell] for cell in chosen] == sorted({rows[cell] for cell in chosen})
    assert len({columns[cell] for cell in chosen}) == len(chosen)
    assert np.isclose(sum(weights[cell] for cell in chosen), best_total(matrix))


def test_random_weights_at_size():
    rng = np.random.default_rng(7)
    for shape in ((40, 40), (25, 60), (60, 25)):
        matrix = rng.random(shape)
        columns = assign_matrix(matrix)
        used = np.flatnonzero(columns >= 0)
        assert np.isclose(matrix[used, columns[used]].sum(), best_total(matrix))


def test_nothing_is_chosen_from_nothing():
    assert assign_cells([], [], []) == []
