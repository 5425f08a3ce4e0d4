"""The documentation is built without a warning, and not with a broken link; needs `docs`."""

import os
import shutil
import subprocess
import sys
from importlib.util import find_spec

import pytest

from support.documentation import ROOT

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(find_spec("mkdocs_jupyter") is None, reason="the extra docs is missing"),
]


@pytest.fixture
def copy(tmp_path):
    place = tmp_path / "checkout"
    for name in ("docs", "src"):
        shutil.copytree(ROOT / name, place / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "mkdocs.yml", place)
    return place


def build(place):
    return subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict"],
        cwd=place,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_it_is_built(copy):
    done = build(copy)
    assert done.returncode == 0, done.stderr
    assert (copy / "site" / "reference" / "compat" / "index.html").exists()


@pytest.mark.parametrize("link", ["[x](nowhere.md)", "[x](python.md#nowhere)"])
def test_a_broken_link_breaks_it(copy, link):
    with (copy / "docs" / "concepts.md").open("a", encoding="utf-8") as page:
        page.write(f"\n{link}\n")
    done = build(copy)
    assert done.returncode != 0
    assert "nowhere" in done.stderr
