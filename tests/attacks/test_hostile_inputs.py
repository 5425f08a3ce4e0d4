"""Hundreds of hostile inputs: each a right result or a clear error, fast and small.

``python benchmarks/trust.py`` reads and counts all of them; here, a share is read.
"""

import sys

import pytest

from hostile import hostile_inputs
from trust import is_good, read_all

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="memory is told by Linux")


# Open: tables of three million rows are within the limit of cells, but take more than ten seconds.
# A limit that refuses them would refuse the results of a large search, too.
TOO_MANY_ROWS = {"many rows in Parquet", "empty rows"}


def test_there_are_at_least_six_hundred():
    inputs = [hostile.name for hostile in hostile_inputs()]
    assert len(set(inputs)) == len(inputs) >= 600


def read_badly(every):
    took = list(read_all(every))
    return len(took), [(hostile.name, reader, one) for hostile, reader, one in took
                       if not is_good(one)]  # fmt: skip


def test_a_share_of_them_is_read_well():
    readings, bad = read_badly(41)
    assert readings > 20
    assert bad == []


@pytest.mark.slow
def test_all_of_them_are_read_well():
    readings, bad = read_badly(1)
    assert readings > 1000
    assert {name for name, _, _ in bad} <= TOO_MANY_ROWS, bad
