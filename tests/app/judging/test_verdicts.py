"""Verdicts of readers."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from locisimiles import ParameterError
from locisimiles.app.judging.verdicts import Judging, Renamed


@pytest.fixture
def judging(project):
    return Judging(project)


def verdicts(judging):
    return {(j.query_id, j.source_id, j.reader): (j.verdict, j.note) for j in judging.all()}


def test_another_process_sees_a_verdict_at_once(projects, project, judging):
    judging.judge("q", "s", reader="Ann", verdict="cit.")
    assert verdicts(Judging(projects.open(project.id))) == {("q", "s", "Ann"): ("cit.", "")}


def test_a_note_leaves_the_verdict_and_a_verdict_the_note(judging):
    judging.judge("q", "s", reader="", verdict="cf.")
    judging.judge("q", "s", reader="", note="see Hagendahl")
    judging.judge("q", "s", reader="", verdict="reject")
    assert verdicts(judging) == {("q", "s", ""): ("reject", "see Hagendahl")}


def test_a_verdict_can_be_removed(judging):
    judging.judge("q", "s", reader="", verdict="cf.")
    judging.judge("q", "s", reader="", verdict=None)
    assert verdicts(judging) == {}


def test_undo_reverts_one_change_after_the_other(judging):
    judging.judge("q", "s", reader="", verdict="cit.")
    judging.judge("q", "t", reader="", verdict="cf.")
    judging.judge("q", "s", reader="", note="no", verdict="reject")
    seen = []
    while judging.undo("") is not None:
        seen.append(verdicts(judging))
    both = {("q", "s", ""): ("cit.", ""), ("q", "t", ""): ("cf.", "")}
    assert seen == [both, {("q", "s", ""): ("cit.", "")}, {}]


def test_redo_repeats_what_was_undone_until_something_else_is_done(judging):
    judging.judge("q", "s", reader="", verdict="cit.")
    judging.judge("q", "t", reader="", verdict="cf.", note="n")
    after = verdicts(judging)
    assert judging.redo("") is None
    judging.undo("")
    judging.undo("")
    assert judging.redo("Bob") is None
    assert judging.redo("").verdict == "cit."
    assert judging.redo("").note == "n"
    assert verdicts(judging) == after
    judging.undo("")
    judging.judge("q", "u", reader="", verdict="reject")
    assert judging.redo("") is None


def test_a_note_that_goes_on_is_one_step(judging):
    judging.judge("q", "s", reader="", verdict="cf.")
    judging.judge("q", "s", reader="", note="one")
    for note in ("two", "two an", "two and three"):
        judging.judge("q", "s", reader="", note=note, continues=note != "two")
    judging.judge("q", "t", reader="", note="other", continues=True)
    seen = [judging.undo("").note for _ in range(3)]
    assert seen == ["", "one", ""]
    assert verdicts(judging) == {("q", "s", ""): ("cf.", "")}
    assert [judging.redo("").note for _ in range(3)] == ["one", "two and three", "other"]


def test_a_note_does_not_swallow_a_verdict(judging):
    judging.judge("q", "s", reader="", verdict="cf.")
    judging.judge("q", "s", reader="", note="one", continues=True)
    judging.undo("")
    assert verdicts(judging) == {("q", "s", ""): ("cf.", "")}


def test_what_was_undone_before_a_change_does_not_come_back(judging):
    """Redo repeats the change that was undone last, not one that was given up before it."""
    judging.judge("q", "s", reader="", verdict="cit.")
    judging.undo("")
    judging.judge("q", "t", reader="", verdict="cf.")
    judging.undo("")
    assert judging.all() == []
    assert judging.redo("").source_id == "t"
    assert judging.redo("") is None
    assert [(one.source_id, one.verdict) for one in judging.all()] == [("t", "cf.")]


def test_undo_reverts_no_change_of_another_reader(judging):
    judging.judge("q", "s", reader="Ann", verdict="cit.")
    assert judging.undo("Bob") is None
    assert len(judging.all()) == 1


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=15)
@given(
    st.lists(
        st.tuples(
            st.sampled_from("qp"),
            st.sampled_from(["cit.", "cf.", "reject", "unsure", None]),
            st.sampled_from(["", "a note", None]),
        ),
        max_size=8,
    )
)
def test_undoing_all_leaves_what_there_was_before(judging, doings):
    judging.judge("q", "s", reader="Ann", verdict="unsure")
    before = verdicts(judging)
    for query, verdict, note in doings:
        judging.judge(query, "s", reader="Bob", verdict=verdict, note=note)
    for _ in doings:
        judging.undo("Bob")
    assert verdicts(judging) == before
    assert judging.undo("Bob") is None


def test_unknown_verdicts_are_refused(judging):
    with pytest.raises(ParameterError, match="unknown verdict 'maybe'"):
        judging.judge("q", "s", reader="", verdict="maybe")
    with pytest.raises(ParameterError, match="longer than"):
        judging.judge("q", "s", reader="", note="x" * 30_000)
    assert judging.all() == []


def test_readers_are_compared(judging):
    for source, one, other in (("a", "cit.", "cit."), ("b", "reject", "cit."), ("c", "cf.", "cf.")):
        judging.judge("q", source, reader="Ann", verdict=one)
        judging.judge("q", source, reader="Bob", verdict=other)
    ((found, _),) = judging.agreement()
    # Observed 2/3; by chance (1*2 + 1*1) / 9 = 1/3.
    assert (found.pairs, found.agreed, found.kappa) == (3, 2, pytest.approx(0.5))


def test_undo_restores_the_date_and_what_was_independent(judging):
    first = judging.judge("q", "s", reader="Ann", verdict="cit.")
    judging.judge("q", "s", reader="Bob", verdict="cf.")
    changed = judging.judge("q", "s", reader="Ann", verdict="cf.")
    assert (first.independent, changed.independent) == (True, False)
    assert judging.undo("Ann") == first
    assert judging.redo("Ann") == changed


def test_a_verdict_is_independent_if_nobody_else_had_judged_or_the_reader_is_blind(judging):
    assert judging.judge("q", "s", reader="Ann", verdict="cit.").independent
    assert not judging.judge("q", "s", reader="Bob", verdict="cit.").independent
    judging.set_blind("Eve", on=True)
    assert judging.is_blind("Eve")
    assert judging.judge("q", "s", reader="Eve", verdict="cf.").independent
    assert judging.judge("q", "s", reader="Eve", note="hm").independent
    assert judging.judge("q", "s", reader="Eve", verdict="cit.").independent
    judging.set_blind("Eve", on=False)
    assert judging.judge("q", "s", reader="Eve", note="hm!").independent
    assert not judging.judge("q", "s", reader="Eve", verdict="reject").independent
    judging.set_blind("Eve", on=True)  # too late for this pair
    assert not judging.judge("q", "s", reader="Eve", verdict="cf.").independent
    judging.judge("q", "s", reader="Eve", verdict=None)
    assert not judging.judge("q", "s", reader="Eve", verdict="cf.").independent
    judging.judge("q", "t", reader="Ann", verdict="cit.")
    assert judging.judge("q", "t", reader="Eve", verdict="cf.").independent


def test_who_has_read_openly_may_have_seen_what_others_said(judging):
    judging.judge("q", "s", reader="Ann", verdict="cit.")
    judging.judge("q", "t", reader="Bob", verdict="cit.")
    judging.set_blind("Bob", on=True)
    assert not judging.judge("q", "s", reader="Bob", verdict="cit.").independent


def test_an_undone_verdict_cannot_be_known(judging):
    judging.judge("q", "s", reader="Ann", verdict="cit.")
    judging.undo("Ann")
    assert judging.judge("q", "s", reader="Bob", verdict="cit.").independent


def test_nameless_judgements_get_a_name_and_nothing_is_overwritten(judging):
    judging.judge("q", "s", reader="", verdict="cit.")
    judging.judge("q", "t", reader="", verdict="cf.", note="mine")
    judging.judge("q", "s", reader="Ann", verdict="reject")
    given = judging.all("")[1]
    assert judging.rename("", "Ann") == Renamed(1, 1)
    assert verdicts(judging) == {
        ("q", "s", ""): ("cit.", ""),
        ("q", "s", "Ann"): ("reject", ""),
        ("q", "t", "Ann"): ("cf.", "mine"),
    }
    assert judging.all("Ann")[0].time == given.time
    assert [judging.undo("Ann").source_id for _ in range(2)] == ["s", "t"]
    assert verdicts(judging) == {("q", "s", ""): ("cit.", "")}
    assert judging.rename("Ann", "Ann") == Renamed(0, 0)


def test_a_judgement_is_not_lost_to_what_its_new_name_withdrew(judging):
    judging.judge("q", "s", reader="", verdict="cf.", note="mine")
    judging.judge("q", "s", reader="Ann", verdict="cit.")
    judging.judge("q", "s", reader="Ann", verdict=None)
    judging.judge("q", "t", reader="", verdict="cf.")
    judging.judge("q", "t", reader="", verdict="reject")
    assert judging.rename("", "Ann") == Renamed(2, 0)
    (first, _) = taken = judging.all("Ann")
    assert (first.verdict, first.note) == ("cf.", "mine")
    while judging.undo("Ann") is not None:
        pass
    assert judging.all() == []
    while judging.redo("Ann") is not None:
        pass
    assert judging.all() == taken


def test_readers_are_those_with_verdicts(judging):
    judging.judge("q", "s", reader="Eve", verdict="cit.")
    judging.judge("q", "s", reader="", verdict="cf.")
    judging.judge("q", "s", reader="Bob", note="only a note")
    assert judging.readers() == ["", "Eve"]
    assert [one.reader for one in judging.of_pair("q", "s")] == ["", "Bob", "Eve"]
    assert judging.decision("q", "s").verdict is None


def test_who_takes_a_blind_name_has_seen_what_was_open_under_the_old_one(judging):
    judging.set_blind("Bob", on=True)
    judging.judge("q", "s", reader="Eve", verdict="cit.")
    judging.judge("q", "t", reader="", verdict="cit.")
    judging.rename("", "Bob")
    assert judging.is_blind("Bob")
    assert not judging.judge("q", "s", reader="Bob", verdict="cit.").independent
    judging.judge("q", "u", reader="Eve", verdict="cit.")
    assert judging.judge("q", "u", reader="Bob", verdict="cit.").independent


def test_a_renamed_reader_keeps_decisions_and_blindness(judging):
    judging.judge("q", "s", reader="Ann", verdict="cit.")
    judging.decide("q", "s", reader="Ann", verdict="cf.")
    judging.set_blind("Ann", on=True)
    judging.rename("Ann", "Ann B.")
    assert [one.reader for one in [*judging.all(), *judging.decisions()]] == ["Ann B."] * 2
    assert judging.is_blind("Ann B.")
    assert judging.undo("Ann") is None
    assert judging.undo("Ann B.").adjudicated


def test_a_decision_needs_a_name_is_one_and_can_be_undone(judging):
    with pytest.raises(ParameterError, match="needs a name"):
        judging.decide("q", "s", reader="", verdict="cit.")
    judging.judge("q", "s", reader="Eve", verdict="reject")
    judging.decide("q", "s", reader="Ann", verdict="cit.", note="why")
    judging.decide("q", "s", reader="Eve", verdict="cf.")
    (found,) = judging.decisions()
    assert (found.reader, found.verdict, found.note) == ("Eve", "cf.", "why")
    judging.undo("Eve")
    (found,) = judging.decisions()
    assert (found.reader, found.verdict, found.note) == ("Ann", "cit.", "why")
    assert verdicts(judging) == {("q", "s", "Eve"): ("reject", "")}
    judging.undo("Ann")
    assert judging.decisions() == []


def test_a_blind_reader_decides_nothing(judging):
    judging.set_blind("Ann", on=True)
    with pytest.raises(ParameterError, match="blind"):
        judging.decide("q", "s", reader="Ann", verdict="cit.")


def test_independent_verdicts_are_compared_apart(judging):
    for source in "abcd":
        judging.judge("q", source, reader="Ann", verdict="cit." if source in "ab" else "reject")
    judging.judge("q", "a", reader="Bob", verdict="cit.")
    judging.judge("q", "c", reader="Bob", verdict="cit.")
    judging.set_blind("Eve", on=True)
    for source in "abcd":
        judging.judge("q", source, reader="Eve", verdict="cit." if source == "a" else "reject")
    found = {one.of_all.readers: one for one in judging.agreement()}
    assert found["Ann", "Bob"].of_all.pairs == 2
    assert found["Ann", "Bob"].of_independent.pairs == 0
    assert found["Ann", "Bob"].of_independent.kappa is None
    eve = found["Ann", "Eve"].of_independent
    assert (eve.pairs, eve.agreed, eve.kappa) == (4, 3, 0.5)
    assert eve.low < 0.5 < eve.high
