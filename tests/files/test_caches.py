"""Where things are kept that can be computed again, and how much of them."""

import pytest

from locisimiles import ParameterError
from locisimiles.files.caches import cache_folder, cache_limit


def test_the_folder_may_be_chosen_by_a_variable(tmp_path, monkeypatch):
    monkeypatch.setenv("LOCISIMILES_CACHE", str(tmp_path))
    assert cache_folder("indexes") == tmp_path / "indexes"
    monkeypatch.delenv("LOCISIMILES_CACHE")
    assert "locisimiles" in cache_folder("indexes").parts


@pytest.mark.parametrize(
    ("chosen", "size"),
    [("", 5 * 10**9), ("800 MB", 8 * 10**8), ("1.5g", 15 * 10**8), ("12kb", 12_000), ("7", 7)],
)
def test_the_size_may_be_chosen_by_a_variable(monkeypatch, chosen, size):
    monkeypatch.setenv("LOCISIMILES_CACHE_SIZE", chosen)
    assert cache_limit() == size


@pytest.mark.parametrize("chosen", ["much", "-1", "5 XB", "GB"])
def test_a_size_that_is_none_is_refused(monkeypatch, chosen):
    monkeypatch.setenv("LOCISIMILES_CACHE_SIZE", chosen)
    with pytest.raises(ParameterError, match="LOCISIMILES_CACHE_SIZE"):
        cache_limit()
