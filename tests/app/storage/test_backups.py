"""Backups hold what was acknowledged, and never replace anything unasked."""

import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest

from locisimiles.app.judging.verdicts import Judging
from locisimiles.app.projects.collection import ProjectCollection
from locisimiles.app.storage.backups import back_up, check_file, restore
from locisimiles.app.storage.sqlite import SqliteStorage
from locisimiles.errors import InputError, LocisimilesError, OutputError

JUDGING = """
import sys
from locisimiles.app.judging.verdicts import Judging
from locisimiles.app.projects.collection import ProjectCollection

project = ProjectCollection(sys.argv[1]).open("jerome")
with project.database._connected() as open_all_the_time:  # as a search does: no checkpoint
    open_all_the_time.execute("SELECT COUNT(*) FROM judgement").fetchone()
    for number in range(100_000):
        Judging(project).judge(f"q{number}", "s", reader="Ann", verdict="cit.")
        print(number, flush=True)
"""


@pytest.fixture
def storage(tmp_path):
    return SqliteStorage(tmp_path / "projects")


@pytest.fixture
def project(storage):
    return ProjectCollection(storage).create("Jerome")


def judged(path):
    with closing(sqlite3.connect(path)) as connection:
        return {row[0] for row in connection.execute("SELECT query_id FROM judgement")}


def test_a_backup_holds_every_judgement_acknowledged_before(project, storage, tmp_path):
    judging = subprocess.Popen(
        [sys.executable, "-c", JUDGING, str(storage.folder)], stdout=subprocess.PIPE, text=True
    )
    try:
        for copies in range(5):
            acknowledged = {f"q{judging.stdout.readline().strip()}" for _ in range(20)}
            copy = tmp_path / f"copy-{copies}.sqlite"
            back_up(project.database.path, copy)
            assert acknowledged <= judged(copy)
        log = project.database.path.with_name("jerome.sqlite-wal")
        assert log.stat().st_size > 100_000  # what a copy of the one file would have missed
    finally:
        os.kill(judging.pid, signal.SIGKILL)
        judging.communicate()


def test_a_backup_is_one_file_and_needs_no_other(project, tmp_path):
    Judging(project).judge("q", "s", reader="Ann", verdict="cit.")
    copy = tmp_path / "copy.sqlite"
    back_up(project.database.path, copy)
    assert copy.read_bytes()[18:20] == b"\1\1"
    before = copy.read_bytes()
    check_file(copy)
    assert judged(copy) == {"q"}
    assert copy.read_bytes() == before
    assert {path.name for path in tmp_path.iterdir()} == {"projects", "copy.sqlite"}


def test_a_backup_replaces_nothing_unasked(project, tmp_path):
    copy = tmp_path / "copy.sqlite"
    copy.write_text("mine")
    with pytest.raises(OutputError, match="already exists"):
        back_up(project.database.path, copy)
    assert copy.read_text() == "mine"
    back_up(project.database.path, copy, overwrite=True)
    check_file(copy)
    with pytest.raises(OutputError, match="the project itself"):
        back_up(project.database.path, project.database.path, overwrite=True)


def test_a_damaged_project_gives_no_backup(project, tmp_path):
    path = project.database.path
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    content = bytearray(path.read_bytes())
    content[4096:8192] = bytes(4096)
    path.write_bytes(content)
    with pytest.raises(InputError):
        back_up(path, tmp_path / "copy.sqlite")
    assert [path.name for path in tmp_path.iterdir()] == ["projects"]


@pytest.mark.parametrize("content", [b"", b"SQLite format 3\0", b"x" * 5000, None])
def test_what_is_no_project_is_neither_copied_nor_restored(content, storage, tmp_path):
    path = tmp_path / "other.sqlite"
    if content is None:
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("CREATE TABLE other (a)")
    else:
        path.write_bytes(content)
    for use in (
        lambda: back_up(path, tmp_path / "copy.sqlite"),
        lambda: restore(path, storage, "", "other"),
        lambda: check_file(path),
    ):
        with pytest.raises(LocisimilesError):
            use()
    assert not (tmp_path / "copy.sqlite").exists()
    assert list(storage.all("")) == []


def test_a_restored_project_is_what_was_backed_up(project, storage, tmp_path):
    Judging(project).judge("q", "s", reader="Ann", verdict="cit.", note="Aen. 4")
    back_up(project.database.path, tmp_path / "copy.sqlite")
    Judging(project).judge("q2", "s", reader="Ann", verdict="cit.")
    restore(tmp_path / "copy.sqlite", storage, "", "in-may")
    again = ProjectCollection(storage).open("in-may")
    assert (again.title, judged(again.database.path)) == ("Jerome", {"q"})
    with pytest.raises(OutputError, match="a project 'jerome' already"):
        restore(tmp_path / "copy.sqlite", storage, "", "jerome")
    assert judged(project.database.path) == {"q", "q2"}


def test_a_project_is_replaced_while_it_is_open(project, storage, tmp_path):
    back_up(project.database.path, tmp_path / "copy.sqlite")
    Judging(project).judge("q", "s", reader="Ann", verdict="cit.")
    with project.database._connected() as connection:
        assert connection.execute("SELECT COUNT(*) FROM judgement").fetchone()[0] == 1
        restore(tmp_path / "copy.sqlite", storage, "", "jerome", overwrite=True)
        assert connection.execute("SELECT COUNT(*) FROM judgement").fetchone()[0] == 0
    Judging(project).judge("q3", "s", reader="Ann", verdict="cit.")
    assert judged(project.database.path) == {"q3"}
    check_file(project.database.path)


def test_a_destroyed_project_is_restored(project, storage, tmp_path):
    Judging(project).judge("q", "s", reader="Ann", verdict="cit.")
    back_up(project.database.path, tmp_path / "copy.sqlite")
    project.database.path.write_bytes(b"no database " * 1000)
    restore(tmp_path / "copy.sqlite", storage, "", "jerome", overwrite=True)
    assert judged(ProjectCollection(storage).open("jerome").database.path) == {"q"}
