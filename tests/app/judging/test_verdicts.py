"""Verdicts of readers."""

import csv
import io

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from locisimiles import InputError, ParameterError
from locisimiles.app.judging.verdicts import Imported, Judging


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


def test_exported_judgements_can_be_imported(judging, projects):
    judging.judge("q, 1", 's "2"', reader="Ann", verdict="cit.", note="two\nlines; <b>")
    judging.judge("q, 1", "t", reader="Bob", verdict="reject")
    other = Judging(projects.create("other"))
    table = judging.export_csv().encode()
    assert other.import_file("table.csv", table, reader="Eve") == Imported(2, 0, 0)
    assert verdicts(other) == verdicts(judging)
    assert other.import_file("table.csv", table, reader="Eve") == Imported(0, 0, 2)


CELLS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), min_size=1)
HOSTILE = st.sampled_from(["=cmd|' /C calc'!A0", "+1", "-1", "@SUM(A1)", "\tx", "\rx", "'=x", "''"])


@settings(
    deadline=None, max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.tuples(*[CELLS | HOSTILE] * 4))
def test_exported_cells_survive_and_are_no_formulas(searched, project, cells):
    query_id, source_id, reader, note = cells
    for each in (searched, project):
        with each.database.writing() as connection:
            connection.execute("DELETE FROM judgement")
    one, other = Judging(searched), Judging(project)
    reader = reader.strip()[:100]
    one.judge(query_id, source_id, reader=reader, verdict="cf.", note=note)
    table = one.export_csv()
    other.import_file("judgements.csv", table.encode(), reader=reader)
    assert verdicts(other) == verdicts(one)
    written = list(csv.reader(io.StringIO(table, newline="")))
    assert not any(cell.startswith(tuple("=+-@\t\r\n")) for row in written for cell in row)


def test_apostrophes_in_json_are_kept(judging):
    table = b'[{"query_id": "\'=q", "source_id": "s", "verdict": "cf."}]'
    judging.import_file("table.json", table, reader="Eve")
    assert [one.query_id for one in judging.all()] == ["'=q"]


def test_judgements_without_a_name_become_the_readers(judging):
    table = b"query_id,source_id,verdict\nq,s,cf.\n"
    judging.judge("q", "s", reader="Eve", verdict="cit.")
    assert judging.import_file("table.csv", table, reader="Eve") == Imported(0, 1, 0)
    assert verdicts(judging) == {("q", "s", "Eve"): ("cf.", "")}


def test_a_wrong_table_changes_nothing_and_names_the_users_file(judging):
    table = b"query_id,source_id,verdict\nq,s,cf.\nq,t,perhaps\n"
    with pytest.raises(InputError, match=r"^mine\.csv, row 3: unknown verdict 'perhaps'"):
        judging.import_file("mine.csv", table, reader="Eve")
    assert judging.all() == []


def test_readers_are_compared(judging):
    for source, one, other in (("a", "cit.", "cit."), ("b", "reject", "cit."), ("c", "cf.", "cf.")):
        judging.judge("q", source, reader="Ann", verdict=one)
        judging.judge("q", source, reader="Bob", verdict=other)
    (found,) = judging.agreement()
    # Observed 2/3; by chance (1*2 + 1*1) / 9 = 1/3.
    assert (found.pairs, found.agreed, found.kappa) == (3, 2, pytest.approx(0.5))
