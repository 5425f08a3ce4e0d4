"""The retrieve-and-rerank protocol."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from locisimiles.benchmark.metrics.measurement import find
from locisimiles.benchmark.protocols import PairGrid, evaluate_rerank
from locisimiles.benchmark.protocols.rerank import DEPTHS, rank_grid
from locisimiles.benchmark.sets.references import References
from locisimiles.candidates import Candidates
from locisimiles.classify.thresholds import Argmax
from locisimiles.errors import ParameterError


def ranking(*queries):
    return Candidates.join(
        [(np.array(one, np.intp), np.arange(len(one), 0, -1, np.float32)) for one in queries]
    )


def grid(predicted, label, fold=0):
    label = np.array(label)
    query, source = np.nonzero(label)
    references = References.from_columns(query, source, label[query, source])
    return PairGrid.from_references(np.eye(3)[np.array(predicted)], references, fold=fold)


# Two queries, four sources. The retriever finds 2 0 for the first, 3 for the second.
FOLD = grid(predicted=[[1, 1, 2, 0], [0, 0, 0, 1]], label=[[1, 1, 0, 0], [0, 0, 0, 2]])
FOUND = ranking([2, 0], [3])


def measure(**options):
    return evaluate_rerank([FOLD], [FOUND], Argmax(), depths=[1, 2, 4], **options)


@pytest.mark.parametrize(
    ("group", "metric", "value"),
    [
        # depth 1: the retriever flags source 2 and source 3, the classifier both
        ("pooled", "flagged@1", 2),
        ("pooled", "TP@1", 1),
        ("pooled", "FP@1", 1),
        ("pooled", "FN@1", 2),
        ("pooled", "F1@1", 2 / 5),
        ("pooled", "retrieval flagged@1", 2),
        # depth 2, padded: 2 0 and 3 0
        ("pooled", "flagged@2", 3),
        ("pooled", "TP@2", 2),
        ("pooled", "P@2", 2 / 3),
        ("pooled", "R@2", 2 / 3),
        ("pooled", "retrieval flagged@2", 4),
        ("pooled", "retrieval FP@2", 2),
        ("pooled", "retrieval F1@2", 4 / 7),
        # depth 4: everything
        ("pooled", "flagged@4", 4),
        ("pooled", "TP@4", 3),
        ("pooled", "retrieval flagged@4", 8),
        ("pooled", "retrieval FN@4", 0),
        # by type: the allusion was taken for a citation
        ("cit", "TP@4", 2),
        ("cit", "FP@4", 1),
        ("cf", "TP@4", 0),
        ("cf", "flagged@4", 1),
        ("cf", "retrieval TP@1", 1),
        # rates: one wrong and two missed of eight pairs
        ("pooled", "FPR@1", 1 / 16),
        ("pooled", "FNR@1", 2 / 16),
        ("pooled", "SMR@1", 3 / 16),
    ],
)
def test_values_computed_by_hand(group, metric, value):
    assert find(measure(), group, metric).mean == pytest.approx(value)


def test_strict_rates_are_relative_to_the_number_of_pairs():
    strict = measure(rates="strict")
    assert find(strict, "pooled", "SMR@1").mean == 3 / 8
    assert find(strict, "pooled", "retrieval FPR@4").mean == 5 / 8


def test_without_padding_only_candidates_are_flagged():
    found = measure(padded=False)
    assert [find(found, "pooled", f"retrieval flagged@{k}").mean for k in (1, 2, 4)] == [2, 3, 3]
    assert find(found, "pooled", "FN@4").mean == 1


def test_ranks_of_all_pairs():
    ranks = rank_grid(FOUND, (2, 4), padded=True)
    assert ranks.tolist() == [[2, 3, 1, 4], [2, 3, 4, 1]]
    bare = rank_grid(FOUND, (2, 4), padded=False)
    assert (bare[0, 1] > 10**6, bare[0, 2]) == (True, 1)


def test_f1_is_the_mean_of_the_folds_f1():
    other = grid([[1]], [[1]], fold=1)
    measured = evaluate_rerank([FOLD, other], [FOUND, ranking([0])], Argmax(), depths=[1])
    assert find(measured, "pooled", "F1@1").fold_value.tolist() == pytest.approx([2 / 5, 1])
    assert find(measured, "pooled", "F1@1").n == 3


@pytest.mark.parametrize(
    ("candidates", "options", "said"),
    [
        ([], {}, r"equal length \(1 and 0\)"),
        ([FOUND], {"depths": [0]}, "depth must be between 1 and"),
        ([FOUND], {"rates": "lenient"}, "paper, strict"),
        ([ranking([4])], {}, "beyond the 4 source segments"),
        ([ranking([], [], [0])], {}, "beyond the 2 query segments"),
    ],
)
def test_inconsistent_input_is_an_error(candidates, options, said):
    with pytest.raises(ParameterError, match=said):
        evaluate_rerank([FOLD], candidates, Argmax(), **options)


@settings(deadline=None, max_examples=30)
@given(st.data())
def test_deeper_finds_more_and_rates_add_up(data):
    cells = st.lists(st.integers(0, 2), min_size=5, max_size=5)
    rows = st.lists(cells, min_size=3, max_size=3)
    fold = grid(data.draw(rows), data.draw(rows))
    found = ranking(*(data.draw(st.lists(st.integers(0, 4), unique=True)) for _ in range(3)))
    measured = evaluate_rerank([fold], [found], Argmax(), depths=range(1, 7))
    for stage in ("", "retrieval "):
        for name in ("flagged", "TP", "R"):
            values = [find(measured, "pooled", f"{stage}{name}@{k}").mean for k in range(1, 7)]
            assert values == sorted(values)
        for k in range(1, 7):
            smr, fpr, fnr = (
                find(measured, "cit", f"{stage}{name}@{k}").mean for name in ("SMR", "FPR", "FNR")
            )
            assert smr == pytest.approx(fpr + fnr)


def test_a_retriever_that_returns_everything_gives_the_papers_counts():
    """The fold sizes and the lines for k = 500 and 1000 of the paper, printed in its tables."""
    sizes = [(284, 538, 277), (282, 508, 270), (282, 638, 331), (282, 602, 312), (282, 538, 280)]
    grids = []
    for fold, (queries, sources, positive) in enumerate(sizes):
        pairs = np.arange(positive)
        references = References.from_columns(pairs % queries, pairs // queries, np.ones(positive))
        probabilities = np.zeros((queries, sources, 3), np.float32)
        grids.append(PairGrid.from_references(probabilities, references, fold=fold))
    assert DEPTHS == (1, 5, 10, 20, 50, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1000)
    measured = evaluate_rerank(grids, [ranking()] * 5, Argmax(), depths=[500, 1000])
    printed = {
        "flagged@500": 141_200,
        "FP@500": 140_906,
        "flagged@1000": 159_489,
        "FP@1000": 159_195,
        "FN@1000": 0,
    }
    for metric, value in printed.items():
        assert round(find(measured, "pooled", f"retrieval {metric}").mean) == value
    # The reading of the rates is ours, and explains the printed column to 1 %.
    for metric, value in {"FPR@500": 0.445232, "FPR@1000": 0.503020}.items():
        rate = find(measured, "pooled", f"retrieval {metric}").mean
        assert rate == pytest.approx(value, rel=0.01)
