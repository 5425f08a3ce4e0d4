"""Fixtures of results."""

import runpy
from pathlib import Path

import pytest

_GOLDEN = Path(__file__).parents[1] / "export" / "make_golden.py"


@pytest.fixture(scope="session")
def judged():
    """Return a few judged results."""
    return runpy.run_path(_GOLDEN)["golden_results"]()
