"""Folds that keep all references of a query together."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from locisimiles.benchmark.sets.folds import query_folds, shuffled_place
from locisimiles.benchmark.sets.references import References
from locisimiles.errors import ParameterError

IDS = [f"query {n}" for n in range(30)]


def references(counts):
    query = np.repeat(np.arange(len(counts)), counts)
    source = np.concatenate([np.arange(count) for count in counts])
    return References.from_columns(query, source, np.ones(len(query)))


counts_of_queries = st.lists(st.integers(1, 6), min_size=5, max_size=30)


@given(counts_of_queries, st.integers(2, 5), st.integers(0, 3))
def test_folds_are_balanced_and_queries_are_not_split(counts, n, seed):
    pairs = references(counts)
    folds = query_folds(pairs, IDS, n, seed=seed)
    for query in range(len(counts)):
        assert len(set(folds[pairs.query == query].tolist())) == 1
    sizes = Counter(folds.tolist())
    assert set(sizes) == set(range(n))
    # Greedy filling leaves no two folds further apart than the largest query.
    assert max(sizes.values()) - min(sizes.values()) <= max(counts)


@given(counts_of_queries, st.integers(0, 3), st.randoms())
def test_the_order_of_rows_and_of_queries_does_not_matter(counts, seed, random):
    pairs = references(counts)
    by_id = dict(
        zip(pairs.query.tolist(), query_folds(pairs, IDS, 3, seed=seed).tolist(), strict=True)
    )
    places = random.sample(range(30), 30)
    moved = [""] * 30
    for query, place in enumerate(places):
        moved[place] = IDS[query]
    rows = random.sample(range(len(pairs)), len(pairs))
    shuffled = References.from_columns(
        [places[pairs.query[row]] for row in rows], pairs.source[rows], pairs.label[rows]
    )
    folds = query_folds(shuffled, moved, 3, seed=seed)
    for place, fold in zip(shuffled.query.tolist(), folds.tolist(), strict=True):
        assert fold == by_id[places.index(place)]


def test_by_hand():
    # The query with three references fills a fold; the others go where there is least.
    folds = query_folds(references([3, 1, 2]), IDS, 2).tolist()
    assert folds[:3] == [0, 0, 0]
    assert folds[3:] == [1, 1, 1]


def test_seeds_differ():
    pairs = references([1] * 20)
    assert query_folds(pairs, IDS, 5).tolist() == query_folds(pairs, IDS, 5).tolist()
    assert query_folds(pairs, IDS, 5).tolist() != query_folds(pairs, IDS, 5, seed=1).tolist()


@pytest.mark.parametrize(
    ("n", "message"), [(1, "between 2 and 127"), (128, "got 128"), (4, "too few for 4")]
)
def test_invalid_numbers_of_folds(n, message):
    with pytest.raises(ParameterError, match=message):
        query_folds(references([1, 1, 1]), IDS, n)


def test_parts_are_separated_in_the_key():
    assert shuffled_place("a", "bc") != shuffled_place("ab", "c")
    assert shuffled_place("\ud800") != shuffled_place("")
