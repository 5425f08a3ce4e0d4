"""The file of a project."""

import sqlite3
from contextlib import closing

import pytest

from locisimiles import InputError
from locisimiles.app import database as module
from locisimiles.app.database import MIGRATIONS, Database


def test_a_new_file_has_the_newest_version(tmp_path):
    path = tmp_path / "a.sqlite"
    Database(path, create=True)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (len(MIGRATIONS),)
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_an_old_file_is_brought_up_and_keeps_what_it_has(tmp_path, monkeypatch):
    path = tmp_path / "a.sqlite"
    with Database(path, create=True).writing() as connection:
        connection.execute("INSERT INTO setting VALUES ('title', 'old')")
    monkeypatch.setattr(
        module, "MIGRATIONS", (*MIGRATIONS, "ALTER TABLE setting ADD COLUMN more TEXT;")
    )
    with Database(path).reading() as connection:
        assert tuple(connection.execute("SELECT * FROM setting").fetchone()) == (
            "title", "old", None,
        )  # fmt: skip


def test_a_newer_file_is_refused(tmp_path):
    path = tmp_path / "a.sqlite"
    Database(path, create=True)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 99")
    with pytest.raises(InputError, match="newer version"):
        Database(path)


def test_another_file_is_refused(tmp_path):
    path = tmp_path / "a.sqlite"
    path.write_text("this is no database" * 100)
    with pytest.raises(InputError, match="no project of ours"):
        Database(path)


def test_a_missing_file_is_refused_and_not_made(tmp_path):
    with pytest.raises(InputError, match="no such project"):
        Database(tmp_path / "a.sqlite")
    assert not (tmp_path / "a.sqlite").exists()


def test_what_fails_in_the_middle_changes_nothing(tmp_path):
    database = Database(tmp_path / "a.sqlite", create=True)
    insert = "INSERT INTO setting VALUES ('title', 'x')"
    with pytest.raises(sqlite3.IntegrityError), database.writing() as connection:
        _ = connection.execute(insert), connection.execute(insert)
    with database.reading() as connection:
        assert connection.execute("SELECT * FROM setting").fetchall() == []


def test_half_a_character_is_refused(tmp_path):
    database = Database(tmp_path / "a.sqlite", create=True)
    with pytest.raises(InputError, match="half a character"), database.writing() as connection:
        connection.execute("INSERT INTO setting VALUES ('title', ?)", ["\ud800"])
