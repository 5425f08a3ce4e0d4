"""Projects in a folder."""

import sqlite3
from contextlib import closing

import pytest

from locisimiles import InputError, OutputError
from locisimiles.app.projects.collection import ProjectCollection
from locisimiles.app.results import ResultTable
from locisimiles.app.search.stored_searches import StoredSearches
from locisimiles.app.storage import schema
from locisimiles.app.storage.schema import MIGRATIONS
from locisimiles.app.storage.sqlite import SqliteStorage, forget_checks


@pytest.fixture
def folder(tmp_path):
    return SqliteStorage(tmp_path)


def test_a_project_before_searches_side_by_side_keeps_everything(folder, monkeypatch):
    """A project of version 3 had one search whose results were those of the project."""
    monkeypatch.setattr(schema, "MIGRATIONS", MIGRATIONS[:3])
    made = ProjectCollection(folder).create("Old")
    with made.database.writing() as connection:
        for side in ("query", "source"):
            connection.execute(
                "INSERT INTO segment VALUES (?, 0, 'a', 'arma uirum', 'x', 'y', '1', '', '{}')",
                [side],
            )
            connection.execute(
                "INSERT INTO input (side, kind, name) VALUES (?, 'file', 'a.txt')", [side]
            )
        for _ in range(2):
            connection.execute(
                "INSERT INTO search (parameters, state, created, finished_queries) "
                "VALUES ('{}', 'done', 0, 1)"
            )
        connection.execute(
            "INSERT INTO result (query, source, rank, score, query_id, source_id, query_author, "
            "query_work, source_author, source_work, shared, alignment, explanation) "
            "VALUES (0, 0, 1, 2.5, 'a', 'a', 'x', 'y', 'x', 'y', 'arma', '[]', 'Shares arma.')"
        )
        connection.execute("INSERT INTO judgement VALUES ('a', 'a', 'Ann', 'cit.', 'here', 1)")
    monkeypatch.setattr(schema, "MIGRATIONS", MIGRATIONS)
    again = ProjectCollection(folder).open(made.id)
    page = ResultTable(again.database, "Ann").page(texts=True)
    assert (page.total, page.rows[0]["verdict"], page.rows[0]["note"]) == (1, "cit.", "here")
    assert page.rows[0]["query_text"] == page.rows[0]["source_text"] == "arma uirum"
    (kept,) = StoredSearches(again).all()
    assert (kept.number, kept.pairs, kept.is_current) == (2, 1, True)
    assert (kept.query_names, kept.source_names) == (("a.txt",), ("a.txt",))
    assert len(again.document("query", 2)) == again.texts.count("query") == 1


def test_a_new_file_has_the_newest_version(folder):
    path = folder.create("ann", "a").path
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (len(MIGRATIONS),)
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_each_user_has_a_folder(folder, tmp_path):
    assert folder.create("ann", "a").path == tmp_path / "ann" / "a.sqlite"


def test_a_newer_file_is_refused(folder):
    path = folder.create("", "a").path
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 99")
    with pytest.raises(InputError, match="newer version"):
        folder.open("", "a")


def test_another_file_is_refused(folder):
    folder.path("", "a").write_text("this is no database" * 100)
    with pytest.raises(InputError, match="not a project of locisimiles"):
        folder.open("", "a")


def test_a_missing_file_is_refused_and_not_created(folder):
    with pytest.raises(InputError, match="unknown project 'a'"):
        folder.open("", "a")
    assert not folder.path("", "a").exists()


def test_a_folder_that_cannot_be_created_is_reported_without_its_name(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(OutputError, match="cannot be created") as raised:
        SqliteStorage(tmp_path / "file" / "folder")
    assert str(tmp_path) not in str(raised.value)


def test_files_and_folders_are_for_their_owner_alone(tmp_path):
    storage = SqliteStorage(tmp_path / "projects")
    database = storage.create("ann", "letters")
    with database.writing() as connection:
        connection.execute("INSERT INTO setting VALUES ('title', 'x')")
        for path in (database.path, *database.path.parent.glob("*-wal")):
            assert path.stat().st_mode & 0o777 == 0o600
    for folder in (storage.folder, database.path.parent):
        assert folder.stat().st_mode & 0o777 == 0o700


def test_a_file_that_others_could_read_is_taken_from_them(tmp_path):
    path = SqliteStorage(tmp_path).create("", "letters").path
    path.chmod(0o664)
    forget_checks()
    SqliteStorage(tmp_path).open("", "letters")
    assert path.stat().st_mode & 0o777 == 0o600
