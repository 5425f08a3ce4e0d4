"""A project that version 0.1 wrote, before searches stood side by side."""

import shutil
from pathlib import Path

import pytest

from locisimiles.app.projects.collection import ProjectCollection
from locisimiles.app.results import ResultTable
from locisimiles.app.storage.backups import check_file
from locisimiles.app.storage.schema import MIGRATIONS

OLD = Path(__file__).parents[2] / "data" / "project-0.1.sqlite"


@pytest.fixture
def project(tmp_path):
    shutil.copyfile(OLD, tmp_path / "old.sqlite")
    return ProjectCollection(tmp_path).open("old")


def test_texts_results_and_judgements_are_kept(project):
    assert project.title == "From 0.1"
    with project.database.reading() as connection:
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        judged = connection.execute("SELECT query_id, verdict, reader FROM judgement ORDER BY 1")
        assert [tuple(row) for row in judged] == [
            ("letters 1", "cit.", "Ann"),
            ("letters 2", "reject", "Ann"),
        ]
    assert version == len(MIGRATIONS)
    rows = ResultTable(project.database).page().rows
    assert [(row["query_id"], row["source_id"]) for row in rows] == [
        ("letters 1", "vergil 1.1"),
        ("letters 2", "vergil 1.1"),
    ]


def test_what_was_brought_up_to_date_passes_all_checks(project):
    check_file(project.database.path)


def test_a_file_that_is_only_checked_stays_as_it_was(tmp_path):
    path = tmp_path / "old.sqlite"
    shutil.copyfile(OLD, path)
    check_file(path)
    assert path.read_bytes() == OLD.read_bytes()
