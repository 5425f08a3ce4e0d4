"""Searches side by side, and what a search of changed texts need not look for again."""

import pytest

from locisimiles.app.projects.inputs import add_file, remove_input, use_example
from locisimiles.app.results import ResultFilter, ResultTable
from locisimiles.app.search import worker
from locisimiles.app.search.parameters import SearchParameters
from locisimiles.app.search.query_blocks import QueryBlocks
from locisimiles.app.search.status import request_search
from locisimiles.app.search.stored_searches import StoredSearches
from locisimiles.app.storage.tables.result_rows import stored_results_of
from locisimiles.errors import InputError

NEW = b"arma uirumque cano Troiae qui primus ab oris. uox faucibus haesit."


def stored(project, number):
    with project.database.reading() as connection:
        return stored_results_of(connection, number, 0, 10**6)


def numbers(project):
    return [one.number for one in StoredSearches(project).all()]


@pytest.fixture
def blocks(monkeypatch):
    """Record what is really searched."""
    seen, search = [], QueryBlocks.search

    def recorded(self, begin, end):
        seen.extend(range(begin, end))
        return search(self, begin, end)

    monkeypatch.setattr(QueryBlocks, "search", recorded)
    return seen


@pytest.mark.parametrize("method", ["bm25", "default"])
def test_only_new_segments_are_searched_with_the_results_of_a_full_search(
    projects, search, blocks, method
):
    project = projects.create("Incremental")
    use_example(project)
    search(project, method=method)
    old = len(blocks)
    blocks.clear()
    add_file(project, "query", "new.txt", NEW)
    search(project, method=method)
    total = project.texts.count("query")
    assert 0 < len(blocks) == total - old
    parameters = SearchParameters(method=method, k=5)
    worker.SearchRun(project, request_search(project, parameters, reuse=False)).run()
    assert len(blocks) == 2 * total - old
    assert stored(project, 2) == stored(project, 3) != []
    assert len(stored(project, 1)) < len(stored(project, 2))


def test_other_sources_or_parameters_are_searched_in_full(searched, search, blocks):
    add_file(searched, "source", "new.txt", NEW)
    search(searched)
    assert len(blocks) == searched.texts.count("query")
    blocks.clear()
    add_file(searched, "query", "new.txt", NEW)
    search(searched, k=3)
    assert len(blocks) == searched.texts.count("query")
    blocks.clear()
    search(searched)  # the last search but one had these sources
    assert len(blocks) == 2


def test_a_removed_text_leaves_the_earlier_search_as_it_was(searched, search, blocks):
    add_file(searched, "query", "new.txt", NEW)
    search(searched)
    before = ResultTable(searched.database, search=2).page(limit=1000, texts=True)
    blocks.clear()
    remove_input(searched, "query", "new.txt")
    search(searched)
    assert ResultTable(searched.database, search=2).page(limit=1000, texts=True) == before
    assert stored(searched, 3) == stored(searched, 1)


def test_searches_are_listed_named_compared_and_deleted(searched, search):
    add_file(searched, "query", "new.txt", NEW)
    search(searched)
    kept = StoredSearches(searched)
    kept.rename(1, "  the   first ")
    newest, first = kept.all()
    assert (first.name, first.is_current, newest.is_current) == ("the first", False, True)
    assert "new.txt" in newest.query_names
    assert "new.txt" not in first.query_names
    only_new = ResultTable(searched.database, search=2).page(ResultFilter(not_in=1)).rows
    assert 0 < len(only_new) == newest.pairs - first.pairs
    assert ResultTable(searched.database, search=1).count(ResultFilter(not_in=2)) == 0
    kept.delete(1)
    assert numbers(searched) == [2]
    assert len(stored(searched, 2)) == newest.pairs
    kept.delete(2)
    search(searched)
    assert numbers(searched) == [3]  # no number is given twice
    with pytest.raises(InputError):
        kept.delete(1)
    with pytest.raises(InputError):
        kept.rename(1, "gone")
