"""Words of imported pairs, aligned when they are shown."""

import pytest
from tests.app.storage.pairs.conftest import written

from locisimiles.app.results import ResultFilter, ResultTable, aligned
from locisimiles.app.results.aligned import aligned_words
from locisimiles.app.search.importing import import_pairs
from locisimiles.app.storage.tables.results import ResultTable as StoredResultTable

PAIRS = [("haesit uox faucibus", "vox faucibus haesit"), ("arma", "mare"), ("metuunt", "timent")]


@pytest.fixture
def kept(monkeypatch):
    """Return what is kept, empty at first; it has room for two pairs."""
    monkeypatch.setattr(aligned, "_MOST_KEPT", 2)
    monkeypatch.setattr(aligned, "_kept", type(aligned._kept)())
    return aligned._kept


def test_pairs_are_aligned_once_and_the_last_ones_kept(kept, monkeypatch):
    first = aligned_words(PAIRS)
    assert [len(words) for words in first[:2]] == [3, 0]
    assert list(kept) == PAIRS[1:]
    asked = []
    align = aligned._align
    monkeypatch.setattr(aligned, "_align", lambda pairs: asked.append(pairs) or align(pairs))
    assert aligned_words([*PAIRS[1:], PAIRS[1]]) == [*first[1:], first[1]]
    assert asked == []
    assert aligned_words(PAIRS) == first
    assert asked == [PAIRS[:1]]
    assert aligned_words([]) == []


def test_imported_pairs_have_the_words_that_the_search_stored(searched, tmp_path):
    table = ResultTable(searched.database)
    made = {(row["query_id"], row["source_id"]): row["alignment"] for row in table.page(
        texts=True, limit=500).rows}  # fmt: skip
    assert any(made.values())
    number = import_pairs(searched, written(searched, tmp_path / "p.parquet"))
    imported = ResultTable(searched.database, search=number)
    rows = imported.page(texts=True, limit=500).rows
    assert {(row["query_id"], row["source_id"]): row["alignment"] for row in rows} == made
    best = next(row for row in rows if row["alignment"])
    assert imported.pair(best["row"]).alignment == best["alignment"]
    # Nothing is aligned for rows without texts.
    assert "alignment" not in imported.page(ResultFilter(best=1)).rows[0]
    stored = StoredResultTable(searched.database, search=number)
    assert stored.pair(best["row"]).alignment == []
