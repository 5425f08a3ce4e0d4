"""Density along a text."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from locisimiles import Candidates, Document, ParameterError, Results, Segment
from locisimiles.networks import measure_density


def results(segments, queries):
    document = Document.from_segments(Segment(f"q{n}", "arma") for n in range(segments))
    numbers = np.array(sorted(queries), np.int32)
    scores = np.ones(len(numbers), np.float32)
    return Results(document, document, Candidates(numbers, np.zeros_like(numbers), scores), {})


def test_references_are_counted_in_bins():
    density = measure_density(results(5, [0, 1, 4]), bins=2)
    assert density.first == ("q0", "q2")
    assert density.last == ("q1", "q4")
    assert density.segments.tolist() == [2, 3]
    assert density.references.tolist() == [2, 1]
    assert density.weight.tolist() == [2, 1]


@given(st.integers(1, 30), st.sets(st.integers(0, 29)), st.integers(1, 40))
def test_nothing_is_lost_or_counted_twice(segments, queries, bins):
    queries = {query for query in queries if query < segments}
    density = measure_density(results(segments, queries), bins=bins)
    assert density.segments.sum() == segments
    assert density.references.sum() == len(queries)
    assert len(density.first) == min(segments, bins)
    assert (density.segments > 0).all()
    for first, last, count in zip(density.first, density.last, density.references, strict=True):
        inside = range(int(first[1:]), int(last[1:]) + 1)
        assert count == len(queries & set(inside))


def test_there_must_be_a_bin():
    with pytest.raises(ParameterError):
        measure_density(results(3, [0]), bins=0)
