"""Vectors in files."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from locisimiles import OutputError
from locisimiles.models.embedding_cache import EmbeddingCache, default_cache_folder

MADE_BY = {"model": "a", "kind": "query"}


class Compute:
    def __init__(self):
        self.calls = 0

    def __call__(self):
        self.calls += 1
        return {"vectors": np.arange(300, dtype=np.float32).reshape(3, 100)}


def test_what_was_computed_is_not_computed_again(tmp_path):
    cache, compute = EmbeddingCache(tmp_path / "new" / "folder"), Compute()
    first = cache.get(MADE_BY, ["a", "b"], compute)
    second = cache.get(dict(reversed(MADE_BY.items())), ["a", "b"], compute)
    assert compute.calls == 1
    np.testing.assert_array_equal(first["vectors"], second["vectors"])


@pytest.mark.parametrize(
    ("made_by", "texts"),
    [
        ({**MADE_BY, "model": "b"}, ["a", "b"]),
        ({**MADE_BY, "pooling": None}, ["a", "b"]),
        (MADE_BY, ["b", "a"]),
        (MADE_BY, ["ab"]),
        (MADE_BY, ["a", "b", ""]),
        (MADE_BY, ["a", "\ud800"]),
    ],
)
def test_all_that_matters_makes_another_file(tmp_path, made_by, texts):
    cache, compute = EmbeddingCache(tmp_path), Compute()
    cache.get(MADE_BY, ["a", "b"], compute)
    cache.get(made_by, texts, compute)
    assert compute.calls == 2
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize("where", range(0, 560, 40))
def test_a_damaged_file_is_written_again(tmp_path, where):
    cache, compute = EmbeddingCache(tmp_path), Compute()
    expected = cache.get(MADE_BY, ["a"], compute)["vectors"]
    (path,) = tmp_path.iterdir()
    content = bytearray(path.read_bytes())
    place = where % len(content)
    content[place : place + 8] = bytes(byte ^ 255 for byte in content[place : place + 8])
    path.write_bytes(content)
    np.testing.assert_array_equal(cache.get(MADE_BY, ["a"], compute)["vectors"], expected)
    cache.get(MADE_BY, ["a"], compute)
    assert compute.calls <= 2


@pytest.mark.parametrize("content", [b"", b"PK", b"garbage" * 100])
def test_a_foreign_file_is_written_again(tmp_path, content):
    cache, compute = EmbeddingCache(tmp_path), Compute()
    cache.get(MADE_BY, ["a"], compute)
    (path,) = tmp_path.iterdir()
    path.write_bytes(content)
    cache.get(MADE_BY, ["a"], compute)
    cache.get(MADE_BY, ["a"], compute)
    assert compute.calls == 2


def test_work_that_fails_leaves_nothing_behind(tmp_path):
    def fail():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        EmbeddingCache(tmp_path).get(MADE_BY, ["a"], fail)
    assert list(tmp_path.iterdir()) == []


def test_without_a_folder_nothing_is_kept(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    cache, compute = EmbeddingCache(None), Compute()
    cache.get(MADE_BY, ["a"], compute)
    cache.get(MADE_BY, ["a"], compute)
    assert compute.calls == 2
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_written_is_reported(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="LOCISIMILES_CACHE"):
        EmbeddingCache(tmp_path / "file").get(MADE_BY, ["a"], Compute())


def test_the_folder_may_be_chosen_by_a_variable(tmp_path, monkeypatch):
    monkeypatch.setenv("LOCISIMILES_CACHE", str(tmp_path))
    assert default_cache_folder() == tmp_path / "embeddings"
    monkeypatch.delenv("LOCISIMILES_CACHE")
    assert "locisimiles" in default_cache_folder().parts


def test_several_may_write_at_the_same_time(tmp_path):
    def write_often(_):
        for _ in range(20):
            EmbeddingCache(tmp_path).get(MADE_BY, ["a"], Compute())
            for path in tmp_path.glob("*.npz"):
                path.unlink(missing_ok=True)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(write_often, range(4)))
    assert list(tmp_path.iterdir()) == []
