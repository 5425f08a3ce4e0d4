"""Windows of rows."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from locisimiles.late.windows import sliding, window_sums


@given(
    values=st.lists(st.integers(-99, 99), min_size=1, max_size=40),
    width=st.integers(1, 40),
)
def test_sliding_gives_every_run(values, width):
    width = min(width, len(values))
    column = np.array(values)
    runs = [values[begin : begin + width] for begin in range(len(values) - width + 1)]
    assert sliding(np.add, column, width).tolist() == [sum(run) for run in runs]
    assert sliding(np.maximum, column, width).tolist() == [max(run) for run in runs]


def test_a_window_wider_than_all_rows_has_them_all():
    rows = np.arange(6, dtype=np.float32).reshape(3, 2)
    assert window_sums(rows, 9).tolist() == [[6, 9]]
    assert window_sums(rows, 2).tolist() == [[2, 4], [6, 8]]
