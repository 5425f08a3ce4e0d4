"""The example of the documentation works."""

import re
from pathlib import Path

import pytest

from locisimiles.benchmark.runs.execution import run_benchmark
from locisimiles.benchmark.runs.methods import find_method, load_plugin, unregister_method

PAGE = Path(__file__).parents[2] / "docs" / "benchmark.md"


@pytest.fixture
def example(tmp_path):
    (code,) = re.findall(
        r"```python\n(# mine\.py\n.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL
    )
    path = tmp_path / "mine.py"
    path.write_text(code, encoding="utf-8")
    load_plugin(path)
    yield code
    unregister_method("mine")


def test_a_method_is_registered_in_ten_lines(example, tiny, tmp_path):
    assert len([line for line in example.splitlines() if line and line[0] != "#"]) <= 10
    (finished,) = run_benchmark(tiny, [find_method("mine")], None, tmp_path / "runs")
    assert (finished.method, finished.protocol) == ("mine", "retrieval")
