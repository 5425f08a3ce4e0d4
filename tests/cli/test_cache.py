"""``locisimiles cache``."""

import numpy as np
import pytest

from locisimiles.models.embedding_cache import EmbeddingCache


@pytest.fixture
def filled(monkeypatch, tmp_path):
    """Return a cache with the vectors of two texts."""
    monkeypatch.setenv("LOCISIMILES_CACHE", str(tmp_path))
    cache = EmbeddingCache(tmp_path / "embeddings")

    def encode(texts):
        return {"vectors": np.zeros((len(texts), 500), np.float32)}

    settings = {"what": "texts", "model": "latin"}
    list(cache.blocks(settings, ["arma", "uirum"], 10, encode, lambda *_: None))
    return cache


def test_it_says_what_it_holds(program, filled):
    done = program("cache", "info")
    assert done.code == 0
    header, row = done.out.splitlines()
    assert header.split("\t")[:3] == ["vectors", "encoder", "entries"]
    assert row.split("\t")[:4] == ["texts", "latin", "2", "4.1 kB"]
    assert f" of at most 5.0 GB in {filled.folder}\n" in done.err


def test_it_can_be_emptied(program, filled):
    done = program("cache", "clear")
    assert (done.code, done.out) == (0, "")
    assert done.err.startswith("freed ")
    assert filled.nbytes == 0
    assert program("cache", "info").out.splitlines()[1:] == []


def test_what_was_used_lately_can_be_kept(program, filled):
    assert program("cache", "clear", "--unused-for", "30").code == 0
    assert [kind.entries for kind in filled.kinds()] == [2]


@pytest.mark.usefixtures("filled")
def test_a_wrong_size_is_explained(program, monkeypatch):
    monkeypatch.setenv("LOCISIMILES_CACHE_SIZE", "much")
    done = program("cache", "info")
    assert done.code == 1
    assert "LOCISIMILES_CACHE_SIZE is much" in done.err
