"""Programs killed while they write: nothing acknowledged is lost, and repeating gives the same.

Each is a process of its own that a signal ends at a random moment. The harness has a box of time:
it kills a thousand times, or until the time is over, but at least so often that it means something.
"""

import os
import random
import shutil
import signal
import sqlite3
import sys
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from locisimiles import BM25, Pipeline
from locisimiles.app.judging.verdicts import Judging
from locisimiles.app.projects.collection import ProjectCollection
from locisimiles.app.projects.inputs import use_example
from locisimiles.app.results.exporting import stored_results
from locisimiles.app.search.parameters import SearchParameters
from locisimiles.app.search.status import request_search
from locisimiles.app.search.worker import SearchRun
from locisimiles.app.storage.backups import check_file
from locisimiles.app.storage.schema import MIGRATIONS
from locisimiles.app.storage.sqlite import forget_checks
from locisimiles.benchmark.runs.execution import run_benchmark
from locisimiles.corpus import Document, Segment
from locisimiles.export import read_results, write_results
from locisimiles.export.tables import TABLE_CHANGED
from locisimiles.files.arrays import load_arrays, save_arrays
from locisimiles.models.embedding_cache import EmbeddingCache
from support.indexes import survives_kills
from support.small_set import small_set

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="processes are forked"),
]

KILLS = 200  # of each kind; there are seven
SECONDS = 120  # for each kind
FEWEST = 40
OLD_PROJECT = Path(__file__).parents[1] / "data" / "project-0.1.sqlite"


