"""Pairs of segments."""

import numpy as np
import pytest

from locisimiles import Document, ParameterError, Segment
from locisimiles.classify import Pairs


def document(*texts):
    return Document.from_segments(Segment(f"s{n}", text) for n, text in enumerate(texts))


QUERY, SOURCE = document("uox", "arma", "cano"), document(*"abcdef")


@pytest.mark.parametrize(
    ("query", "source", "problem"),
    [
        ([3], [0], "beyond the 3 query segments"),
        ([-1], [0], "beyond the 3 query segments"),
        ([0, 1], [0, 6], "beyond the 6 source segments"),
        ([0], [-2], "beyond the 6 source segments"),
        ([0, 1], [0], "query and source must have equal length"),
    ],
)
def test_pairs_beyond_the_documents_are_errors(query, source, problem):
    with pytest.raises(ParameterError, match=problem):
        Pairs(QUERY, SOURCE, query, source)


def test_every_pair_comes_query_by_query():
    pairs = Pairs.every(QUERY, SOURCE[:2])
    assert pairs.query_rows.tolist() == [0, 0, 1, 1, 2, 2]
    assert pairs.source_rows.tolist() == [0, 1, 0, 1, 0, 1]
    assert len(Pairs.every(QUERY, SOURCE[:0])) == 0


def test_some_pairs_can_be_selected():
    pairs = Pairs.every(QUERY, SOURCE)
    some = pairs.select(np.array([7, 0]))
    assert some.ids == [("s1", "s1"), ("s0", "s0")]
    assert some.source is pairs.source  # what was derived from it is not derived again
    assert len(pairs.select(pairs.query_rows == 2)) == 6
