"""Blocks of a query: wherever they end, a search finds the same."""

import pytest

from locisimiles import Document, Pipeline, Segment, load_example_source
from locisimiles.app.search import worker
from locisimiles.app.search.parameters import SearchParameters
from locisimiles.app.search.status import request_search
from locisimiles.app.storage.tables.result_rows import stored_results_of
from locisimiles.pipeline import prepare_query
from locisimiles.retrieve.combined import search as combined_search

TEXTS = (
    "arma uirumque cano / Troiae qui primus ab oris",
    "omnia uincit amor / et nos cedamus amori",
    "tempus edax rerum tuque inuidiosa uetustas",
    "obstipui steteruntque comae / et uox faucibus haesit",
    "timeo Danaos et dona ferentes",
    "forsan et haec olim meminisse iuuabit",
    "sunt lacrimae rerum et mentem mortalia tangunt",
    "audentes fortuna iuuat",
    "mens sana in corpore sano",
    "fama malum qua non aliud uelocius ullum",
)
# Verse as a whole, by three line ends in ten lines; prose, if one looks at the last lines alone.
MIXED = Document.from_segments(
    Segment(f"m {number}", text, author="Jerome", work="Carmina")
    for number, text in enumerate(TEXTS, 1)
)


def columns(results):
    return [
        (one.query.id, one.source.id, one.rank, one.score, one.probabilities) for one in results
    ]


@pytest.fixture(scope="module")
def searcher():
    return Pipeline(k=5).prepare(load_example_source())


@pytest.mark.parametrize("size", [1, 3, 4, 7])
def test_blocks_of_a_prepared_query_have_the_results_of_the_whole(searcher, size):
    whole = columns(searcher.run(MIXED))
    query = prepare_query(MIXED)
    blocks = [
        columns(searcher.block(query, begin, min(begin + size, len(query))))
        for begin in range(0, len(query), size)
    ]
    assert [row for block in blocks for row in block] == whole


@pytest.mark.parametrize("size", [1, 4])
def test_blocks_of_the_default_search_have_the_results_of_the_whole(monkeypatch, searcher, size):
    whole = columns(searcher.run(MIXED))
    monkeypatch.setattr(combined_search, "_QUERY_BLOCK", size)
    assert columns(searcher.run(MIXED)) == whole


@pytest.mark.parametrize("storage", ["sqlite"], indirect=True)
def test_stored_results_are_the_same_bytes_for_any_block_size(projects, monkeypatch):
    project = projects.create("Mixed")
    project.set_texts("query", (), MIXED)
    project.set_texts("source", (), load_example_source())
    found = []
    for size in (1, 3, 64):
        monkeypatch.setattr(worker, "BLOCK", size)
        number = request_search(project, SearchParameters(k=5), reuse=False)
        worker.SearchRun(project, number).run()
        with project.database.reading() as connection:
            found.append(stored_results_of(connection, number, 0, len(MIXED)))
    assert found[0] == found[1] == found[2] != []
