"""How wide the plateau should be on which thresholds of ``logreg`` and ``gbdt`` are chosen.

    python benchmarks/lexical_thresholds.py SET

Only training folds are looked at. For each published fold, each of the other four is judged by what
is learnt from the remaining three; its thresholds are tuned on those three as they were judged, and
F1 (a mean over queries) says how good they are for it. Writes
``benchmarks/results/lexical_thresholds.json``: for each tolerance, F1 of cit. and cf. as means of
the twenty, and of cf. for each published fold that was not looked at.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from locisimiles.benchmark.metrics.measurement import find
from locisimiles.benchmark.protocols import PairGrid, evaluate_classification
from locisimiles.benchmark.sets.dataset import Benchmark
from locisimiles.benchmark.sets.pools import training_set
from locisimiles.classify.thresholds import Thresholds
from locisimiles.learn.lexical import LearnedLexical

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Judged = list[tuple[NDArray[np.float32], NDArray[np.uint8]]]

RESULTS = Path(__file__).parent / "results" / "lexical_thresholds.json"
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
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("set", type=Path)
    given = parser.parse_args()
    benchmark = Benchmark.load(given.set)
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
        for tolerance, row in results[model].items():
            print(f"{model:<8}{tolerance:>7}  cit. {row['cit']:5.2f}  cf. {row['cf']:5.2f}")
    RESULTS.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
