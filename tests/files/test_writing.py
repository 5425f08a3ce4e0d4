import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from locisimiles.errors import OutputError
from locisimiles.files import writing
from locisimiles.files.writing import atomic, make_folder, unfinished


def test_an_unfinished_file_leaves_the_existing_one_untouched(tmp_path):
    def lines():
        yield "new"
        raise RuntimeError

    path = tmp_path / "a.txt"
    path.write_text("old")
    with pytest.raises(RuntimeError), atomic(path) as stream:
        stream.writelines(lines())
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_is_created_with_its_parents(tmp_path):
    folder = tmp_path / "a" / "b"
    assert make_folder(folder) == folder
    assert make_folder(folder).is_dir()
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="file cannot be written: File exists"):
        make_folder(tmp_path / "file")


WRITING = """
import sys, time
from pathlib import Path
from locisimiles.files.writing import atomic

with atomic(Path(sys.argv[1])) as stream:
    stream.write("half")
    stream.flush()
    print("ready", flush=True)
    time.sleep(60)
"""


@pytest.fixture
def other_program(tmp_path):
    """Start a program that is in the middle of writing a file."""
    path = tmp_path / "a.txt"
    command = [sys.executable, "-c", WRITING, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout.readline() == "ready\n"
        yield path, running
        running.kill()


def test_what_a_killed_program_left_behind_is_deleted_by_the_next(other_program):
    path, running = other_program
    running.kill()
    running.wait()
    mine = path.with_name(".a.txt.notes")
    mine.write_text("not ours")
    assert len(list(path.parent.iterdir())) == 2
    with atomic(path) as stream:
        stream.write("whole")
    assert sorted(path.parent.iterdir()) == [mine, path]


def test_what_another_program_is_writing_stays(other_program):
    path, _ = other_program
    with atomic(path) as stream:
        stream.write("whole")
    (part,) = set(path.parent.iterdir()) - {path}
    assert part.read_text() == "half"


@pytest.mark.parametrize("step", ["_lock", "sync_file", "sync_folder"])
def test_whoever_interrupts_us_leaves_nothing_beside_the_file(tmp_path, monkeypatch, step):
    """Even in the moment in which the file was made."""

    def interrupted(*_):
        raise KeyboardInterrupt

    path = tmp_path / "a.txt"
    monkeypatch.setattr(writing, step, interrupted)
    with pytest.raises(KeyboardInterrupt), atomic(path) as stream:
        stream.write("whole")
    assert [*tmp_path.iterdir()] == ([path] if step == "sync_folder" else [])


def test_a_file_that_others_take_for_abandoned_is_made_again(tmp_path, monkeypatch):
    """They look for files without a lock, and may find ours before it has one."""
    lock, outcomes = writing._lock, [False, True]
    monkeypatch.setattr(writing, "_lock", lambda handle: lock(handle) and outcomes.pop(0))
    with atomic(tmp_path / "a.txt") as stream:
        stream.write("whole")
    assert outcomes == []
    assert [path.read_text() for path in tmp_path.iterdir()] == ["whole"]


def test_a_file_and_its_name_are_on_the_disk_when_it_is_written(tmp_path, monkeypatch):
    path, calls = tmp_path / "a.txt", []
    replace, sync = Path.replace, os.fsync

    def note_sync(handle):
        calls.append("folder" if stat.S_ISDIR(os.fstat(handle).st_mode) else "file")
        sync(handle)

    def note_replace(self, target):
        calls.append("rename")
        return replace(self, target)

    monkeypatch.setattr(os, "fsync", note_sync)
    monkeypatch.setattr(Path, "replace", note_replace)
    with atomic(path) as stream:
        stream.write("whole")
    assert calls == ["file", "rename", "folder"]


def test_a_file_that_appeared_meanwhile_is_not_replaced(tmp_path):
    path = tmp_path / "a.txt"
    with pytest.raises(OutputError, match="already exists"), unfinished(path, replace=False):
        path.write_text("theirs")
    assert path.read_text() == "theirs"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("letter", ["a", "α", "𝔞"])
def test_the_longest_names_can_be_written(tmp_path, letter):
    path = tmp_path / (letter * (255 // len(letter.encode())))
    with atomic(path) as stream:
        stream.write("whole")
    assert path.read_text() == "whole"
