"""Blocks done by Dask workers, which are killed, and by a scheduler that ends."""

import os
import random
import signal
import stat
import subprocess
import sys
import time
from contextlib import ExitStack
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import pytest

from locisimiles import Document, Index, load_example_query
from locisimiles.errors import InputError, MissingDependencyError, OutputError, ParameterError
from locisimiles.jobs import SearchSettings, open_cluster, plan_job, present_blocks, run_blocks
from locisimiles.jobs.workers import do_block

needs_dask = pytest.mark.skipif(
    not all(map(import_module("importlib.util").find_spec, ["distributed", "dask_jobqueue"])),
    reason="Dask is not installed",
)
SBATCH = """\
import os, subprocess, sys
with open({log!r}, "a") as log:
    task = subprocess.Popen(
        ["bash", sys.argv[-1]], stdout=log, stderr=log, start_new_session=True
    )
    with open({jobs!r}, "a") as jobs:
        print(task.pid, file=jobs)
print("Submitted batch job", task.pid)
"""
SCANCEL = """\
import os, signal, sys
for number in sys.argv[1:]:
    try:
        os.killpg(int(number), signal.SIGKILL)
    except ProcessLookupError:
        pass
"""


def contents(job):
    return {path.name: path.read_bytes() for path in job.blocks_folder.glob("*.parquet")}


@pytest.fixture
def twins(sources, tmp_path):
    """Return two equal jobs of 42 blocks, one of them done."""
    example = load_example_query()
    query = Document.from_segments(
        replace(segment, id=f"{segment.id}.{number}") for number in range(10) for segment in example
    )
    index, settings = Index.open(sources), SearchSettings("bm25")
    done, job = (
        plan_job(tmp_path / name, query, index, settings, block_size=10) for name in ("once", "job")
    )
    run_blocks(done)
    return done, job


@pytest.mark.parametrize(
    "name", ["", "local:", "local:0", "local:x", "slurm:-1", "10.0.0.1:8786", "tcp://", "http://x"]
)
def test_what_is_no_cluster_is_refused(name):
    with pytest.raises(ParameterError, match="is no cluster"), open_cluster(name):
        pass


def test_a_worker_notices_another_job_in_its_folder(planned):
    assert do_block(str(planned.folder), 3, planned.blocks[3]) == 3
    assert do_block(str(planned.folder), 3, planned.blocks[3]) == 3  # done before
    assert present_blocks(planned) == [3]
    for number, block in ((3, planned.blocks[4]), (9, planned.blocks[3])):
        with pytest.raises(InputError, match="is another one for a worker"):
            do_block(str(planned.folder), number, block)


def test_without_dask_the_error_says_what_to_install(monkeypatch):
    for name in ("dask", "distributed"):
        monkeypatch.setitem(sys.modules, name, None)
    with (
        pytest.raises(MissingDependencyError, match=r"install .*dask.*distributed"),
        open_cluster("local:1"),
    ):
        pass


@needs_dask
@pytest.mark.slow
def test_a_scheduler_that_does_not_answer_is_an_error(monkeypatch):
    monkeypatch.setattr("locisimiles.jobs.cluster._PATIENCE_S", 1)
    with (
        pytest.raises(OutputError, match=r"no scheduler answers at tcp://127\.0\.0\.1:9"),
        open_cluster("tcp://127.0.0.1:9"),
    ):
        pass


@needs_dask
@pytest.mark.slow
def test_workers_that_are_killed_ten_times_give_the_same_bytes(twins):
    once, job = twins
    killed, drawn = [], random.Random(5)

    def kill_one(task, done, _total):
        if task == "searching blocks" and done % 4 == 2:
            # The other one may just be starting.
            deadline = time.monotonic() + 60
            while not (workers := _workers()) and time.monotonic() < deadline:
                time.sleep(0.01)
            number = drawn.choice(workers)
            os.kill(number, signal.SIGKILL)
            killed.append(number)

    with open_cluster("local:2") as cluster:
        assert cluster.dashboard.startswith("http://")
        done = run_blocks(job, cluster=cluster, progress=kill_one)
    assert done == len(job.blocks) == 42
    assert len(set(killed)) == len(killed) >= 10
    assert contents(job) == contents(once)


@needs_dask
@pytest.mark.slow
def test_a_scheduler_that_ends_loses_nothing(twins, tmp_path):
    once, job = twins
    script = tmp_path / "scheduler.py"
    script.write_text(
        "from distributed import LocalCluster\n"
        "import time\n"
        "if __name__ == '__main__':\n"
        "    cluster = LocalCluster(n_workers=1, threads_per_worker=2, dashboard_address=':0')\n"
        "    print(cluster.scheduler_address, flush=True)\n"
        "    time.sleep(600)\n"
    )
    for round_number in range(2):
        scheduler = subprocess.Popen(
            [sys.executable, script], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        with scheduler, ExitStack() as stack:
            stack.callback(scheduler.kill)
            address = scheduler.stdout.readline().strip()
            with open_cluster(address) as cluster:
                if round_number == 0:

                    def end(task, done, _total, scheduler=scheduler):
                        if task == "searching blocks" and done == 3:
                            scheduler.kill()

                    with pytest.raises(OutputError, match=r"lost .*what is done is kept"):
                        run_blocks(job, cluster=cluster, progress=end)
                    assert 3 <= len(present_blocks(job)) < len(job.blocks)
                else:
                    run_blocks(job, cluster=cluster)
    assert contents(job) == contents(once)


@needs_dask
@pytest.mark.slow
def test_jobs_of_slurm_do_blocks(twins, tmp_path, monkeypatch):
    once, job = twins
    programs = tmp_path / "bin"
    programs.mkdir()
    jobs = tmp_path / "jobs"
    jobs.touch()
    for name, content in (("sbatch", SBATCH), ("scancel", SCANCEL)):
        path = programs / name
        code = content.format(log=str(tmp_path / "log"), jobs=str(jobs))
        path.write_text(f"#!{sys.executable}\n{code}")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("DASK_JOBQUEUE__SLURM__INTERFACE", "lo")
    with open_cluster("slurm:2") as cluster:
        assert run_blocks(job, cluster=cluster) == len(job.blocks)
    assert len(jobs.read_text().split()) >= 1
    assert contents(job) == contents(once)
    deadline = time.monotonic() + 30
    while any(map(_alive, jobs.read_text().split())) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not any(map(_alive, jobs.read_text().split()))


def _workers():
    """Return the processes that Dask's nannies have started here."""
    children = Path(f"/proc/{os.getpid()}/task").glob("*/children")
    return [
        int(number)
        for listed in children
        for number in listed.read_text().split()
        if b"spawn_main" in Path(f"/proc/{number}/cmdline").read_bytes() and _alive(number)
    ]


def _alive(number):
    try:
        return Path(f"/proc/{number}/stat").read_text().split()[2] != "Z"
    except OSError:
        return False


@needs_dask
@pytest.mark.slow
def test_errors_of_workers_come_back(planned):
    planned.query_path.unlink()
    with open_cluster("local:1") as cluster, pytest.raises(Exception, match="query-") as raised:
        run_blocks(planned, cluster=cluster)
    assert "Traceback" not in str(raised.value)
