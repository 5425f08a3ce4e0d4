"""Slices, masks and filters of results: what is kept, and what stays true of it."""

import inspect

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from locisimiles import BM25, Pipeline, Results, load_example_query, load_example_source
from locisimiles.errors import ParameterError
from locisimiles.export.explained import explain_results
from locisimiles.results import PairJudgement, ReaderJudgement
from locisimiles.results.base import ResultColumns


@pytest.fixture(scope="module")
def judged():
    found = Pipeline(k=5).run(load_example_query(), load_example_source())
    return explain_results(found)


ROWS = Pipeline(BM25(), k=3).run(load_example_query(), load_example_source())


@given(st.slices(len(ROWS)).filter(lambda cut: cut.step is None or cut.step > 0))
def test_a_slice_is_what_a_slice_of_a_list_is(cut):
    assert list(ROWS[cut]) == list(ROWS)[cut]


@given(st.lists(st.booleans(), min_size=len(ROWS), max_size=len(ROWS)))
def test_a_mask_keeps_what_it_marks(mask):
    assert list(ROWS[mask]) == [one for one, kept in zip(ROWS, mask, strict=True) if kept]


@given(st.integers(-len(ROWS), len(ROWS) - 1))
def test_a_number_is_a_reference(row):
    assert ROWS[row] == ROWS[np.int64(row)] == list(ROWS)[row]


@pytest.mark.parametrize("row", [len(ROWS), -len(ROWS) - 1])
def test_a_number_beyond_the_results_is_an_index_error(row):
    with pytest.raises(IndexError):
        ROWS[row]


@pytest.mark.parametrize("rows", [slice(None, None, -1), [3, 1], [2, 2]])
def test_results_cannot_be_put_into_another_order(rows):
    with pytest.raises(ParameterError, match="keep the order"):
        ROWS[rows]


def test_a_mask_of_another_length_is_an_error():
    with pytest.raises(ParameterError, match="equal length"):
        ROWS[[True]]


def test_ranks_are_those_of_the_search():
    part = ROWS[1:7:2]
    assert part.rank.tolist() == [one.rank for one in ROWS][1:7:2]
    assert [one.rank for one in part[1:]] == part.rank.tolist()[1:]
    assert [one.rank for one in Results.join([ROWS[:4], ROWS[5:]])] == [
        one.rank for row, one in enumerate(ROWS) if row != 4
    ]


def test_all_columns_are_cut_alike(judged):
    notes = tuple(map(str, range(len(judged))))
    verdicts = tuple(PairJudgement.of([ReaderJudgement("cf.", note)]) for note in notes)
    whole = Results(
        judged.query, judged.source, judged.candidates, judged.manifest, judged.probabilities,
        {"note": notes}, judged.explanations, judged.alignments, verdicts,
    )  # fmt: skip
    part = whole[3:9:2]
    assert part.further["note"] == notes[3:9:2]
    assert part.explanations == whole.explanations[3:9:2]
    assert part.alignments == whole.alignments[3:9:2]
    assert part.judgements == verdicts[3:9:2]
    assert part.probabilities.tolist() == whole.probabilities[3:9:2].tolist()
    assert (part.query, part.source, part.manifest) == (whole.query, whole.source, whole.manifest)


def test_for_query_of_chosen_results():
    likely = ROWS.filter(score=3)
    for query in ROWS.query.ids:
        assert likely.for_query(query) == [one for one in ROWS.for_query(query) if one.score >= 3]


def test_for_query_reads_the_pairs_of_its_query_only(monkeypatch):
    """No column of all pairs is computed: neither ranks nor a comparison with each query."""
    monkeypatch.setattr(type(ROWS.candidates), "rank", property(lambda _: pytest.fail("counted")))
    assert ROWS.for_query(ROWS.query.ids[3])
    assert "nonzero" not in inspect.getsource(ResultColumns.for_query)


def test_conditions_are_all_met(judged):
    found = judged.filter(
        lambda one: len(one.shared) > 1, probability=0.1, rank=3, source_author="VIRGIL"
    )
    assert list(found) == [
        one
        for one in judged
        if one.probabilities.reference >= 0.1
        and one.rank <= 3
        and one.source.author == "Virgil"
        and len(one.shared) > 1
    ]
    assert len(found)


def test_a_reference_is_either_citation_or_allusion(judged):
    row = int(judged.probabilities[:, 2].argmax())
    cit, cf = judged.probabilities[row, 1:].tolist()
    assert cf > 0.01
    assert judged[row] in list(judged.filter(probability=cit + cf - 0.001))
    assert judged[row] not in list(judged.filter(probability=cit + cf + 0.001))


@pytest.mark.parametrize("kind", ["cit.", "cit"])
def test_kinds(judged, kind):
    assert list(judged.filter(kind=kind)) == [one for one in judged if one.kind == "cit."]


def test_queries_authors_and_works_may_be_several(judged):
    ids, works = judged.query.ids[:3], {one.source.work for one in judged[:4]}
    found = judged.filter(query=ids, source_work=works)
    assert {one.query.id for one in found} <= set(ids)
    assert list(found) == [
        one for one in judged if one.query.id in ids and one.source.work in works
    ]


def test_without_conditions_nothing_is_left_out(judged):
    assert list(judged.filter()) == list(judged)


@pytest.mark.parametrize(
    ("condition", "problem"),
    [
        ({"probability": 0.5}, "neither probabilities nor verdicts"),
        ({"kind": "cit."}, "neither probabilities nor verdicts"),
        ({"rank": 0}, "rank must be at least 1"),
        ({"probability": 2}, "probability must be between 0 and 1"),
        ({"source_author": "Vergil"}, "unknown source_author 'Vergil'; choose one of .*Virg"),
    ],
)
def test_what_cannot_be_asked_is_an_error(condition, problem):
    with pytest.raises(ParameterError, match=problem):
        ROWS.filter(**condition)


def test_an_unknown_kind_is_an_error(judged):
    with pytest.raises(ParameterError, match="unknown kind"):
        judged.filter(kind="x")


def test_an_unknown_query_is_a_key_error():
    with pytest.raises(KeyError):
        ROWS.filter(query="hier. 0")


def test_explaining_a_pair(judged):
    for row in (0, 7, -1):
        assert judged.explain(row).sentence == judged.explanations[row]
    assert judged[7:].explain(0).sentence == judged.explanations[7]


def test_the_finder_of_evidence_is_made_once(monkeypatch):
    results = Pipeline(BM25(), k=3).run(load_example_query(), load_example_source())
    results.explain(0)
    monkeypatch.setattr("locisimiles.results.base.EvidenceFinder", lambda *_: pytest.fail("again"))
    assert results.explain(1).query_id == results[1].query.id
    assert results[5:].explain(0).query_id == results[5].query.id
