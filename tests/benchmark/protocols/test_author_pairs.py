"""The author-pairs protocol."""

import numpy as np
import pytest

from locisimiles.benchmark.metrics.measurement import find
from locisimiles.benchmark.protocols import (
    ALL_AUTHORS,
    AuthorFold,
    PairGrid,
    evaluate_author_pairs,
    evaluate_classification,
)
from locisimiles.benchmark.sets.references import References
from locisimiles.classify.thresholds import Argmax
from locisimiles.errors import ParameterError


def fold(predicted, label, queries, sources, *, number=0, overlap=None):
    label = np.array(label)
    query, source = np.nonzero(label)
    references = References.from_columns(query, source, label[query, source])
    grid = PairGrid.from_references(np.eye(3)[np.array(predicted)], references, fold=number)
    return AuthorFold(grid, queries, sources, None if overlap is None else np.array(overlap))


FIRST = fold(
    predicted=[[1, 1, 0], [0, 0, 1], [2, 0, 0]],
    label=[[1, 0, 1], [0, 0, 0], [2, 0, 0]],
    queries=["Jerome", "Jerome", "Valerius"],
    sources=["Virgil", "Virgil", "Cicero"],
    overlap=[[5, 1, 3], [0, 0, 0], [2, 0, 0]],
)
SECOND = fold(
    predicted=[[0]], label=[[1]], queries=["Jerome"], sources=["Virgil"], number=1, overlap=[[7]]
)

METRICS = ("P", "R", "F1", "FPR", "FNR", "SMR")


def measured(*folds, **options):
    return evaluate_author_pairs(folds, Argmax(), **options)


def mean(measurements, pair, metric):
    query, source, group = pair
    return find(measurements, group, f"{metric} ({query}, {source})").mean


@pytest.mark.parametrize(
    ("pair", "references", "overlap", "figures"),
    [
        # fold 0: one of one found with one false in two queries × two sources; fold 1: missed
        (("Jerome", "Virgil", "cit"), 2, 6.0, {"P": 1 / 4, "R": 1 / 2, "F1": 1 / 3, "FPR": 1 / 8}),
        (("Jerome", "Virgil", "cit"), 2, 6.0, {"FNR": 1 / 2, "SMR": 5 / 8}),
        (("Jerome", "Cicero", "cit"), 1, 3.0, {"P": 0, "R": 0, "FPR": 1 / 2, "FNR": 1 / 2}),
        (("Valerius", "Virgil", "cf"), 1, 2.0, {"P": 1, "R": 1, "F1": 1, "SMR": 0}),
        (("Valerius", "Virgil", "pooled"), 1, 2.0, {"F1": 1}),
        ((ALL_AUTHORS, ALL_AUTHORS, "cit"), 3, 5.0, {"P": 1 / 4, "R": 1 / 4, "FPR": 1 / 9}),
    ],
)
def test_values_computed_by_hand(pair, references, overlap, figures):
    found = measured(FIRST, SECOND)
    expected = {"references": references, "shared lemmas": overlap, **figures}
    assert {name: mean(found, pair, name) for name in expected} == pytest.approx(expected)


def test_a_type_without_references_has_rates_only():
    found, pair = measured(FIRST), ("Jerome", "Virgil", "cf")
    assert (mean(found, pair, "references"), mean(found, pair, "FPR")) == (0, 0)
    assert np.isnan([mean(found, pair, name) for name in ("shared lemmas", "P", "F1")]).all()


def test_only_pairs_with_references_are_listed_and_the_total_is_last():
    found = [(one.metric, one.group) for one in measured(FIRST)]
    assert found == [
        (f"{metric} ({query}, {source})", group)
        for query, source in (
            ("Jerome", "Cicero"),
            ("Jerome", "Virgil"),
            ("Valerius", "Virgil"),
            (ALL_AUTHORS, ALL_AUTHORS),
        )
        for group in ("cit", "cf", "pooled")
        for metric in (*METRICS, "references", "shared lemmas")
    ]


@pytest.mark.parametrize("reading", ["paper", "strict"])
def test_the_total_is_that_of_the_classification_protocol(reading):
    grids = [FIRST.grid, SECOND.grid]
    expected = evaluate_classification(grids, Argmax(), reading=reading)
    found = measured(FIRST, SECOND, reading=reading)
    for metric in METRICS:
        assert mean(found, (ALL_AUTHORS, ALL_AUTHORS, "cit"), metric) == pytest.approx(
            find(expected, "cit", metric).mean
        )


def test_folds_without_the_cited_author_do_not_count():
    found = find(measured(FIRST, SECOND), "cit", "SMR (Jerome, Cicero)")
    assert found.fold.tolist() == [0]


def test_without_overlap_shared_lemmas_are_undefined():
    plain = fold([[1]], [[1]], ["Jerome"], ["Virgil"])
    assert np.isnan(mean(measured(plain), ("Jerome", "Virgil", "cit"), "shared lemmas"))


@pytest.mark.parametrize(
    "options",
    [
        {"queries": ["Jerome", "Jerome"], "sources": ["Virgil"]},
        {"queries": ["Jerome"], "sources": []},
        {"queries": ["Jerome"], "sources": ["Virgil"], "overlap": [[1, 2]]},
    ],
)
def test_authors_must_fit_the_grid(options):
    with pytest.raises(ParameterError, match="must have the same shape"):
        fold([[1]], [[1]], **options)
