"""What we wrote ourselves and somebody has changed, cut short or exchanged since."""

import json
import sqlite3
from dataclasses import replace

import numpy as np
import pytest

from locisimiles import BM25, Pipeline
from locisimiles.benchmark.runs.execution import run_benchmark
from locisimiles.corpus import Document, Segment
from locisimiles.errors import MalformedInputError
from locisimiles.export import read_results, write_results
from locisimiles.export.tables import TABLE_CHANGED, TABLE_SHA256
from locisimiles.models.embedding_cache import EmbeddingCache
from locisimiles.pipeline.finite import check_finite
from support.small_set import small_set


@pytest.fixture(scope="module")
def results():
    query = Document.from_segments([Segment("q", "uox faucibus haesit")])
    source = Document.from_segments([Segment("s", "et uox faucibus haesit")])
    return Pipeline(BM25()).run(query=query, source=source)


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".jsonl"])
def test_a_table_and_its_manifest_are_one_unit(tmp_path, results, suffix):
    table, manifest = write_results(results, tmp_path / f"hits{suffix}")
    assert read_results(table).manifest == results.manifest
    table.write_bytes(table.read_bytes().replace(b"haesit", b"haeret"))
    changed = read_results(table).manifest
    assert changed == {**results.manifest, TABLE_CHANGED: True}
    # Whoever writes it again does not hide that.
    (again, _) = write_results(read_results(table), tmp_path / f"again{suffix}")
    assert read_results(again).manifest[TABLE_CHANGED] is True
    stored = json.loads(manifest.read_text())
    del stored[TABLE_SHA256]  # as earlier versions wrote it
    manifest.write_text(json.dumps(stored))
    assert read_results(table).manifest == results.manifest


@pytest.mark.parametrize("score", ["1e300", "-1e39", "nan", "inf", "1e400"])
def test_a_score_that_no_program_could_read_again_is_refused(tmp_path, score):
    (tmp_path / "a.csv").write_text(f"query_id,source_id,score\na,b,{score}\n")
    with pytest.raises(MalformedInputError, match="row 2"):
        read_results(tmp_path / "a.csv")


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_a_model_without_numbers_ends_the_search(results, monkeypatch, value):
    index = type(BM25().index(results.source))
    search = index.search

    def broken(*args, **options):
        found = search(*args, **options)
        return replace(found, score=np.full_like(found.score, value))

    monkeypatch.setattr(index, "search", broken)
    with pytest.raises(MalformedInputError, match="no numbers"):
        Pipeline(BM25()).run(query=results.query, source=results.source)
    with pytest.raises(MalformedInputError, match="no numbers"):
        check_finite(np.array([0.5, value]), "ensemble")


@pytest.mark.parametrize("name", ["results.json", "queries/results.json", "run.trec"])
@pytest.mark.parametrize("change", ["tampered", "cut short", "lost"])
def test_a_changed_run_is_not_finished(tmp_path, name, change):
    small = small_set()
    run_benchmark(small, ["bm25"], ["retrieval"], tmp_path)
    path = tmp_path / "retrieval/bm25" / name
    before = path.read_bytes()
    (finished,) = run_benchmark(small, ["bm25"], ["retrieval"], tmp_path)
    assert finished.skipped
    if change == "lost":
        path.unlink()
    else:
        path.write_bytes(before[:-20] if change == "cut short" else before.replace(b"1", b"2"))
    (finished,) = run_benchmark(small, ["bm25"], ["retrieval"], tmp_path)
    assert not finished.skipped
    assert path.read_bytes() == before


def vectors(number):
    return {"vectors": np.full((1, 4), number, np.float32)}


def entries(cache, texts, compute):
    return next(iter(cache.blocks({"model": "m"}, texts, 10, compute, lambda *_: None)))


class Encoder:
    def __init__(self):
        self.asked = []

    def __call__(self, texts):
        self.asked += texts
        return {"vectors": np.array([[len(text)] * 4 for text in texts], np.float32)}


def test_contents_that_changed_places_are_not_used(tmp_path):
    cache, encoder = EmbeddingCache(tmp_path), Encoder()
    right = entries(cache, ["a", "bb"], encoder)["vectors"]
    with sqlite3.connect(tmp_path / "vectors.sqlite") as connection:
        rows = connection.execute("SELECT rowid, checksum, content FROM entry").fetchall()
        for (row, *_), (_, checksum, content) in zip(rows, rows[::-1], strict=True):
            connection.execute(
                "UPDATE entry SET checksum = ?, content = ? WHERE rowid = ?",
                [checksum, content, row],
            )
    connection.close()
    np.testing.assert_array_equal(entries(cache, ["a", "bb"], encoder)["vectors"], right)
    assert encoder.asked == ["a", "bb", "a", "bb"]


def test_arrays_of_other_shapes_are_not_used(tmp_path):
    cache, encoder = EmbeddingCache(tmp_path), Encoder()
    entries(cache, ["a"], lambda _: {"vectors": np.zeros((1, 7), np.float32)})
    found = entries(cache, ["a", "bb"], encoder)["vectors"]
    assert found.tolist() == [[1] * 4, [2] * 4]
    assert entries(cache, ["a", "bb"], encoder)["vectors"].tolist() == found.tolist()
    assert encoder.asked == ["bb", "a", "bb"]


def test_a_cache_that_is_full_or_read_only_ends_nothing(tmp_path, caplog, monkeypatch):
    cache, encoder = EmbeddingCache(tmp_path), Encoder()
    full = sqlite3.OperationalError("database or disk is full")
    monkeypatch.setattr(
        "locisimiles.models.cache_store.CacheStore._put",
        lambda *_: (_ for _ in ()).throw(full),
    )
    assert entries(cache, ["a"], encoder)["vectors"].tolist() == [[1] * 4]
    assert cache.get({}, ["a"], lambda: vectors(3))["vectors"].tolist() == [[3] * 4]
    assert any("disk is full" in message for message in caplog.messages)