def killed(work, after):
    """Do work in a child process that is killed after some seconds; return what it acknowledged."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        try:
            work(lambda number: os.write(writing, b"%d\n" % number))
        finally:
            os._exit(0)
    os.close(writing)
    time.sleep(after)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    with os.fdopen(reading, "rb") as pipe:
        # A line without its end was not read by anyone.
        return [int(line) for line in pipe.read().split(b"\n")[:-1]]


def moments(longest):
    """Yield moments at which to kill, until there were enough or the time is over.

    The first two are before the work and after it.
    """
    chance, begun = random.Random(22), time.monotonic()
    yield from (0.0, 5 * longest)
    for count in range(2, KILLS):
        if count >= FEWEST and time.monotonic() - begun > SECONDS:
            return
        yield chance.random() * longest


def taken(work):
    begun = time.monotonic()
    work(lambda _: None)
    return time.monotonic() - begun


def left_behind(folder):
    return [path.name for path in folder.rglob("*") if path.name.startswith(".")]


@pytest.fixture(scope="module")
def results():
    query = Document.from_segments([Segment(f"q{n}", f"uox faucibus {n}") for n in range(20)])
    source = Document.from_segments([Segment(f"s{n}", f"et uox haesit {n}") for n in range(50)])
    return Pipeline(BM25()).run(query=query, source=source)


def test_a_table_is_the_old_one_or_the_new_one(tmp_path, results):
    path = tmp_path / "hits.csv"
    old, new = (
        replace(results, manifest={"is": "old"}),
        replace(results[:20], manifest={"is": "new"}),
    )
    whole = {}
    for name, one in (("old", old), ("new", new)):
        write_results(one, path, overwrite=True)
        whole[name] = path.read_bytes()
    longest = 1.5 * taken(lambda _: write_results(new, path, overwrite=True))
    seen = set()
    for after in moments(longest):
        write_results(old, path, overwrite=True)
        killed(lambda _: write_results(new, path, overwrite=True), after)
        name = next(name for name, content in whole.items() if content == path.read_bytes())
        manifest = read_results(path).manifest
        # Where the table is new already and the manifest is not, reading it tells.
        assert manifest.get(TABLE_CHANGED, False) == (manifest["is"] != name)
        seen.add(name)
        write_results(new, path, overwrite=True)
        assert path.read_bytes() == whole["new"]
        assert left_behind(tmp_path) == []
    assert seen == {"old", "new"}


def test_arrays_are_the_old_ones_or_the_new_ones(tmp_path):
    path = tmp_path / "a.npz"
    arrays = {number: {"a": np.full(200_000, number)} for number in (1, 2)}
    save_arrays(path, arrays[1])
    longest = 1.2 * taken(lambda _: save_arrays(path, arrays[2]))
    for after in moments(longest):
        save_arrays(path, arrays[1])
        killed(lambda _: save_arrays(path, arrays[2]), after)
        found = load_arrays(path)["a"]
        assert len(found) == 200_000
        assert set(found.tolist()) in ({1}, {2})
    save_arrays(path, arrays[1])
    assert left_behind(tmp_path) == []


def test_acknowledged_judgements_are_kept(tmp_path, monkeypatch):
    monkeypatch.setenv("LOCISIMILES_DATA", str(tmp_path / "data"))
    collection = ProjectCollection(tmp_path / "projects")
    project = collection.create("Killed")
    use_example(project)
    SearchRun(project, request_search(project, SearchParameters(method="bm25", k=3))).run()
    pairs = [(one.query.id, one.source.id) for one in stored_results(project)]
    lost = written = 0
    for number, after in enumerate(moments(0.15)):

        def judge(acknowledge, number=number):
            judging = Judging(ProjectCollection(tmp_path / "projects").open("killed"))
            for place, pair in enumerate(pairs):
                judging.judge(*pair, reader="Ann", verdict="cf.", note=f"{number}-{place}")
                acknowledge(place)

        acknowledged = killed(judge, after)
        kept = {
            (one.query_id, one.source_id): one.note
            for one in Judging(ProjectCollection(tmp_path / "projects").open("killed")).all()
        }
        written += len(acknowledged)
        lost += sum(kept.get(pairs[place]) != f"{number}-{place}" for place in acknowledged)
    assert written > 0
    assert lost == 0


def test_a_benchmark_run_gives_the_same_bytes(tmp_path):
    small = small_set()
    whole = tmp_path / "whole"

    def run(folder):
        run_benchmark(small, ["bm25", "tfidf-lemma"], ["retrieval"], folder)

    def contents(folder):
        return {
            str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()
        }

    run(whole)
    longest = 1.2 * taken(lambda _: run(tmp_path / "timed"))
    for number, after in enumerate(moments(longest)):
        folder = tmp_path / str(number)
        killed(lambda _, folder=folder: run(folder), after)
        run(folder)
        assert contents(folder) == contents(whole)


def test_a_cache_gives_the_same_vectors(tmp_path):
    texts = [str(number) for number in range(400)]

    def compute(some):
        return {"vectors": np.array([[float(text)] * 64 for text in some], np.float32)}

    def fill(_):
        cache = EmbeddingCache(tmp_path)
        return [
            block["vectors"]
            for block in cache.blocks({"model": "m"}, texts, 20, compute, lambda *_: None)
        ]

    expected = compute(texts)["vectors"]
    longest = 1.2 * taken(fill)
    for after in moments(longest):
        EmbeddingCache(tmp_path).clear()
        killed(fill, after)
        np.testing.assert_array_equal(np.concatenate(fill(None)), expected)


def test_an_index_is_the_old_one_or_the_new_one(tmp_path):
    outcomes = survives_kills(tmp_path / "i", moments(0.05))
    assert {kind for kind, _ in outcomes} == {"build", "add", "remove"}
    assert len(outcomes) >= 4  # kills fall before and after the new manifest


def test_a_project_of_an_older_version_is_the_old_one_or_the_new_one(tmp_path):
    path = tmp_path / "old.sqlite"
    versions = set()

    def fresh():
        for file in tmp_path.glob("old.*"):
            file.unlink()
        shutil.copyfile(OLD_PROJECT, path)
        forget_checks()

    def opened(_):
        with ProjectCollection(tmp_path).open("old").database.reading() as connection:
            return list(map(tuple, connection.execute("SELECT * FROM judgement ORDER BY 1, 2, 3")))

    fresh()
    expected = opened(None)
    assert len(expected) == 2
    fresh()
    longest = 1.2 * taken(opened)
    for after in moments(longest):
        fresh()
        killed(opened, after)
        with closing(sqlite3.connect(path)) as connection:
            versions.add(connection.execute("PRAGMA user_version").fetchone()[0])
            assert connection.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
        assert opened(None) == expected
        check_file(path)
    with closing(sqlite3.connect(OLD_PROJECT)) as connection:
        before = connection.execute("PRAGMA user_version").fetchone()[0]
    assert versions == {before, len(MIGRATIONS)}  # and none between
