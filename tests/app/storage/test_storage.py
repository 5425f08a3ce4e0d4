"""Which storage is chosen."""

import sys

import pytest

from locisimiles import MissingDependencyError, ParameterError
from locisimiles.app.storage import default_folder, open_storage
from locisimiles.app.storage.sqlite import SqliteStorage

OTHER = "postgresql://nobody@127.0.0.1:1/none"


def test_by_default_projects_are_in_a_folder(tmp_path, monkeypatch):
    monkeypatch.delenv("LOCISIMILES_DATABASE", raising=False)
    monkeypatch.setenv("LOCISIMILES_PROJECTS", str(tmp_path / "mine"))
    assert default_folder() == tmp_path / "mine"
    assert open_storage().folder == tmp_path / "mine"


def test_a_folder_that_is_named_is_used_whatever_the_environment_says(tmp_path, monkeypatch):
    monkeypatch.setenv("LOCISIMILES_DATABASE", OTHER)
    assert open_storage(tmp_path).folder == tmp_path


def test_the_environment_may_name_the_database(postgres, monkeypatch):
    monkeypatch.setenv("LOCISIMILES_DATABASE", postgres.address())
    storage = open_storage()
    assert not isinstance(storage, SqliteStorage)
    storage.close()


def test_another_process_finds_the_same_storage(storage, monkeypatch):
    storage.create("ann", "letters")
    monkeypatch.setenv("LOCISIMILES_DATABASE", OTHER)
    for name, value in storage.environment().items():
        monkeypatch.setenv(name, value)
    again = open_storage()
    assert again.open("ann", "letters").key == storage.open("ann", "letters").key
    again.close()


def test_a_folder_and_a_database_exclude_each_other(tmp_path):
    with pytest.raises(ParameterError, match="both in a folder and in a database"):
        open_storage(tmp_path, OTHER)


def test_without_psycopg_the_error_says_what_to_install(monkeypatch):
    for name in ("connections", "postgres"):
        monkeypatch.delitem(sys.modules, f"locisimiles.app.storage.{name}", raising=False)
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(MissingDependencyError, match=r"pip install 'psycopg"):
        open_storage(None, OTHER)
