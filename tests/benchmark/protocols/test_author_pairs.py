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


def measured(*folds, **options):
    pairs = evaluate_author_pairs(folds, Argmax(), **options)
    return {(pair.query, pair.source, pair.group): pair for pair in pairs}


def mean(pair, metric):
    return find(pair.measurements, pair.group, metric).mean


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
    found = measured(FIRST, SECOND)[pair]
    assert (found.references, found.overlap) == (references, overlap)
    assert {name: mean(found, name) for name in figures} == pytest.approx(figures)


def test_a_type_without_references_has_rates_only():
    found = measured(FIRST)["Jerome", "Virgil", "cf"]
    assert (found.references, mean(found, "FPR")) == (0, 0.0)
    assert np.isnan([found.overlap, mean(found, "P"), mean(found, "F1")]).all()


def test_only_pairs_with_references_are_listed_and_the_total_is_last():
    pairs = evaluate_author_pairs([FIRST], Argmax())
    assert [(pair.query, pair.source, pair.group) for pair in pairs] == [
        (query, source, group)
        for query, source in (
            ("Jerome", "Cicero"),
            ("Jerome", "Virgil"),
            ("Valerius", "Virgil"),
            (ALL_AUTHORS, ALL_AUTHORS),
        )
        for group in ("cit", "cf", "pooled")
    ]


@pytest.mark.parametrize("reading", ["paper", "strict"])
def test_the_total_is_what_the_classification_protocol_gives(reading):
    grids = [FIRST.grid, SECOND.grid]
    expected = evaluate_classification(grids, Argmax(), reading=reading)
    total = measured(FIRST, SECOND, reading=reading)[ALL_AUTHORS, ALL_AUTHORS, "cit"]
    for metric in ("P", "R", "F1", "FPR", "FNR", "SMR"):
        assert mean(total, metric) == pytest.approx(find(expected, "cit", metric).mean)


def test_folds_without_the_cited_author_do_not_count():
    cicero = measured(FIRST, SECOND)["Jerome", "Cicero", "cit"]
    assert find(cicero.measurements, "cit", "SMR").fold.tolist() == [0]


def test_names_say_the_authors():
    names = {one.metric for one in measured(FIRST)["Jerome", "Virgil", "cit"].named_measurements()}
    assert names == {f"{name} (Jerome, Virgil)" for name in ("P", "R", "F1", "FPR", "FNR", "SMR")}


def test_without_overlap_there_is_none():
    plain = fold([[1]], [[1]], ["Jerome"], ["Virgil"])
    assert np.isnan(measured(plain)["Jerome", "Virgil", "cit"].overlap)


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
