"""Judgements as tables: what is exported comes back exactly."""

import csv
import io
from dataclasses import astuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from locisimiles import InputError
from locisimiles.app.judging.exchange import (
    JUDGEMENT_SUFFIXES,
    Imported,
    export_judgements,
    import_judgements,
)
from locisimiles.app.judging.verdicts import VERDICTS, Judging
from locisimiles.app.results.exporting import export_file
from locisimiles.app.storage.tables.judgements import StoredJudgement, put_judgement


@pytest.fixture
def other(projects):
    return projects.create("other")


def everything(project):
    judging = Judging(project)
    return [astuple(one) for one in [*judging.all(), *judging.decisions()]]


def empty(*projects):
    for each in projects:
        with each.database.writing() as connection:
            for table in ("judgement", "judgement_log", "decision"):
                connection.execute(f"DELETE FROM {table}")


def fill(project):
    judging = Judging(project)
    judging.judge("q, 1", 's "2"', reader="Ann", verdict="cit.", note="two\nlines; <b>\r\n")
    judging.judge("q, 1", "t", reader="Bob", verdict="reject")
    judging.judge("q, 1", "t", reader="", verdict="cf.")
    judging.judge("q, 1", "u", reader="Ann", note="'=only a note")
    judging.decide("q, 1", "t", reader="Eve", verdict="unsure", note="+both")


@pytest.mark.parametrize("suffix", JUDGEMENT_SUFFIXES)
def test_exported_judgements_can_be_imported(project, other, suffix):
    fill(project)
    table = export_judgements(project, suffix)
    assert import_judgements(other, f"t{suffix}", table, reader="Zoe") == Imported(5, 0, 0, 0)
    assert everything(other) == everything(project)
    assert import_judgements(other, f"t{suffix}", table, reader="Zoe") == Imported(0, 0, 5, 0)
    assert export_judgements(other, suffix) == table


def test_exported_results_bring_all_judgements_too(searched, other):
    for row, reader, verdict in ((1, "Ann", "cit."), (1, "Bob", "cf."), (2, "", "reject")):
        pair = pair_of(searched, row)
        Judging(searched).judge(*pair, reader=reader, verdict=verdict, note="here")
    Judging(searched).decide(*pair_of(searched, 1), reader="Eve", verdict="cf.")
    table = export_file(searched, ".json")
    assert import_judgements(other, "t.json", table, reader="Zoe") == Imported(4, 0, 0, 0)
    assert everything(other) == everything(searched)


def pair_of(project, row):
    with project.database.reading() as connection:
        found = connection.execute("SELECT query_id, source_id FROM result WHERE row = ?", [row])
        return tuple(found.fetchone())


TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=30)
HOSTILE = st.sampled_from(
    [
        "=cmd|' /C calc'!A0",
        "+1",
        "-1",
        "@SUM(A1)",
        "\tx",
        "\rx",
        "'=x",
        "''",
        "'",
        "a\r\nb\n",
        " x ",
    ]
)
CELL = TEXT | HOSTILE
JUDGEMENT = st.builds(
    StoredJudgement,
    query_id=CELL.filter(bool),
    source_id=CELL.filter(bool),
    verdict=st.sampled_from([*VERDICTS, None]),
    reader=CELL.map(str.strip),
    note=CELL,
    time=st.integers(1, 4 * 10**15).map(lambda micros: micros / 1e6),
    independent=st.booleans(),
    adjudicated=st.booleans(),
)


def put(project, judgements):
    with project.database.writing() as connection:
        for one in judgements:
            put_judgement(connection, one, one)


def is_whole(one):
    """Tell whether the app could store it."""
    return (
        (one.verdict is not None or one.note)
        and (one.reader or not one.adjudicated)
        and not (one.independent and (one.adjudicated or one.verdict is None))
    )


@settings(
    deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@pytest.mark.parametrize("storage", ["sqlite"], indirect=True)
@given(
    judgements=st.lists(
        JUDGEMENT.filter(is_whole),
        max_size=5,
        unique_by=lambda one: (one.query_id, one.source_id, one.adjudicated or one.reader),
    ),
    suffix=st.sampled_from(JUDGEMENT_SUFFIXES),
)
def test_every_judgement_comes_back_exactly(searched, project, judgements, suffix):
    empty(searched, project)
    put(searched, judgements)
    table = export_judgements(searched, suffix)
    imported = import_judgements(project, f"t{suffix}", table, reader="Zoe")
    assert imported == Imported(len(judgements), 0, 0, 0)
    assert everything(project) == everything(searched)
    again = import_judgements(project, f"t{suffix}", table, reader="Zoe")
    assert again == Imported(0, 0, len(judgements), 0)
    assert everything(project) == everything(searched)
    if suffix == ".csv":
        written = csv.reader(io.StringIO(table.decode(), newline=""))
        assert not any(cell.startswith(tuple("=+-@\t\r\n")) for row in written for cell in row)


def test_the_newer_judgement_counts(project, other):
    fill(project)
    table = export_judgements(project, ".csv")
    import_judgements(other, "t.csv", table, reader="")
    newer = Judging(other).judge("q, 1", "t", reader="Bob", verdict="cit.")
    assert import_judgements(other, "t.csv", table, reader="") == Imported(0, 0, 4, 1)
    assert newer in Judging(other).all("Bob")
    newest = export_judgements(other, ".csv")
    assert import_judgements(project, "t.csv", newest, reader="") == Imported(0, 1, 4, 0)
    assert everything(project) == everything(other)


def test_a_table_without_dates_adds_to_what_there_is(project):
    judging = Judging(project)
    judging.judge("q", "s", reader="Ann", verdict="cf.", note="old")
    table = b"query_id,source_id,verdict,reader,note\nq,s,,Ann,new\nq,t,,Ann,look up\n"
    assert import_judgements(project, "t.csv", table, reader="") == Imported(1, 1, 0, 0)
    table = b"query_id,source_id,verdict,reader,note\nq,s,reject,Ann,\n"
    assert import_judgements(project, "t.csv", table, reader="") == Imported(0, 1, 0, 0)
    kept = {(one.source_id, one.verdict, one.note) for one in judging.all()}
    assert kept == {("s", "reject", "new"), ("t", None, "look up")}


def test_judgements_of_a_table_without_readers_become_the_readers(project):
    judging = Judging(project)
    judging.judge("q", "s", reader="Eve", verdict="cit.")
    table = b"query_id,source_id,verdict\nq,s,cf.\n"
    assert import_judgements(project, "table.csv", table, reader="Eve") == Imported(0, 1, 0, 0)
    assert [(one.reader, one.verdict) for one in judging.all()] == [("Eve", "cf.")]


def test_apostrophes_in_json_are_kept(project):
    table = b'[{"query_id": "\'=q", "source_id": "s", "verdict": "cf."}]'
    import_judgements(project, "table.json", table, reader="Eve")
    assert [one.query_id for one in Judging(project).all()] == ["'=q"]


def test_a_wrong_table_changes_nothing_and_names_the_users_file(project):
    table = b"query_id,source_id,verdict\nq,s,cf.\nq,t,perhaps\n"
    with pytest.raises(InputError, match=r"^mine\.csv, row 3: unknown verdict 'perhaps'"):
        import_judgements(project, "mine.csv", table, reader="Eve")
    assert everything(project) == []


def test_a_pair_has_one_decision(project):
    table = b"query_id,source_id,verdict,reader,adjudicated\nq,s,cf.,Eve,yes\nq,s,cit.,Zoe,yes\n"
    with pytest.raises(InputError, match="row 3"):
        import_judgements(project, "mine.csv", table, reader="")
