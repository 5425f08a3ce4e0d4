"""Fixtures for tests of jobs."""

import pytest

from locisimiles import Index, load_example_query, load_example_source
from locisimiles.jobs import SearchSettings, plan_job


@pytest.fixture(scope="session")
def sources(tmp_path_factory):
    """Return the folder of an index of the example sources, without vectors."""
    folder = tmp_path_factory.mktemp("sources") / "index"
    Index.build(folder, load_example_source()).close()
    return folder


@pytest.fixture
def planned(tmp_path, sources):
    """Return a job of nine blocks."""
    return plan_job(
        tmp_path / "job",
        load_example_query(),
        Index.open(sources),
        SearchSettings("bm25"),
        block_size=5,
    )
