"""Results: columns inside, references on the way out."""

from dataclasses import replace

import numpy as np
import pytest

from locisimiles import (
    BM25,
    Candidates,
    Document,
    Pipeline,
    Reference,
    Results,
    Segment,
    load_example_query,
    load_example_source,
)
from locisimiles.errors import ParameterError
from locisimiles.results import PairJudgement, Probabilities, ReaderJudgement, base
from locisimiles.results.columns import MACHINE_COLUMN, column_names, result_rows
from locisimiles.results.reader_cells import JUDGEMENT_COLUMNS

QUERY = Document.from_segments([Segment("q1", "arma"), Segment("q2", ""), Segment("q3", "uox")])
SOURCE = Document.from_segments(
    [Segment("s1", "arma cano"), Segment("s2", "vox"), Segment("s3", "arma")]
)
RESULTS = Results(
    QUERY,
    SOURCE,
    Candidates(
        query=np.array([0, 0, 2], np.int32),
        source=np.array([2, 0, 1], np.int32),
        score=np.array([2.5, 1.0, 0.5], np.float32),
    ),
    manifest={},
)


@pytest.fixture(scope="module")
def examples():
    return Pipeline(BM25(), k=5).run(query=load_example_query(), source=load_example_source())


def test_iterating_gives_the_references_in_order():
    assert list(RESULTS) == [
        Reference(QUERY[0], SOURCE[2], rank=1, score=2.5),
        Reference(QUERY[0], SOURCE[0], rank=2, score=1.0),
        Reference(QUERY[2], SOURCE[1], rank=1, score=0.5),
    ]


def test_rank_and_score_are_plain_numbers():
    reference = next(iter(RESULTS))
    assert (type(reference.rank), type(reference.score)) == (int, float)


def test_the_length_is_the_number_of_candidates():
    assert len(RESULTS) == 3


def test_for_query_returns_candidates_best_first():
    assert RESULTS.for_query("q1") == list(RESULTS)[:2]


def test_a_query_may_have_no_candidates():
    assert RESULTS.for_query("q2") == []


def test_an_unknown_query_is_a_key_error():
    with pytest.raises(KeyError, match="q4"):
        RESULTS.for_query("q4")


def test_for_query_agrees_with_iterating(examples):
    asked = [r for query in examples.query for r in examples.for_query(query.id)]
    assert asked == list(examples)


def test_a_reference_lists_shared_lemmas():
    reference = Reference(Segment("q", "Haesit uox et"), Segment("s", "et vox haesit"), 1, 1.0)
    assert reference.shared == ("haereo", "uox")


def test_repr_states_the_sizes():
    assert repr(RESULTS) == "<Results: 3 candidates for 3 query segments in 3 source segments>"


def test_two_searches_with_the_same_input_are_equal():
    first, second = (Pipeline(BM25()).run(query=QUERY, source=SOURCE) for _ in range(2))
    assert first == second


def test_probabilities_belong_to_their_pairs():
    judged = np.array([[0.5, 0.5, 0], [0.75, 0, 0.25], [1, 0, 0]], np.float32)
    results = replace(RESULTS, probabilities=judged)
    first, second, _ = results
    assert first.probabilities == Probabilities(none=0.5, cit=0.5, cf=0.0)
    assert (second.probabilities.reference, second.probabilities.kind) == (0.25, "cf.")
    assert results.for_query("q1") == [first, second]


def test_without_a_classifier_there_are_no_probabilities():
    assert [reference.probabilities for reference in RESULTS] == [None] * 3


@pytest.mark.parametrize("shape", [(2, 3), (3, 2), (3,)])
def test_probabilities_must_fit_the_candidates(shape):
    with pytest.raises(ParameterError, match="do not fit 3 candidates"):
        replace(RESULTS, probabilities=np.zeros(shape, np.float32))


ANN, BOB = ReaderJudgement("cit.", "a", "Ann", "2026-01-01"), ReaderJudgement("cf.", "b", "Bob")
EVE = ReaderJudgement("reject", "e", "Eve", adjudicated=True)


@pytest.mark.parametrize(
    ("given", "reader", "counts"),
    [
        ([ANN, BOB, EVE], "Ann", ("reject", "e", "Eve")),
        ([ANN, BOB], "Ann", ("cit.", "a", "Ann")),
        ([ANN, BOB], "Joe", (None, "", "")),
        ([ANN, replace(ANN, reader="Bob", note="b")], "Joe", ("cit.", "a | b", "Ann, Bob")),
        ([ANN, replace(BOB, verdict="unsure")], "Joe", ("cit.", "a", "Ann")),
        ([replace(ANN, verdict=None), BOB], "Ann", ("cf.", "b", "Bob")),
        ([replace(ANN, verdict=None)], "Joe", (None, "a", "Ann")),
    ],
)
def test_adjudicated_then_own_then_agreed_verdicts_count(given, reader, counts):
    chosen = PairJudgement.of(given, reader=reader)
    assert (chosen.verdict, chosen.note, chosen.reader) == counts
    assert chosen.readers == tuple(given)


def test_a_readers_verdict_overrides_the_type():
    machine = Probabilities(0.1, 0.8, 0.1)
    kinds = [
        Reference(QUERY[0], SOURCE[0], 1, 1.0, machine, PairJudgement(verdict)).kind
        for verdict in ("cf.", "reject", "unsure", None)
    ]
    assert kinds == ["cf.", "none", "cit.", "cit."]


