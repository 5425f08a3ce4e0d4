"""Blocks, run in any order by any number of processes, and damaged."""

import os
import random
import signal
import threading
import time
from pathlib import Path

import pytest

from locisimiles.errors import OutputError, ParameterError
from locisimiles.jobs import missing_blocks, present_blocks, run_blocks, slice_of
from locisimiles.jobs.processes import done_in_processes, single_threads


def contents(job):
    return {path.name: path.read_bytes() for path in job.blocks_folder.iterdir()}


def test_what_is_done_is_not_done_again(planned):
    assert run_blocks(planned, [3, 5]) == 2
    assert present_blocks(planned) == [3, 5]
    before = contents(planned)
    assert run_blocks(planned) == 7
    assert run_blocks(planned) == 0
    assert {name: contents(planned)[name] for name in before} == before


def test_the_same_bytes_in_any_order(planned):
    run_blocks(planned)
    once = contents(planned)
    for path in planned.blocks_folder.iterdir():
        path.unlink()
    for number in random.Random(1).sample(range(9), 9):
        run_blocks(planned, [number])
    assert contents(planned) == once


def test_damaged_blocks_are_done_again(planned):
    run_blocks(planned)
    once = contents(planned)
    paths = [planned.block_path(number) for number in range(4)]
    content = bytearray(paths[0].read_bytes())
    content[40] ^= 1
    paths[0].write_bytes(content)
    paths[1].write_bytes(paths[1].read_bytes()[:-9])
    paths[2].write_bytes(b"")
    paths[3].write_bytes(once[planned.block_path(5).name])  # another's
    assert missing_blocks(planned) == [0, 1, 2, 3]
    assert run_blocks(planned) == 4
    assert contents(planned) == once


def test_parts_share_all_blocks(planned):
    parts = [slice_of(planned, f"{part}/4") for part in (1, 2, 3, 4)]
    assert parts[0] == [0, 4, 8]
    assert sorted(number for part in parts for number in part) == list(range(9))
    assert slice_of(planned, "12/12") == []


@pytest.mark.parametrize("part", ["", "1", "0/4", "5/4", "-1/4", "a/b", "1/4/2"])
def test_what_is_no_part_is_refused(planned, part):
    with pytest.raises(ParameterError, match="is no part of a job"):
        slice_of(planned, part)


def test_processes_that_are_killed_are_replaced(planned):
    run_blocks(planned)
    once = contents(planned)
    for path in planned.blocks_folder.iterdir():
        path.unlink()
    killed = threading.Event()

    def kill_one():
        while not killed.is_set():
            for child in Path(f"/proc/{os.getpid()}/task").glob("*/children"):
                for number in child.read_text().split():
                    if b"spawn_main" in Path(f"/proc/{number}/cmdline").read_bytes():
                        os.kill(int(number), signal.SIGKILL)
                        killed.set()
                        return
            time.sleep(0.01)

    if not Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").exists():
        pytest.skip("the system does not list processes")
    killer = threading.Thread(target=kill_one)
    killer.start()
    done = list(done_in_processes(planned.folder, range(9), 2))
    killed.set()
    killer.join()
    assert sorted(done) == list(range(9))
    assert contents(planned) == once


def test_errors_come_back_from_processes(planned):
    planned.query_path.unlink()
    with pytest.raises(Exception, match="query-") as raised:
        run_blocks(planned, processes=2)
    assert "Traceback" not in str(raised.value)


def test_a_block_that_kills_each_process_ends_the_job(planned, monkeypatch):
    monkeypatch.setattr("locisimiles.jobs.processes._serve", print)  # and end
    with pytest.raises(OutputError, match="ended several times over the same block"):
        run_blocks(planned, processes=2)


def test_libraries_of_processes_use_one_thread(monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "7")
    monkeypatch.delenv("MKL_NUM_THREADS", raising=False)
    with single_threads():
        assert os.environ["OMP_NUM_THREADS"] == os.environ["MKL_NUM_THREADS"] == "1"
    assert os.environ["OMP_NUM_THREADS"] == "7"
    assert "MKL_NUM_THREADS" not in os.environ
