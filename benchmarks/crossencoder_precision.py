"""What int8 costs a cross-encoder: F1 of the same weights in float32 and in int8.

    python benchmarks/crossencoder_precision.py SET ENCODER FOLD=WEIGHTS... [--depth 20]

WEIGHTS are those of a network that has not seen FOLD, as `locisimiles train predictions` leaves
them (``fold-1.safetensors`` has not seen fold 0). Both networks judge the first candidates of BM25
for every query of the fold's document; all other pairs are taken for none. Thresholds are tuned
with float32 on every second query, and hold for both. Writes
``benchmarks/results/crossencoder_precision.json``.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from locisimiles.benchmark.metrics.measurement import find
from locisimiles.benchmark.protocols import PairGrid, evaluate_classification
from locisimiles.benchmark.sets.dataset import Benchmark
from locisimiles.benchmark.sets.pools import fold_pool
from locisimiles.classify.base import Pairs
from locisimiles.classify.cross_encoder import CrossEncoderClassifier
from locisimiles.classify.thresholds import Argmax, Thresholds
from locisimiles.retrieve import BM25
from locisimiles.train.crossencoder.graph import export_cross_encoder
from locisimiles.train.crossencoder.network import load_cross_encoder
from locisimiles.train.encoder.folder import read_config

if TYPE_CHECKING:
    from locisimiles.classify.thresholds import DecisionRule
    from locisimiles.train.late.graph import Precision

RESULTS = Path(__file__).parent / "results" / "crossencoder_precision.json"
PRECISIONS: tuple[Precision, ...] = ("float32", "int8")


def judge(benchmark: Benchmark, fold: int, folder: Path, depth: int) -> PairGrid:
    """Let a network judge the first candidates in a fold's document."""
    pool = fold_pool(benchmark, fold)
    found = BM25().index(pool.source).search(pool.query, depth)
    pairs = Pairs(pool.query, pool.source, found.query, found.source)
    judged = CrossEncoderClassifier(folder).probabilities(pairs)
    chances = np.zeros((len(pool.query), len(pool.source), 3), np.float32)
    chances[..., 0] = 1
    chances[found.query, found.source] = judged
    return PairGrid.from_references(chances, pool.references, fold=fold)


def figures(grids: list[PairGrid], rules: list[DecisionRule]) -> dict[str, float]:
    measured = evaluate_classification(grids, rules)
    own = {group: float(find(measured, group, "F1").mean) for group in ("cit", "cf")}
    return {
        **{group: round(100 * value, 2) for group, value in own.items()},
        "macro": round(100 * float(find(measured, "pooled", "macro-F1").mean), 2),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("set", type=Path)
    parser.add_argument("encoder", type=Path)
    parser.add_argument("weights", nargs="+", metavar="FOLD=WEIGHTS")
    parser.add_argument("--depth", type=int, default=20)
    given = parser.parse_args()
    benchmark = Benchmark.load(given.set)
    config = read_config(given.encoder / "config.json")
    grids: dict[Precision, list[PairGrid]] = {precision: [] for precision in PRECISIONS}
    for fold, _, weights in (own.partition("=") for own in given.weights):
        network = load_cross_encoder(Path(weights), config)
        with tempfile.TemporaryDirectory() as made:
            for precision in PRECISIONS:
                folder = Path(made) / precision
                vocabulary = given.encoder / "tokenizer.json"
                export_cross_encoder(network, vocabulary, folder, trained={}, precision=precision)
                grids[precision].append(judge(benchmark, int(fold), folder, given.depth))
    tuned: list[DecisionRule] = [
        Thresholds.tuned_by_queries([(grid.probabilities[::2], grid.label[::2])])
        for grid in grids["float32"]
    ]
    rules: dict[str, list[DecisionRule]] = {
        "most probable class": [Argmax()] * len(tuned),
        "thresholds": tuned,
    }
    results: dict[str, Any] = {"folds": [grid.fold for grid in grids["int8"]], "F1": {}}
    for name, own in rules.items():
        by_precision: dict[str, dict[str, float]] = {
            precision: figures(grids[precision], own) for precision in PRECISIONS
        }
        lost = {
            kind: round(value - by_precision["int8"][kind], 2)
            for kind, value in by_precision["float32"].items()
        }
        results["F1"][name] = {**by_precision, "lost": lost}
        print(f"{name:22}", by_precision, "lost", lost)
    RESULTS.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
