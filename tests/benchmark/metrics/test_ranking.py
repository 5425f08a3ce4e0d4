"""Ranking metrics: hand-computed cases, properties, and ir-measures."""

import math
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from locisimiles.benchmark.metrics.hits import find_hits
from locisimiles.benchmark.metrics.ranking import (
    NDCG,
    AveragePrecision,
    Precision,
    Recall,
    ReciprocalRank,
    SuccessAt,
    parse_metric,
)
from locisimiles.benchmark.sets.references import References
from locisimiles.candidates import Candidates
from locisimiles.errors import ParameterError

METRICS = [
    *(kind(k) for k in (1, 2, 5, 20) for kind in (Recall, Precision, SuccessAt)),
    *(kind(k) for k in (1, 3, None) for kind in (ReciprocalRank, AveragePrecision, NDCG)),
]


def hits(rankings, references):
    """Find {query: {source: grade}} in rankings, each a list of source positions."""
    candidates = Candidates.join(
        [(np.array(one, np.intp), np.arange(len(one), 0, -1, np.float32)) for one in rankings]
    )
    rows = [(q, s, 1, grade) for q, found in references.items() for s, grade in found.items()]
    query, source, label, grade = zip(*rows, strict=True)
    return find_hits(candidates, References.from_columns(query, source, label, grade=grade))


# One query, candidates 7 3 5 9, references 3 (grade 1), 9 (grade 3) and 4, which is not found.
ONE = hits([[7, 3, 5, 9]], {0: {3: 1, 9: 3, 4: 1}})
IDEAL = 3 + 1 / math.log2(3) + 1 / 2


@pytest.mark.parametrize(
    ("metric", "value"),
    [
        (Recall(1), 0),
        (Recall(2), 1 / 3),
        (Recall(4), 2 / 3),
        (Recall(), 2 / 3),
        (Precision(1), 0),
        (Precision(4), 1 / 2),
        (Precision(10), 1 / 5),
        (SuccessAt(1), 0),
        (SuccessAt(2), 1),
        (ReciprocalRank(), 1 / 2),
        (ReciprocalRank(1), 0),
        (ReciprocalRank(2), 1 / 2),
        (AveragePrecision(), (1 / 2 + 2 / 4) / 3),
        (AveragePrecision(2), (1 / 2) / 3),
        (NDCG(), (1 / math.log2(3) + 3 / math.log2(5)) / IDEAL),
        (NDCG(2), (1 / math.log2(3)) / (3 + 1 / math.log2(3))),
        (NDCG(1), 0),
    ],
)
def test_values_computed_by_hand(metric, value):
    assert metric.values(ONE).tolist() == pytest.approx([value])


def values_of(found, metrics):
    """Return the values of metrics, a row each."""
    return np.array([metric.values(found) for metric in metrics])


def test_every_query_has_a_value():
    found = hits([[1], [2, 1]], {0: {1: 1}, 1: {1: 1}})
    assert values_of(found, [Recall(1), SuccessAt(2)]).tolist() == [[1, 0], [1, 1]]


@pytest.mark.parametrize(
    ("text", "metric"),
    [
        ("R@10", Recall(10)),
        ("recall@10", Recall(10)),
        ("MRR", ReciprocalRank()),
        ("RR@5", ReciprocalRank(5)),
        ("MAP", AveragePrecision()),
        ("AP@1000", AveragePrecision(1000)),
        ("NDCG@10", NDCG(10)),
        (" P@1 ", Precision(1)),
        ("Success@5", SuccessAt(5)),
    ],
)
def test_metrics_are_parsed(text, metric):
    assert parse_metric(text) == metric


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name)
def test_the_name_of_a_metric_is_parsed(metric):
    assert parse_metric(metric.name) == metric


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "unknown metric"),
        ("F1", "unknown metric"),
        ("hits@10", "unknown metric"),
        ("R@", "unknown metric"),
        ("R@ten", "unknown metric"),
        ("R@-1", "unknown metric"),
        ("R@0", "at least 1"),
        ("P", "needs a cutoff"),
        ("Success", "needs a cutoff"),
    ],
)
def test_invalid_metrics_are_errors(text, said):
    with pytest.raises(ParameterError, match=said):
        parse_metric(text)


