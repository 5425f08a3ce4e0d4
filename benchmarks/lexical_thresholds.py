"""How wide the plateau should be from which thresholds of ``logreg`` and ``gbdt`` are chosen.

    python benchmarks/lexical_thresholds.py SET

Only training folds are used. For each published fold, each of the other four is judged by a model
trained on the remaining three; its thresholds are tuned on those three as they were judged, and F1
(a mean over queries) says how well they fit. Writes ``benchmarks/results/lexical_thresholds.json``:
for each tolerance, F1 of cit. and cf. as means of the twenty, and of cf. for each published fold
that was left out.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from harness import parser, print_table, save_results
from locisimiles.benchmark.metrics.measurement import find
from locisimiles.benchmark.protocols import PairGrid, evaluate_classification
from locisimiles.benchmark.sets.dataset import Benchmark
from locisimiles.benchmark.sets.pools import training_set
from locisimiles.classify.thresholds import Thresholds
from locisimiles.learn.lexical import LearnedLexical

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Judged = list[tuple[NDArray[np.float32], NDArray[np.uint8]]]

TOLERANCES = (0.0, 0.001, 0.002, 0.005, 0.01)


def measure(judged: Judged, tolerance: float) -> list[float]:
    """Return F1 of both types, where thresholds are tuned on the other folds."""
    grids, rules = [], []
    for place, (found, label) in enumerate(judged):
        others = judged[:place] + judged[place + 1 :]
        grids.append(PairGrid(found, label, place, np.arange(len(label), dtype=np.int32)))
        rules.append(Thresholds.tuned_by_queries(others, tolerance=tolerance))
    measured = evaluate_classification(grids, rules)
    return [100 * find(measured, kind, "F1").mean for kind in ("cit", "cf")]


def main() -> None:
    options = parser(__doc__)
    options.add_argument("set", type=Path)
    benchmark = Benchmark.load(options.parse_args().set)
    results: dict[str, Any] = {}
    for model in ("logreg", "gbdt"):
        by_fold = np.array(
            [
                [measure(judged, tolerance) for tolerance in TOLERANCES]
                for judged in (
                    LearnedLexical(model).judge_left_out(training_set(benchmark, fold))
                    for fold in benchmark.folds
                )
            ]
        )
        results[model] = {
            f"{tolerance:g}": {
                "cit": round(float(own[:, 0].mean()), 2),
                "cf": round(float(own[:, 1].mean()), 2),
                "cf by fold": own[:, 1].round(2).tolist(),
            }
            for tolerance, own in zip(TOLERANCES, by_fold.swapaxes(0, 1), strict=True)
        }
        print_table({model: tolerance, **row} for tolerance, row in results[model].items())
    save_results("lexical_thresholds", results)


if __name__ == "__main__":
    main()
