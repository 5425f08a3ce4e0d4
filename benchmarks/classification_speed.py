"""How long the evaluation of one fold of the classification protocol takes.

    python benchmarks/classification_speed.py

A fold of the paper's mean size (282 queries × 565 sources, 294 references), random probabilities,
all metrics at nine thresholds. Writes ``benchmarks/results/classification_speed.json``: the best
of several runs, in seconds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from harness import print_table, save_results, timings
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

QUERIES, SOURCES, PAIRS = 282, 565, 294
RUNS = 7
BAR = 0.1


def a_fold() -> PairGrid:
    random = np.random.default_rng(0)
    probabilities = random.dirichlet([8, 0.5, 0.5], size=(QUERIES, SOURCES)).astype(np.float32)
    pairs = random.choice(QUERIES * SOURCES, PAIRS, replace=False)
    references = References.from_columns(
        pairs // SOURCES, pairs % SOURCES, random.integers(1, 3, PAIRS)
    )
    return PairGrid.from_references(probabilities, references, fold=0)


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
    seconds = {name: round(min(timings(work, RUNS)), 4) for name, work in tasks.items()}
    print_table({"task": name, "seconds": taken} for name, taken in seconds.items())
    met = next(iter(seconds.values())) < BAR
    print(f"bar for the first: {BAR} s; {'met' if met else 'MISSED'}")
    content = {"command": "python benchmarks/classification_speed.py", "seconds": seconds}
    save_results("classification_speed", content)


if __name__ == "__main__":
    main()
