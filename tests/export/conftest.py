"""Fixtures for tests of several formats."""

import runpy
from pathlib import Path
from types import SimpleNamespace

import pytest

from locisimiles import BM25, Pipeline, load_example_query, load_example_source

_HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def golden():
    """Return the script that makes the golden files."""
    return SimpleNamespace(**runpy.run_path(_HERE / "make_golden.py"))


@pytest.fixture(scope="session")
def judged(golden):
    """Return a few judged results."""
    return golden.golden_results()


@pytest.fixture(scope="session")
def read(golden):
    """Return the same results, with the judgements of readers."""
    return golden.read_results()


@pytest.fixture(scope="session")
def found():
    """Return the results of BM25 on the examples."""
    return Pipeline(BM25(), k=3).run(query=load_example_query(), source=load_example_source())
