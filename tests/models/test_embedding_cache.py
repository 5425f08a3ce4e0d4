"""Vectors, kept by the text they belong to."""

import json
import sqlite3
import zlib
from contextlib import closing
from itertools import chain

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from locisimiles.files.hashing import framed, sha256_of
from locisimiles.models import embedding_cache as module
from locisimiles.models.embedding_cache import EmbeddingCache, default_cache_folder

MADE_BY = {"model": "a", "kind": "query"}


class Encoder:
    """Computes two arrays of texts, one with as many rows as a text has letters."""

    def __init__(self):
        self.encoded = []

    def __call__(self, texts):
        self.encoded += texts
        lengths = [len(text) for text in texts]
        return {
            "letters": np.array([ord(letter) for letter in "".join(texts)], np.int32),
            "places": np.array([[n, -n] for length in lengths for n in range(length)], np.int8)
            .reshape(-1, 2),
            "bounds": np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64),
        }  # fmt: skip


def read(cache, texts, encoder, *, made_by=MADE_BY, size=3):
    return list(cache.blocks(made_by, texts, size, encoder, lambda *_: None))


def assert_equal(one, other):
    assert [sorted(block) for block in one] == [sorted(block) for block in other]
    for block, same in zip(one, other, strict=True):
        for name, column in block.items():
            assert column.dtype == same[name].dtype
            np.testing.assert_array_equal(column, same[name])


def test_a_text_is_computed_once_whatever_stands_beside_it(tmp_path):
    cache, encoder = EmbeddingCache(tmp_path / "new" / "folder"), Encoder()
    read(cache, ["arma", "uirum", "", "cano"], encoder)
    read(cache, ["uirum", "troiae", "arma", "", "cano", "arma"], encoder)
    assert encoder.encoded == ["arma", "uirum", "", "cano", "troiae"]


@given(st.lists(st.lists(st.text(max_size=4), max_size=6), max_size=4), st.integers(1, 4))
def test_arrays_are_those_that_are_computed(tmp_path_factory, runs, size):
    cache, encoder = EmbeddingCache(tmp_path_factory.mktemp("cache")), Encoder()
    for texts in runs:
        kept = read(cache, texts, encoder, size=size)
        assert_equal(kept, read(EmbeddingCache(None), texts, Encoder(), size=size))
    assert len(encoder.encoded) == len(set(encoder.encoded))


@pytest.mark.parametrize(
    ("made_by", "text"),
    [
        ({**MADE_BY, "model": "b"}, "arma"),
        ({**MADE_BY, "pooling": None}, "arma"),
        (MADE_BY, "arma "),
        (MADE_BY, "\ud800"),
    ],
)
def test_all_that_matters_makes_another_entry(tmp_path, made_by, text):
    cache, encoder = EmbeddingCache(tmp_path), Encoder()
    read(cache, ["arma"], encoder)
    read(cache, [text], encoder, made_by=made_by)
    assert encoder.encoded == ["arma", text]


def test_arrays_with_a_row_per_text_need_no_bounds(tmp_path):
    cache = EmbeddingCache(tmp_path)
    vectors = {"a": [1.0, 2.0], "b": [3.0, 4.0], "c": [5.0, 6.0]}

    def encode(texts):
        return {"vectors": np.array([vectors[text] for text in texts], np.float32)}

    read(cache, ["b"], encode)
    (found,) = read(cache, ["a", "b", "c"], encode)
    assert found["vectors"].tolist() == [[1, 2], [3, 4], [5, 6]]


def test_entries_of_other_software_are_computed_again(tmp_path):
    cache, encoder = EmbeddingCache(tmp_path), Encoder()
    expected = read(cache, ["arma"], encoder)
    kind = cache.kinds()[0].settings
    with cache.store._opened() as connection:
        key = connection.execute("SELECT key FROM entry").fetchone()[0]
    for content in (b"", b"\x02\x00[]", b"\xff\xff", b'\x15\x00[["a", "<U9", [1, 2]]]'):
        cache.store.put(kind, {key: content})
        assert_equal(read(cache, ["arma"], encoder), expected)
    assert encoder.encoded.count("arma") >= 4


