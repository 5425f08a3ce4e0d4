"""Fold documents."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from locisimiles import Document, Segment
from locisimiles.benchmark.sets.dataset import Benchmark
from locisimiles.benchmark.sets.pools import fold_pool
from locisimiles.benchmark.sets.references import References
from locisimiles.errors import ParameterError


def document(*works, size=8):
    return Document.from_segments(
        Segment(f"{work}{n}", "verba", author=work[0], work=work)
        for n in range(size)
        for work in works
    )


@pytest.fixture
def benchmark():
    query, source = document("Aa", "Ab", "Ba"), document("Ca", "Da")
    pairs = [("Aa0", "Ca1"), ("Aa0", "Da2"), ("Aa1", "Ca1"), ("Ab3", "Ca3"), ("Ba7", "Da5")]
    folds = [0, 0, 0, 0, 1]
    return Benchmark(
        query,
        source,
        References.from_columns(
            [query.index(q) for q, _ in pairs],
            [source.index(s) for _, s in pairs],
            [1, 2, 1, 2, 1],
            fold=folds,
            grade=[1, 2, 3, 4, 5],
        ),
        name="letters",
        provenance=tuple("abcde"),
    )


def by_id(benchmark):
    refs = benchmark.references
    columns = (refs.label, refs.fold, refs.grade)
    return {
        (
            benchmark.query.ids[refs.query[i]],
            benchmark.source.ids[refs.source[i]],
            *(float(column[i]) for column in columns),
            benchmark.provenance[i],
        )
        for i in range(len(refs))
    }


def test_as_many_distractors_from_the_same_works(benchmark):
    pool = fold_pool(benchmark, 0)
    assert sorted(pool.query.works) == ["Aa"] * 4 + ["Ab"] * 2
    assert sorted(pool.source.works) == ["Ca"] * 4 + ["Da"] * 2
    assert {"Aa0", "Aa1", "Ab3"} < set(pool.query.ids)
    assert {"Ca1", "Ca3", "Da2"} < set(pool.source.ids)


def test_references_are_those_of_the_fold(benchmark):
    assert by_id(fold_pool(benchmark, 0)) == {row for row in by_id(benchmark) if row[3] == 0}
    assert by_id(fold_pool(benchmark, 1)) == {("Ba7", "Da5", 1, 1, 5.0, "e")}


def test_distractors_are_without_references_in_any_fold(benchmark):
    for seed in range(20):
        assert "Da5" not in fold_pool(benchmark, 0, seed=seed).source.ids
        assert "Da2" not in fold_pool(benchmark, 1, seed=seed).source.ids


def test_segments_keep_their_order(benchmark):
    pool = fold_pool(benchmark, 0)
    positions = [benchmark.source.index(segment_id) for segment_id in pool.source.ids]
    assert positions == sorted(positions)


def test_another_seed_draws_other_distractors(benchmark):
    assert fold_pool(benchmark, 0).source == fold_pool(benchmark, 0).source
    drawn = {fold_pool(benchmark, 0, seed=seed).source.ids for seed in range(10)}
    assert len(drawn) > 1
    assert fold_pool(benchmark, 0, seed=4).manifest == {"pool_of": "letters", "fold": 0, "seed": 4}


def test_small_works_are_filled_up_from_the_author_then_from_any():
    query = document("Aa", size=1)
    source = Document.from_segments(
        Segment(name, "verba", author=name[0], work=name[:2])
        for name in ("Ca0", "Ca1", "Cb0", "Cb1", "Da0", "Db0")
    )
    cited = [source.index(name) for name in ("Ca0", "Ca1", "Cb0", "Da0")]
    references = References.from_columns([0] * 4, cited, [1] * 4, fold=[0] * 4)
    pool = fold_pool(Benchmark(query, source, references), 0)
    # Cb1 for Cb0, Db0 for Da0; nothing is left for Ca0 and Ca1, nor for the only query.
    assert set(pool.source.ids) == set(source.ids)
    assert len(pool.query) == 1


def test_unknown_folds(benchmark):
    with pytest.raises(ParameterError, match="unknown fold '7'; choose one of 0, 1"):
        fold_pool(benchmark, 7)
    without = Benchmark(benchmark.query, benchmark.source, References.from_columns([0], [0], [1]))
    with pytest.raises(ParameterError, match="has no folds"):
        fold_pool(without, 0)


@given(st.permutations(range(16)), st.integers(0, 2))
def test_distractors_do_not_depend_on_the_order_of_rows(order, seed):
    source = document("Ca", "Da")
    moved = source.select(order)
    query = document("Aa")

    def pool(source):
        references = References.from_columns(
            [0, 1], [source.index("Ca1"), source.index("Da2")], [1, 1], fold=[0, 0]
        )
        return fold_pool(Benchmark(query, source, references), 0, seed=seed)

    assert set(pool(moved).source.ids) == set(pool(source).source.ids)
