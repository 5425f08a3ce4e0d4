"""What the settings of a cross-encoder's training bring: sampling, mixes, rates, base models.

    python benchmarks/crossencoder_ablations.py SET BASE... --vary sampling -o OUT

``--vary`` is one of ``sampling`` (the four ways of drawing negatives), ``ratio`` (1:1 to 1:10),
``mix`` (how often each class is shown), ``rate`` (learning rates × epochs), ``base`` (the BASES
given), ``depth`` (how many candidates of BM25 are judged). For each setting a model is trained for
each fold in ``--folds``, and judges the first candidates of BM25 in that fold's document; all other
pairs are taken for none. Prints average precision of any reference, of cit. and of cf., and writes
``OUT/ablation-VARY.json``. Trainings that are there are not repeated. Made for a GPU; on a CPU take
small bases.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from locisimiles.benchmark.dataset import Benchmark
from locisimiles.benchmark.pools import fold_pool
from locisimiles.classify.cross_encoder import CrossEncoderClassifier
from locisimiles.classify.labels import Label
from locisimiles.retrieve import BM25
from locisimiles.train.crossencoder.project import train_crossencoder
from locisimiles.train.crossencoder.sampling import MIXES, NATURAL
from locisimiles.train.crossencoder.settings import CrossEncoderSettings
from locisimiles.train.sampling import RATIOS, STRATEGIES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

DEPTHS = (5, 10, 20, 50, 100)


def variants(
    vary: str, bases: Sequence[str], settings: CrossEncoderSettings
) -> list[tuple[str, str, CrossEncoderSettings]]:
    """Return name, base and settings of each training."""
    base = bases[0]
    changed: dict[str, dict[str, dict[str, Any]]] = {
        "sampling": {name: {"strategy": name} for name in STRATEGIES},
        "ratio": {f"1:{ratio}": {"ratio": ratio} for ratio in RATIOS},
        "mix": {name: {"mix": name} for name in (*MIXES, NATURAL)},
        "rate": {
            f"{rate:g} × {epochs}": {"rate": rate, "epochs": epochs}
            for rate in (1e-5, 2e-5, 5e-5)
            for epochs in (2, 4, 8)
        },
    }
    if vary in changed:
        return [(name, base, replace(settings, **own)) for name, own in changed[vary].items()]
    return [(own, own, settings) for own in bases]


def average_precision(score: NDArray[Any], truth: NDArray[np.bool_], relevant: int) -> float:
    hits = truth[np.argsort(-score, kind="stable")]
    precision = np.cumsum(hits) / np.arange(1, len(hits) + 1)
    return 100 * float((precision * hits).sum() / max(relevant, 1))


def judge(benchmark: Benchmark, fold: int, model: Path, depths: Sequence[int]) -> dict[str, Any]:
    """Return average precisions of a model, by how many candidates of BM25 it sees."""
    pool = fold_pool(benchmark, fold)
    found = BM25().index(pool.source).search(pool.query, max(depths))
    judged = CrossEncoderClassifier(model).probabilities(
        pool.query, pool.source, found.query, found.source
    )
    references = pool.references
    label = np.zeros((len(pool.query), len(pool.source)), np.uint8)
    label[references.query, references.source] = references.label
    truth = label[found.query, found.source]
    figures = {}
    for depth in depths:
        first = found.rank <= depth
        kinds = {
            "any": (judged[:, 1:].sum(axis=1), truth > 0, label > 0),
            "cit": (judged[:, 1], truth == Label.CIT, label == Label.CIT),
            "cf": (judged[:, 2], truth == Label.CF, label == Label.CF),
        }
        figures[str(depth)] = {
            name: average_precision(score[first], own[first], int(all_of.sum()))
            for name, (score, own, all_of) in kinds.items()
        }
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("set", type=Path)
    parser.add_argument("bases", nargs="+")
    parser.add_argument(
        "--vary", choices=["sampling", "ratio", "mix", "rate", "base", "depth"], required=True
    )
    parser.add_argument("--folds", type=int, nargs="*")
    parser.add_argument("--layers", type=int)
    parser.add_argument("--samples", type=int, help="pairs that an epoch shows")
    parser.add_argument("-o", "--out", type=Path, required=True)
    given = parser.parse_args()
    benchmark = Benchmark.load(given.set)
    folds = given.folds or list(benchmark.folds)
    depths = DEPTHS if given.vary == "depth" else DEPTHS[-1:]
    settings = CrossEncoderSettings(layers=given.layers, samples=given.samples)
    results = {}
    for number, (name, base, own) in enumerate(variants(given.vary, given.bases, settings)):
        folder = given.out / f"{given.vary}-{number}"
        trained = train_crossencoder(
            base, benchmark, folder, own, folds=folds, similar=BM25(), resume=folder.exists()
        )
        found = [judge(benchmark, model.fold or 0, model.model, depths) for model in trained]
        for depth in map(str, depths):
            key = name if len(depths) == 1 else f"{name}, k = {depth}"
            results[key] = {
                kind: float(np.mean([fold[depth][kind] for fold in found]))
                for kind in ("any", "cit", "cf")
            }
            figures = "  ".join(f"{kind} {value:5.1f}" for kind, value in results[key].items())
            print(f"{key:<24}{figures}", flush=True)
    path = given.out / f"ablation-{given.vary}.json"
    path.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
