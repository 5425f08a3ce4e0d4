"""How long one fold of the classification protocol takes to evaluate.

    python benchmarks/classification_speed.py

A fold of the paper's mean size (282 queries × 565 sources, 294 references), random probabilities,
all metrics at nine thresholds. Writes ``benchmarks/results/classification_speed.json``: the best
of several goes, in seconds.
"""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.benchmark.protocols import (
    PairGrid,
    evaluate_calibration,
    evaluate_classification,
    sweep_thresholds,
)
from locisimiles.benchmark.sets.references import References
from locisimiles.classify.thresholds import NINE_THRESHOLDS, Thresholds

if TYPE_CHECKING:
    from collections.abc import Callable

RESULTS = Path(__file__).parent / "results" / "classification_speed.json"
QUERIES, SOURCES, PAIRS = 282, 565, 294
GOES = 7
BAR = 0.1


def a_fold() -> PairGrid:
    random = np.random.default_rng(0)
    probabilities = random.dirichlet([8, 0.5, 0.5], size=(QUERIES, SOURCES)).astype(np.float32)
    pairs = random.choice(QUERIES * SOURCES, PAIRS, replace=False)
    references = References.from_columns(
        pairs // SOURCES, pairs % SOURCES, random.integers(1, 3, PAIRS)
    )
    return PairGrid.from_references(probabilities, references, fold=0)


def best_time(work: Callable[[], object]) -> float:
    times = []
    for _ in range(GOES):
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
    return min(times)


def main() -> None:
    grid = a_fold()
    tasks: dict[str, Callable[[], object]] = {
        "all metrics at nine thresholds": lambda: sweep_thresholds(grid),
        "the same with values of queries": lambda: [
            evaluate_classification([grid], Thresholds(t, t)) for t in NINE_THRESHOLDS
        ],
        "tuning both thresholds": lambda: Thresholds.tuned(grid.probabilities, grid.label),
        "calibration": lambda: evaluate_calibration([grid]),
    }
    seconds = {name: round(best_time(work), 4) for name, work in tasks.items()}
    for name, took in seconds.items():
        print(f"{name:<34}{took:>8.4f} s")
    print(
        f"bar for the first: {BAR} s; {'met' if next(iter(seconds.values())) < BAR else 'MISSED'}"
    )
    content = {"command": "python benchmarks/classification_speed.py", "seconds": seconds}
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