def test_what_belongs_to_several_texts_is_kept_too(tmp_path):
    cache, calls = EmbeddingCache(tmp_path), []

    def compute():
        calls.append(1)
        return {"centres": np.arange(6, dtype=np.float32).reshape(2, 3)}

    first = cache.get(MADE_BY, ["a", "b"], compute)
    second = cache.get(dict(reversed(MADE_BY.items())), ["a", "b"], compute)
    np.testing.assert_array_equal(first["centres"], second["centres"])
    for texts in (["b", "a"], ["ab"], ["a", "b", ""]):
        cache.get(MADE_BY, texts, compute)
    assert len(calls) == 4


def test_work_that_fails_leaves_nothing_behind(tmp_path):
    def fail(_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        read(EmbeddingCache(tmp_path), ["a"], fail)
    assert list(tmp_path.iterdir()) == []


def test_without_a_folder_nothing_is_kept(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    cache, encoder = EmbeddingCache(None), Encoder()
    read(cache, ["a"], encoder)
    read(cache, ["a"], encoder)
    assert encoder.encoded == ["a", "a"]
    assert (cache.kinds(), cache.nbytes, list(tmp_path.iterdir())) == ([], 0, [])


def test_it_can_be_emptied_of_its_own_files_only(tmp_path):
    cache = EmbeddingCache(tmp_path)
    read(cache, ["a"], Encoder())
    (tmp_path / "0123.npz").write_bytes(b"of an earlier version")
    (tmp_path / "mine.txt").write_text("not the cache's")
    assert cache.nbytes > 21
    cache.clear()
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]
    assert cache.nbytes == 0


def test_a_folder_that_cannot_be_written_is_told_once_and_ends_nothing(tmp_path, caplog):
    (tmp_path / "file").write_text("")
    cache, encoder = EmbeddingCache(tmp_path / "file"), Encoder()
    for _ in range(2):
        read(cache, ["a"], encoder)
    assert not cache.kinds()
    (told,) = caplog.messages
    assert "LOCISIMILES_CACHE" in told


def test_the_folder_may_be_chosen_by_a_variable(tmp_path, monkeypatch):
    monkeypatch.setenv("LOCISIMILES_CACHE", str(tmp_path))
    assert default_cache_folder() == tmp_path / "embeddings"
    monkeypatch.delenv("LOCISIMILES_CACHE")
    assert "locisimiles" in default_cache_folder().parts


def test_files_of_earlier_versions_are_not_read_and_can_be_removed(tmp_path):
    """Version 0.1 had a file for each block; then one without kinds in its checksums."""
    wrong = {"letters": np.zeros(4, np.int32), "bounds": np.array([0, 4])}
    settings = json.dumps({"format": 1, **MADE_BY}, sort_keys=True)
    name = sha256_of(chain([settings], framed(["arma"])))
    np.savez(tmp_path / f"{name}.npz", **wrong)
    store = EmbeddingCache(tmp_path).store
    own = json.dumps({"format": module._FORMAT, **MADE_BY}, sort_keys=True)
    store.put(own, {module._key("arma"): module._packed(wrong)})
    with closing(sqlite3.connect(store.path)) as connection, connection:
        content = module._packed(wrong)
        connection.execute("UPDATE entry SET checksum = ?", [zlib.crc32(content)])
        connection.execute("PRAGMA user_version = 1")
    encoder, cache = Encoder(), EmbeddingCache(tmp_path)
    assert_equal(read(cache, ["arma"], encoder), read(EmbeddingCache(None), ["arma"], Encoder()))
    assert encoder.encoded == ["arma"]
    cache.clear()
    assert [*tmp_path.iterdir()] == []
