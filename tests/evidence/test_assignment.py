"""Maximum-weight assignment."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.optimize import linear_sum_assignment

from locisimiles.evidence.assignment import assign_cells


def matrices(largest):
    """Return matrices of few distinct weights, so that there are ties and empty cells."""
    shapes = hnp.array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=largest)
    return hnp.arrays(float, shapes, elements=st.sampled_from([0.0, 0.0, 0.2, 0.35, 0.9, 1.0]))


def assigned(matrix):
    """Return the chosen places; each row and each column has at most one."""
    rows, columns = (places.tolist() for places in np.nonzero(matrix))
    chosen = assign_cells(rows, columns, matrix[rows, columns].tolist())
    places = [(rows[cell], columns[cell]) for cell in chosen]
    assert [row for row, _ in places] == sorted({row for row, _ in places})
    assert len({column for _, column in places}) == len(places)
    return places


def total(matrix, places):
    return sum(matrix[place] for place in places)


@settings(deadline=None, max_examples=300)
@given(matrices(5))
def test_no_other_choice_weighs_more(matrix):
    tall = matrix if len(matrix) <= len(matrix[0]) else matrix.T
    height, width = tall.shape
    best = max(total(tall, enumerate(order)) for order in permutations(range(width), height))
    assert total(matrix, assigned(matrix)) == pytest.approx(best)


@settings(deadline=None, max_examples=300)
@given(matrices(9))
def test_totals_agree_with_scipy(matrix):
    best = matrix[linear_sum_assignment(matrix, maximize=True)].sum()
    assert total(matrix, assigned(matrix)) == pytest.approx(best)


@pytest.mark.parametrize("shape", [(40, 40), (25, 60), (60, 25)])
def test_random_weights_at_size(shape):
    matrix = np.random.default_rng(7).random(shape)
    best = matrix[linear_sum_assignment(matrix, maximize=True)].sum()
    assert total(matrix, assigned(matrix)) == pytest.approx(best)


@pytest.mark.parametrize(
    ("weights", "places"),
    [
        ("1 1 1 / 1 1 1 / 1 1 1", [(0, 0), (1, 1), (2, 2)]),
        ("1 1 / 1 1 / 1 1", [(0, 0), (1, 1)]),
    ],
)
def test_ties_are_broken_along_the_diagonal(weights, places):
    matrix = np.array([row.split() for row in weights.split("/")], float)
    assert assigned(matrix) == places


def test_no_cells():
    assert assign_cells([], [], []) == []
