"""What a command calls written is on the disk, and nothing else is left behind.

A computer may lose its power after any command: then files whose bytes or names were not synced are
empty, or gone.
"""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from locisimiles.app.projects.collection import ProjectCollection
from locisimiles.app.projects.inputs import use_example
from locisimiles.export.formats import EXPORT_SUFFIXES
from support.commands import program
from support.small_set import small_set

__all__ = ["program"]

QUERY = "id,text,work\nq1,Haesit uox faucibus,A\nq2,arma uirumque fero,A\nq3,nihil tale,A\n"
SOURCE = "id,text,work\ns1,et uox faucibus haesit,B\ns2,Arma uirumque cano,B\n"
SEARCH = "search query.csv source.csv --method bm25 --classifier none"
HITS = f"{SEARCH} -o hits.parquet"
PLAN = "job plan job query.csv index --method bm25 --classifier none"

COMMANDS = {
    **{f"search, {suffix}": [f"{SEARCH} -o out/hits{suffix}"] for suffix in EXPORT_SUFFIXES},
    "segment": ["segment source.csv -o out/segments.csv"],
    "export": [HITS, "export hits.parquet -o out/hits.xlsx"],
    "query": [HITS, "query hits.parquet SELECT*FROM(results) -o out/rows.csv"],
    "query, Parquet": [HITS, "query hits.parquet SELECT*FROM(results) -o out/rows.parquet"],
    "network": [HITS, "network hits.parquet -o out/works.graphml"],
    "index": ["index build out/index source.csv --model none"],
    "index, changed": ["index build out/index source.csv --model none",
                       "index add out/index query.csv"],
    "job": ["index build index source.csv --model none", PLAN.replace("plan job", "plan out/job")],
    "benchmark": ["benchmark run set --method bm25 --protocol retrieval -o out/runs"],
    "backup": ["project backup mine --projects projects -o out/mine.sqlite"],
}  # fmt: skip


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with texts, a benchmark set and a project, from which commands are run."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LOCISIMILES_DATA", str(tmp_path / "data"))
    Path("query.csv").write_text(QUERY)
    Path("source.csv").write_text(SOURCE)
    Path("out").mkdir()
    small_set().save("set")
    use_example(ProjectCollection(tmp_path / "projects").create("Mine"))
    return tmp_path


def identity(status):
    return status.st_dev, status.st_ino


@pytest.mark.skipif(os.name == "nt", reason="folders cannot be synced there")
@pytest.mark.parametrize("commands", COMMANDS.values(), ids=COMMANDS)
def test_files_and_their_folders_are_synced(program, folder, monkeypatch, commands):
    synced, sync = [], os.fsync

    def note(handle):
        synced.append(identity(os.fstat(handle)))
        sync(handle)

    monkeypatch.setattr(os, "fsync", note)
    for command in commands:
        done = program(*command.split())
        assert done.code == 0, done.err
    written = [path for path in (folder / "out").rglob("*") if path.suffix != ".lock"]
    files = [path for path in written if path.is_file()]
    assert files
    for path in files:
        file, parent = (identity(one.stat()) for one in (path, path.parent))
        assert file in synced, path
        # Its name, after its bytes.
        assert parent in synced[synced.index(file) :], path


LONG = {
    "search in processes": f"{SEARCH} --jobs 2 -o out/hits.csv",
    "search": f"{SEARCH} -o out/hits.xlsx",
    "job": "job run job --jobs 2",
    "index": "index build out/index long.csv",
    "benchmark": "benchmark run set -o out/runs",
    "export": "export hits.parquet -o out/hits.docx",
    "query": "query hits.parquet SELECT*FROM(results) -o out/rows.parquet",
    "demo": "demo",
}


def left(folder):
    """Return what commands make for themselves alone."""
    return [*(folder / "out").rglob(".*"), *(folder / "tmp").iterdir()]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="sends a signal to a program and its processes")
@pytest.mark.parametrize("end", ["by itself", "interrupted"])
@pytest.mark.parametrize("command", LONG.values(), ids=LONG)
def test_temporary_files_are_gone_however_a_command_ends(program, folder, command, end):
    rows = "".join(f"l{n},uox faucibus haesit {n} arma uirum\n" for n in range(3000))
    Path("long.csv").write_text(f"id,text\n{rows}")
    Path("tmp").mkdir()
    for before in ("index build index source.csv --model none", HITS, PLAN):
        assert program(*before.split()).code == 0
    environment = {**os.environ, "TMPDIR": str(folder / "tmp"), "LOCISIMILES_CACHE": "cache"}
    running = subprocess.Popen(
        [sys.executable, "-m", "locisimiles", *command.split()],
        env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
    )  # fmt: skip
    if end == "interrupted":
        begun = time.monotonic()
        while running.poll() is None and not left(folder) and time.monotonic() - begun < 30:
            time.sleep(0.001)
        with suppress(ProcessLookupError):  # it was faster
            os.killpg(running.pid, signal.SIGINT)
    out, err = running.communicate(timeout=120)
    assert b"Traceback" not in err + out
    assert left(folder) == []
