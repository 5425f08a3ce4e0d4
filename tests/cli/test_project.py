"""``locisimiles project``."""

import sqlite3

import pytest

from locisimiles.app.projects.collection import ProjectCollection


@pytest.fixture
def folder(tmp_path, monkeypatch):
    folder = tmp_path / "projects"
    ProjectCollection(folder).create("Jerome's letters")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LOCISIMILES_PROJECTS", str(folder))
    monkeypatch.delenv("LOCISIMILES_DATABASE", raising=False)
    return folder


@pytest.mark.usefixtures("folder")
def test_a_project_is_listed_backed_up_checked_and_restored(program, tmp_path):
    assert "jerome-s-letters" in program("project", "list").out
    copy = tmp_path / "copy.sqlite"
    assert program("project", "backup", "jerome-s-letters", "-o", copy).code == 0
    assert "no damage in 1 project" in program("project", "check", copy).err
    again = program("project", "backup", "jerome-s-letters", "-o", copy)
    assert (again.code, "already exists" in again.err) == (1, True)
    restored = program("project", "restore", copy, "--as", "second")
    assert "restored the project second (Jerome's letters)" in restored.err
    assert "no damage in 2 projects" in program("project", "check").err


@pytest.mark.usefixtures("folder")
def test_the_copy_has_a_name_by_default(program, tmp_path):
    program("project", "backup", "jerome-s-letters")
    assert len(list(tmp_path.glob("jerome-s-letters-20*.sqlite"))) == 1


def test_damage_is_named(program, folder):
    path = folder / "jerome-s-letters.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
        connection.execute("INSERT INTO setting VALUES ('reading', 'no JSON')")
    connection.close()
    checked = program("project", "check")
    assert checked.code == 1
    assert str(path) in checked.out
    assert "1 of 1 projects are damaged" in checked.err


@pytest.mark.parametrize("name", ["../x", "no-such-one", "x.sqlite", "UPPER"])
@pytest.mark.usefixtures("folder")
def test_an_unknown_project_is_said_to_be_unknown(program, name):
    ended = program("project", "backup", name, "-o", "copy.sqlite")
    assert ended.code == 1
    assert "unknown project" in ended.err or "not found" in ended.err


@pytest.mark.usefixtures("folder")
def test_a_database_server_is_backed_up_by_its_own_tools(program, monkeypatch):
    monkeypatch.setenv("LOCISIMILES_DATABASE", "postgresql://ann@localhost/loci")
    assert "pg_dump" in program("project", "check").err