def test_metrics_are_values():
    assert len({Recall(10), Recall(10), Recall(5), Precision(10)}) == 3
    with pytest.raises(AttributeError):
        Recall(10).cutoff = 5


SOURCES = st.lists(st.integers(0, 7), unique=True)
RANKINGS = st.lists(SOURCES, min_size=1, max_size=4)


@st.composite
def cases(draw):
    rankings = draw(RANKINGS)
    grades = st.dictionaries(st.integers(0, 9), st.integers(1, 3), min_size=1, max_size=6)
    # The last query of these has references but never any candidates.
    queries = st.integers(0, len(rankings))
    return rankings, draw(st.dictionaries(queries, grades, min_size=1))


@settings(deadline=None)
@given(cases())
def test_recall_and_success_grow_with_k(case):
    for kind in (Recall, SuccessAt, ReciprocalRank, AveragePrecision):
        values = values_of(hits(*case), [kind(k) for k in range(1, 11)])
        assert (np.diff(values, axis=0) >= 0).all()


@settings(deadline=None)
@given(cases())
def test_values_are_between_0_and_1(case):
    values = values_of(hits(*case), METRICS)
    assert ((values >= 0) & (values <= 1 + 1e-12)).all()


@settings(deadline=None)
@given(cases(), st.data())
def test_an_irrelevant_source_never_raises_a_value(case, data):
    rankings, references = case
    query = data.draw(st.integers(0, len(rankings) - 1))
    place = data.draw(st.integers(0, len(rankings[query])))
    longer = [list(one) for one in rankings]
    longer[query].insert(place, 99)
    before = values_of(hits(rankings, references), METRICS)
    after = values_of(hits(longer, references), METRICS)
    assert (after <= before + 1e-12).all()


@settings(deadline=None)
@given(cases())
def test_a_perfect_ranking_is_perfect(case):
    _, references = case
    perfect = [
        sorted(references.get(query, {}), key=lambda source: -references[query][source])
        for query in range(max(references) + 1)
    ]
    values = values_of(
        hits(perfect, references), [NDCG(), AveragePrecision(), ReciprocalRank(), Recall()]
    )
    assert values.ravel().tolist() == pytest.approx([1.0] * values.size)


def measures_of_others():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return pytest.importorskip("ir_measures", reason="ir-measures is not installed")


OURS_AND_THEIRS = {
    **{f"R@{k}": f"R@{k}" for k in (1, 2, 5, 20)},
    **{f"P@{k}": f"P@{k}" for k in (1, 2, 5, 20)},
    **{f"Success@{k}": f"Success@{k}" for k in (1, 2, 5)},
    "MRR": "RR",
    "MRR@3": "RR@3",
    "MAP": "AP",
    "MAP@3": "AP@3",
    "nDCG": "nDCG",
    "nDCG@1": "nDCG@1",
    "nDCG@3": "nDCG@3",
}


@settings(deadline=None, max_examples=60)
@given(cases())
def test_ir_measures_agrees(case):
    theirs = measures_of_others()
    rankings, references = case
    ours = hits(rankings, references)
    qrels = [
        theirs.Qrel(f"q{query}", f"s{source}", grade)
        for query, found in references.items()
        for source, grade in found.items()
    ]
    run = [
        theirs.ScoredDoc(f"q{query}", f"s{source}", -float(rank))
        for query, found in enumerate(rankings)
        for rank, source in enumerate(found)
    ]
    wanted = {theirs.parse_measure(name): ours for ours, name in OURS_AND_THEIRS.items()}
    expected = {
        (metric.query_id, wanted[metric.measure]): metric.value
        for metric in theirs.iter_calc(list(wanted), qrels, run)
    }
    for name in OURS_AND_THEIRS:
        values = parse_metric(name).values(ours)
        for query, value in zip(ours.queries, values, strict=True):
            assert value == pytest.approx(expected.get((f"q{query}", name), 0.0)), (name, query)