def test_judgements_of_readers_who_agree_are_joined():
    ann = ReaderJudgement("cit.", "", "Ann", "2026-01-03")
    bob = ReaderJudgement("cit.", "b", "Bob", "2026-01-02")
    joe = ReaderJudgement("unsure", "c", "Joe", "2026-02-01")
    chosen = PairJudgement.of([ann, bob, joe])
    assert chosen == PairJudgement("cit.", "b", "Ann, Bob", "2026-01-03", readers=(ann, bob, joe))


def test_who_is_unsure_is_heard_if_nobody_else_says_a_verdict():
    joe = ReaderJudgement("unsure", "c", "Joe", "2026-02-01")
    note = ReaderJudgement(None, "n", "Ann", "2026-03-01")
    chosen = PairJudgement.of([note, joe])
    assert chosen == PairJudgement("unsure", "c", "Joe", "2026-02-01", readers=(note, joe))
    assert PairJudgement.of([]) is None


def test_what_decides_between_readers_is_said_to():
    decided = PairJudgement.of([ANN, EVE])
    assert (decided.adjudicated, decided.date) == (True, EVE.date)
    undecided = PairJudgement.of([ANN, replace(EVE, verdict=None)], reader="Ann")
    assert (undecided.verdict, undecided.adjudicated) == ("cit.", False)
    disagreed = PairJudgement.of([ANN, BOB])
    assert disagreed == PairJudgement(None, readers=(ANN, BOB))


def test_judgements_are_neither_decisions_nor_independent_unless_they_say_so():
    one = ReaderJudgement("cf.")
    assert (one.adjudicated, one.independent, PairJudgement("cf.").adjudicated) == (False,) * 3


def test_explaining_changes_no_result_and_other_texts_are_explained_anew():
    before = replace(RESULTS)
    first = RESULTS.explain(0)
    assert before == RESULTS
    other = Document.from_segments([Segment(one.id, "nihil") for one in SOURCE])
    assert replace(RESULTS, source=other).explain(0) != first


def test_what_finds_evidence_is_made_once(monkeypatch):
    made = []

    class Counted(base.EvidenceFinder):
        def __init__(self, *texts):
            made.append(texts)
            super().__init__(*texts)

    monkeypatch.setattr(base, "EvidenceFinder", Counted)
    results = replace(RESULTS)
    results.explain(0)
    results.explain(1)
    results[:2].explain(0)
    results.grouped().explain(0)
    assert len(made) == 1


def test_columns_of_judged_results():
    judged = replace(RESULTS, judgements=(PairJudgement.of([ANN]), None, None))
    assert {"type", *JUDGEMENT_COLUMNS} <= set(column_names(judged))
    assert MACHINE_COLUMN not in column_names(judged)
    by_both = replace(judged, probabilities=np.full((3, 3), 1 / 3, np.float32))
    names = column_names(by_both)
    assert MACHINE_COLUMN in names
    assert len(names) == len(set(names))
    assert "type" not in column_names(RESULTS)


def test_all_conditions_must_be_met():
    judged = np.array([[0.1, 0.8, 0.1], [0.1, 0.1, 0.8], [0.9, 0.1, 0]], np.float32)
    results = replace(RESULTS, probabilities=judged)

    def found(**conditions):
        return [(one.query.id, one.source.id) for one in results.filter(**conditions)]

    assert found(kind="cf") == [("q1", "s1")]
    assert found(kind="cit.") == found(kind="cit", score=0.5) == [("q1", "s3"), ("q3", "s2")]
    assert found(kind="cit.", probability=0.5) == [("q1", "s3")]
    assert found(kind="cit.", rank=1, query=["q3"]) == [("q3", "s2")]
    assert found(score=1.0, rank=2) == [("q1", "s3"), ("q1", "s1")]
    assert found(score=1.0, rank=1) == [("q1", "s3")]
    assert found(probability=float(np.float32(0.8) + np.float32(0.1))) == found(rank=2, query="q1")
    assert found(kind="cf.", probability=0.95) == []


def test_a_type_needs_somebody_who_judged():
    with pytest.raises(ParameterError) as caught:
        RESULTS.filter(kind="cf.")
    assert caught.value.message.code == "results.not_judged"
    read = replace(RESULTS, judgements=(PairJudgement("cf."), None, None))
    assert [one.source.id for one in read.filter(kind="cf.")] == ["s3"]


def test_a_row_has_the_type_of_the_machine_beside_that_of_readers():
    judged = np.array([[0.1, 0.8, 0.1], [0.1, 0.1, 0.8], [0.9, 0.1, 0]], np.float32)
    read = (PairJudgement("cf."), None, PairJudgement("reject"))
    rows = list(result_rows(replace(RESULTS, probabilities=judged, judgements=read)))
    assert [row["type"] for row in rows] == ["cf.", "cf.", "none"]
    assert [row[MACHINE_COLUMN] for row in rows] == ["cit.", "cf.", "cit."]


def test_what_was_compared_is_what_tables_and_groups_say():
    texts = ["haesit uox faucibus", "et vox faucibus haesit", "uox faucibus haesit"]
    document = Document.from_segments(
        [Segment(str(at), text) for at, text in enumerate([*texts, texts[1]])]
    )
    found = Pipeline("bm25", classifier=None).run(document[:1], document)
    compared = found.compared(group=True)
    assert compared.best.tolist() == found.grouped().best.tolist()
    assert list(compared.shared) == [row["shared"] for row in result_rows(found)]
    assert list(result_rows(compared)) == list(result_rows(found.grouped()))
    assert found.compared(group=False).best is None
    assert compared.select([0, 2]).shared == (compared.shared[0], compared.shared[2])
    assert Results.join([compared, compared]).shared == compared.shared * 2
    assert Results.join([compared, found.grouped()]).shared is None
