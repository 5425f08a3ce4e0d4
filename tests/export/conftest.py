"""What tests of several formats need."""

import runpy
from pathlib import Path
from types import SimpleNamespace

import pytest

from locisimiles import BM25, Pipeline, load_example_query, load_example_source

_HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def golden():
    """Return what makes the golden files."""
    return SimpleNamespace(**runpy.run_path(_HERE / "make_golden.py"))


@pytest.fixture(scope="session")
def judged(golden):
    """Return a few results that a classifier judged."""
    return golden.golden_results()


@pytest.fixture(scope="session")
def found():
    """Return what BM25 finds in the examples."""
    return Pipeline(BM25(), k=3).run(query=load_example_query(), source=load_example_source())
