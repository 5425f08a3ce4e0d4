"""Texts to search, and candidates by the ids of their segments."""

import pytest

from locisimiles import load_example_query, load_example_source


@pytest.fixture(scope="module")
def query():
    return load_example_query()


@pytest.fixture(scope="module")
def source():
    return load_example_source()


@pytest.fixture(scope="session")
def search_with():
    """Return the function that searches, and gives source ids and scores by query id."""

    def search(retriever, queries, source, k=10_000):
        found = retriever.index(source).search(queries, k)
        return {
            query_id: [(source.ids[s], score) for s, score in zip(*found.of_query(q), strict=True)]
            for q, query_id in enumerate(queries.ids)
        }

    return search
