"""The neural pipelines of the paper's package, with tiny models made here, and those of `compat`.

Needs a Python that has the package with torch, transformers, sentence-transformers and chromadb, in
``LOCISIMILES_PAPER_PYTHON``. Tiny models find nothing: shapes are compared.
"""

import csv
import json
import os
import subprocess
from dataclasses import fields
from pathlib import Path

import pytest

from locisimiles.compat import (
    Document,
    ExhaustiveClassificationPipeline,
    RetrievalPipeline,
    TwoStagePipeline,
)
from locisimiles.examples import example_path

THEIR_PYTHON = os.environ.get("LOCISIMILES_PAPER_PYTHON", "")
PROGRAM = Path(__file__).parents[1] / "support" / "their_models.py"
SEGMENTS, TOP_K = 6, 3
OURS = {
    "retrieval": lambda: RetrievalPipeline(top_k=TOP_K),
    "two-stage": TwoStagePipeline,
    "labelled": lambda: TwoStagePipeline(label_names=["none", "reference"]),
    "exhaustive": ExhaustiveClassificationPipeline,
}
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not THEIR_PYTHON, reason="LOCISIMILES_PAPER_PYTHON names no Python"),
    pytest.mark.filterwarnings("ignore:.*models of the Hub:UserWarning"),
]


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("texts")
    for name in ("query", "source"):
        with example_path(f"{name}.csv").open(encoding="utf-8", newline="") as stream:
            rows = list(csv.reader(stream))[: SEGMENTS + 1]
        with (folder / f"{name}.csv").open("w", encoding="utf-8", newline="") as stream:
            csv.writer(stream).writerows(rows)
    return [folder / "query.csv", folder / "source.csv"]


@pytest.fixture(scope="module")
def theirs(files):
    asked = [THEIR_PYTHON, "-c", "import torch, sentence_transformers, chromadb"]
    if subprocess.run(asked, capture_output=True, check=False).returncode:
        pytest.skip("LOCISIMILES_PAPER_PYTHON has no neural libraries")
    done = subprocess.run(
        [THEIR_PYTHON, PROGRAM, *files, str(TOP_K)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    line = next(line for line in done.stdout.splitlines() if line.startswith("RESULT"))
    return json.loads(line.removeprefix("RESULT"))


def _types(row):
    return {name: type(value).__name__ for name, value in row.items()}


@pytest.mark.parametrize("name", OURS)
def test_results_have_the_same_shape(theirs, files, name):
    query, source = map(Document, files)
    found = {
        str(query_id): [
            {
                field.name: str(one.segment.id)
                if field.name == "segment"
                else getattr(one, field.name)
                for field in fields(one)
            }
            for one in listed
        ]
        for query_id, listed in OURS[name]().run(query=query, source=source, top_k=TOP_K).items()
    }
    their = theirs[name]
    assert list(found) == list(their)
    most = SEGMENTS if name == "exhaustive" else TOP_K
    assert {len(listed) for listed in their.values()} == {most}
    assert all(len(listed) <= most for listed in found.values())
    rows = [row for listed in found.values() for row in listed]
    their_rows = [row for listed in their.values() for row in listed]
    assert rows
    assert {json.dumps(_types(row)) for row in rows} == {
        json.dumps(_types(row)) for row in their_rows
    }
    assert all(0 <= row["judgment_score"] <= 1 for row in [*rows, *their_rows])
    if name == "labelled":
        for row in [*rows, *their_rows]:
            assert list(row["class_probabilities"]) == ["none", "reference"]
            assert sum(row["class_probabilities"].values()) == pytest.approx(1, abs=1e-4)
            assert row["judgment_score"] == pytest.approx(
                row["class_probabilities"]["reference"], abs=1e-5
            )
