"""Projects in a folder."""

import sqlite3
from contextlib import closing

import pytest

from locisimiles import InputError, OutputError
from locisimiles.app.storage.schema import MIGRATIONS
from locisimiles.app.storage.sqlite import SqliteStorage


@pytest.fixture
def folder(tmp_path):
    return SqliteStorage(tmp_path)


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
