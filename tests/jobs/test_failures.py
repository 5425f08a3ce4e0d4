"""Disks that are full or read-only, clocks that go wrong: a clear error, and nothing is lost."""

import os
import shutil
import subprocess
import time

import pytest

from locisimiles import Index, load_example_query
from locisimiles.errors import OutputError
from locisimiles.jobs import (
    Job,
    SearchSettings,
    merging_pipeline,
    plan_job,
    present_blocks,
    run_blocks,
    write_compact,
)
from locisimiles.jobs import blocks as blocks_module

FREE = 24 * 1024


@pytest.fixture
def small_disk(tmp_path):
    """Mount a disk of half a megabyte, where the system lets us."""
    disk = tmp_path / "disk"
    disk.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=512k", "tmpfs", str(disk)]
    mount = shutil.which("mount")
    if mount is None or subprocess.run(command, check=False, capture_output=True).returncode:
        pytest.skip("this system does not let us mount a disk")
    yield disk
    subprocess.run(["umount", "--lazy", str(disk)], check=True)


@pytest.fixture
def disk_job(small_disk, sources):
    """Return a job of nine blocks on a disk that has room for some of them."""
    query, index = load_example_query(), Index.open(sources)
    return plan_job(small_disk / "job", query, index, SearchSettings("bm25"), block_size=5)


def fill(disk):
    """Leave little room on a disk."""
    ballast = disk / "ballast"
    with ballast.open("wb") as stream:
        free = os.statvfs(disk)
        stream.write(bytes(max(free.f_bavail * free.f_frsize - FREE, 0)))
    return ballast


def contents(job):
    return {path.name: path.read_bytes() for path in job.blocks_folder.glob("*.parquet")}


@pytest.mark.parametrize("processes", [1, 2])
def test_a_job_resumes_when_a_full_disk_has_room_again(disk_job, planned, small_disk, processes):
    run_blocks(planned)
    ballast = fill(small_disk)
    with pytest.raises(OutputError, match="No space left on device"):
        run_blocks(disk_job, processes=processes)
    done = contents(disk_job)
    assert len(done) < 9
    assert all(contents(planned)[name] == content for name, content in done.items())
    ballast.unlink()
    assert run_blocks(disk_job, processes=processes) == 9 - len(done)
    assert contents(disk_job) == contents(planned)
    assert not [path for path in disk_job.blocks_folder.iterdir() if path.name.startswith(".")]


def test_a_plan_that_finds_no_room_can_be_made_again(small_disk, sources):
    index, query = Index.open(sources), load_example_query()
    ballast = fill(small_disk)
    with (small_disk / "more").open("wb") as stream:
        stream.write(bytes(FREE - 8192))
    with pytest.raises(OutputError, match="No space left on device"):
        plan_job(small_disk / "job", query, index, SearchSettings("bm25"), block_size=5)
    ballast.unlink()
    job = plan_job(small_disk / "job", query, index, SearchSettings("bm25"), block_size=5)
    assert run_blocks(job) == 9


def test_results_that_find_no_room_leave_the_old_file(disk_job, small_disk):
    run_blocks(disk_job)
    target = small_disk / "hits.parquet"
    target.write_bytes(b"old")
    fill(small_disk)
    (small_disk / "more").write_bytes(bytes(FREE - 4096))
    with pytest.raises(OutputError, match="No space left on device"):
        write_compact(disk_job, merging_pipeline(disk_job), target)
    assert target.read_bytes() == b"old"


def test_a_full_disk_is_noticed_where_none_can_be_mounted(planned, monkeypatch):
    written, write = [], blocks_module.write_columns

    def full(path, columns, metadata):
        if len(written) == 4:
            raise OutputError("files.unwritable", path=str(path), reason="No space left on device")
        write(path, columns, metadata)
        written.append(path)

    with monkeypatch.context() as patched:
        patched.setattr(blocks_module, "write_columns", full)
        with pytest.raises(OutputError, match="No space left on device"):
            run_blocks(planned)
    assert len(present_blocks(planned)) == 4
    assert run_blocks(planned) == 5


def test_a_folder_that_cannot_be_written_is_an_error(disk_job, small_disk):
    run_blocks(disk_job, [2])
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    with pytest.raises(OutputError, match="Read-only file system"):
        run_blocks(disk_job)
    with pytest.raises(OutputError, match="Read-only file system"):
        run_blocks(disk_job, processes=2)
    # What is done can be read, and nothing is left to do for it.
    assert run_blocks(Job.open(disk_job.folder), [2]) == 0
    subprocess.run(["mount", "-o", "remount,rw", str(small_disk)], check=True)
    assert run_blocks(disk_job) == 8


def test_clocks_do_not_matter(planned, monkeypatch):
    run_blocks(planned)
    once = contents(planned)
    clock = iter(range(10**9, 0, -(10**6)))  # goes backwards
    with monkeypatch.context() as patched:
        patched.setattr(time, "time", lambda: float(next(clock)))
        for number, path in enumerate(sorted(planned.blocks_folder.iterdir())):
            year = (0, 4_000_000_000)[number % 2]  # 1970 or 2096
            os.utime(path, (year, year))
            if number < 3:
                path.unlink()
        assert run_blocks(planned) == 3
        assert run_blocks(planned) == 0
    assert contents(planned) == once


def test_what_a_killed_process_left_is_removed(planned):
    name = planned.block_path(0).name
    abandoned = planned.blocks_folder / f".{name}.x.locisimiles-part"
    abandoned.mkdir()
    (abandoned / name).write_bytes(b"PAR1 half")
    run_blocks(planned)
    assert not abandoned.exists()
