"""What is said in two ways: to the tables of a project, and to a file of pairs."""

from dataclasses import fields

import numpy as np
import pytest

from locisimiles.app.results import ORDERS, STATUSES, ResultFilter
from locisimiles.app.storage.tables.orders import parts_of
from locisimiles.app.storage.wording import PAIRS, TABLES, Wording


@pytest.mark.parametrize("name", [field.name for field in fields(Wording)])
def test_both_wordings_differ(name):
    assert getattr(TABLES, name) != getattr(PAIRS, name)


@pytest.mark.parametrize("status", STATUSES)
def test_a_status_of_pairs_compares_rows_and_no_ids(status):
    (here, given), (there, same) = (
        ResultFilter(status=status).where(7, reader="Ann", words=words) for words in (TABLES, PAIRS)
    )
    assert given == same
    assert "query_id" in here
    assert "query_id" not in there


@pytest.mark.parametrize("order", ORDERS)
def test_every_order_of_many_pairs_has_places(order):
    for backwards in (False, True):
        for part in parts_of(order, backwards=backwards, words=PAIRS):
            by_verdict = "mine.verdict" in part.sorting  # few are judged
            assert bool(part.place) != by_verdict
            assert part.turns is backwards


def test_positions_are_numbers_or_digits():
    found = np.array([0, 2, 3])
    assert TABLES.listed(found, 6) == "[0, 2, 3]"
    assert PAIRS.listed(found, 6) == "101100"
    # Without texts there is nothing to find, but DuckDB wants a digit.
    assert (TABLES.listed(found[:0], 0), PAIRS.listed(found[:0], 0)) == ("[]", "0")
