"""The data that cannot be shipped, where they are, and the benchmark rebuilt from them."""

import os
from pathlib import Path

import pytest

from locisimiles.benchmark.runs.execution import run_benchmark
from locisimiles.benchmark.sets.build import build_benchmark
from locisimiles.benchmark.sets.dataset import Benchmark
from locisimiles.benchmark.sets.references import Label, References
from locisimiles.corpus import Document, Segment

SHARED = Path(os.environ.get("LOCISIMILES_SHARED") or Path(__file__).parents[3] / "shared")


@pytest.fixture(scope="session")
def shared():
    """The folder with labels, corpora and paper; tests that ask for it are skipped without."""
    if not (SHARED / "benchmark" / "labels.csv").is_file():
        pytest.skip("labels and corpora are not here (../shared)")
    return SHARED


@pytest.fixture(scope="session")
def rebuilt(shared):
    """The published benchmark, rebuilt."""
    return build_benchmark(shared / "benchmark" / "labels.csv", shared / "corpora")


QUOTED = "arma uirumque cano Troiae qui primus ab oris litora fato profugus multum iactatus alto"


@pytest.fixture(scope="session")
def tiny():
    """A set of 12 queries with references in three folds, verbatim and not, and distractors."""
    words = QUOTED.split()
    plain = "rex regina bellum pax urbs hostis miles uenit uidit uicit magnus paruus".split()
    query, source, rows = [], [], []
    for n in range(12):
        said = f"{words[n % 12]} {words[(n + 1) % 12]} {words[(n + 5) % 12]}"
        echo = f"{plain[n]} {words[(n + 7) % 12]}" if n % 3 == 0 else f"{said} {plain[n]}"
        query.append(
            Segment(f"q{n}", f"{echo} {plain[-n]}", author=("Jerome", "Lactantius")[n % 2])
        )
        source.append(Segment(f"s {n}", f"{said} {plain[n - 4]}", author=("Virgil", "Ovid")[n % 2]))
        rows.append((n, n, Label.CF if n % 3 == 0 else Label.CIT, n // 4))
    for n in range(16):
        text = f"{plain[n % 12]} {plain[(n * 5 + 1) % 12]} {words[n % 14]}"
        query.append(Segment(f"d{n}", text, author=("Jerome", "Lactantius")[n % 2]))
        source.append(Segment(f"e{n}", f"{text} {plain[n // 2]}", author=("Virgil", "Ovid")[n % 2]))
    return Benchmark(
        Document.from_segments(query),
        Document.from_segments(source),
        References.from_columns(*zip(*rows, strict=True)),
        name="tiny",
    )


@pytest.fixture(scope="session")
def tiny_runs(tiny, tmp_path_factory):
    """Finished runs of two retrievers and a classifier, not to be changed."""
    folder = tmp_path_factory.mktemp("runs")
    run_benchmark(tiny, ["bm25", "tfidf-surface", "shared-lemmas"], None, folder)
    return folder
