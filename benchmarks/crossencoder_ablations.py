"""What the settings of a cross-encoder's training bring: sampling, ratios, mixes, rates, layers.

    python benchmarks/crossencoder_ablations.py prepare SET ENCODER OUT [--folds N...]
    python benchmarks/crossencoder_ablations.py run OUT [--device cuda] [--limit SECONDS]
    python benchmarks/crossencoder_ablations.py report SET OUT

``prepare`` draws the pairs of every setting and writes ``OUT/job.npz`` with all that is needed to
train; ``run`` trains a network for each setting and fold, and lets it judge the first hundred
candidates of BM25 in the fold's document (it needs torch and a GPU, not the benchmark; what is done
is not done twice); ``report`` says what came out: average precision of any reference, of cit. and
of cf., where all other pairs are taken for none, and for the usual setting how it changes with the
number of candidates. Settings are the paper's but for what is varied. Writes
``benchmarks/results/crossencoder_ablations.json``.
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from locisimiles.arrays import load_arrays, save_arrays
from locisimiles.train.crossencoder.sampling import MIXES, NATURAL
from locisimiles.train.crossencoder.settings import CrossEncoderSettings
from locisimiles.train.sampling import STRATEGIES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from locisimiles.benchmark.dataset import Benchmark

RESULTS = Path(__file__).parent / "results" / "crossencoder_ablations.json"
DEPTHS = (5, 10, 20, 50, 100)
USUAL = "the paper's settings"
LAYERS = 4
# Of what is drawn before the training: a job holds the pairs of each.
DRAWN: dict[str, dict[str, Any]] = {
    USUAL: {},
    **{f"negatives {name}": {"strategy": name} for name in STRATEGIES if name != "qry,mix"},
    **{f"ratio 1:{ratio}": {"ratio": ratio} for ratio in (1, 2, 5)},
}
# Of the training itself, with the usual pairs.
TRAINED: dict[str, dict[str, Any]] = {
    **{f"mix {name}": {"mix": name} for name in (*MIXES, NATURAL) if name != "mild"},
    **{
        f"rate {rate:g}, {epochs} epochs": {"rate": rate, "epochs": epochs}
        for rate in (1e-5, 2e-5, 5e-5)
        for epochs in (2, 4, 8)
        if (rate, epochs) != (2e-5, 4)
    },
    **{f"{layers} layers": {"layers": layers} for layers in (1, 2)},
}


def scored_pairs(benchmark: Benchmark, fold: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the candidates of BM25 in a fold's document, as positions in the benchmark."""
    from locisimiles.benchmark.pools import fold_pool
    from locisimiles.retrieve import BM25

    pool = fold_pool(benchmark, fold)
    found = BM25().index(pool.source).search(pool.query, max(DEPTHS))
    asked, given = (
        np.array([whole.index(name) for name in part.ids], np.int32)
        for whole, part in ((benchmark.query, pool.query), (benchmark.source, pool.source))
    )
    return asked[found.query], given[found.source]


def prepare(given: argparse.Namespace) -> None:
    from locisimiles.benchmark.dataset import Benchmark
    from locisimiles.progress import silent
    from locisimiles.retrieve import BM25
    from locisimiles.train.biencoder_pairs import hard_candidates
    from locisimiles.train.crossencoder.preparation import fold_pairs, prepare_job

    benchmark = Benchmark.load(given.set)
    usual = CrossEncoderSettings(layers=LAYERS)
    similar = hard_candidates(benchmark, BM25(), usual.hard_depth, usual.ratio, silent)
    train, score = {}, {}
    for place, changes in enumerate(DRAWN.values()):
        for fold in given.folds or benchmark.folds:
            number = job_number(place, fold)
            settings = replace(usual, **changes)
            train[number] = fold_pairs(benchmark, fold, settings, similar)
            score[number] = scored_pairs(benchmark, fold)
    given.out.mkdir(parents=True, exist_ok=True)
    prepare_job(
        given.out / "job.npz",
        benchmark,
        given.encoder,
        usual,
        train=train,
        score=score,
        weights=given.weights,
    )


def job_number(place: int, fold: int) -> int:
    return 100 * place + fold


def run(given: argparse.Namespace) -> None:
    import torch

    from locisimiles.train.crossencoder.job import CrossEncoderJob
    from locisimiles.train.crossencoder.training import predict, train_fold

    began = time.monotonic()
    job = CrossEncoderJob.read(given.out / "job.npz")
    answers = given.out / "logits.npz"
    done = dict(load_arrays(answers)) if answers.exists() else {}
    folds = sorted({number % 100 for number in job.train})
    settings = [
        *((name, place, {}) for place, name in enumerate(DRAWN)),
        *((name, 0, changes) for name, changes in TRAINED.items()),
    ]
    for fold in folds:
        for name, place, changes in settings:
            key = f"{name}|{fold}"
            if key in done or (given.limit and time.monotonic() - began > given.limit):
                continue
            own = replace(job, settings=replace(job.settings, **changes))
            network = own.begin(given.out / "job.npz")
            number = job_number(place, fold)
            train_fold(
                network,
                own.texts,
                own.train[number],
                own.settings,
                device=given.device,
                checkpoints=None,
            )
            with torch.inference_mode():
                logits = predict(network, own.texts, *own.score[number], device=given.device)
            done[key] = logits.astype(np.float16)
            save_arrays(answers, done, effort=1)
            print(f"{time.monotonic() - began:6.0f} s  {key}", flush=True)


def average_precision(score: NDArray[Any], truth: NDArray[np.bool_], relevant: int) -> float:
    hits = truth[np.argsort(-score, kind="stable")]
    precision = np.cumsum(hits) / np.arange(1, len(hits) + 1)
    return 100 * float((precision * hits).sum() / max(relevant, 1))


def judge(
    benchmark: Benchmark, fold: int, logits: NDArray[Any], depths: Sequence[int]
) -> list[list[float]]:
    """Return average precisions (any, cit., cf.) for each number of candidates."""
    from locisimiles.benchmark.pools import fold_pool
    from locisimiles.classify.cross_encoder import softmax
    from locisimiles.classify.labels import Label
    from locisimiles.retrieve import BM25

    pool = fold_pool(benchmark, fold)
    found = BM25().index(pool.source).search(pool.query, max(DEPTHS))
    judged = softmax(logits.astype(np.float32))
    references = pool.references
    label = np.zeros((len(pool.query), len(pool.source)), np.uint8)
    label[references.query, references.source] = references.label
    truth = label[found.query, found.source]
    rows = []
    for depth in depths:
        first = found.rank <= depth
        kinds = (
            (judged[:, 1:].sum(axis=1), truth > 0, label > 0),
            (judged[:, 1], truth == Label.CIT, label == Label.CIT),
            (judged[:, 2], truth == Label.CF, label == Label.CF),
        )
        rows.append(
            [
                average_precision(score[first], own[first], int(all_of.sum()))
                for score, own, all_of in kinds
            ]
        )
    return rows


def report(given: argparse.Namespace) -> None:
    from locisimiles.benchmark.dataset import Benchmark

    benchmark = Benchmark.load(given.set)
    answers = load_arrays(given.out / "logits.npz")
    by_name: dict[str, dict[int, NDArray[Any]]] = {}
    for key, logits in answers.items():
        name, _, fold = key.rpartition("|")
        by_name.setdefault(name, {})[int(fold)] = logits
    # Only what was trained for all: the folds differ.
    folds = sorted(set.intersection(*(set(own) for own in by_name.values())))
    results: dict[str, Any] = {"folds": folds, "average precision (any, cit, cf)": {}}
    figures = results["average precision (any, cit, cf)"]
    for name in (*DRAWN, *TRAINED):
        if name in by_name:
            depths = DEPTHS if name == USUAL else DEPTHS[-1:]
            rows = np.array([judge(benchmark, fold, by_name[name][fold], depths) for fold in folds])
            for depth, row in zip(depths, rows.mean(axis=0), strict=True):
                own = name if depth == max(DEPTHS) else f"{name}, {depth} candidates"
                figures[own] = [round(value, 1) for value in row.tolist()]
    for name, row in sorted(figures.items(), key=lambda item: -item[1][0]):
        print(f"{name:<40}" + "  ".join(f"{value:5.1f}" for value in row))
    RESULTS.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(required=True)
    own = commands.add_parser("prepare")
    own.add_argument("set", type=Path)
    own.add_argument("encoder", type=Path)
    own.add_argument("out", type=Path)
    own.add_argument("--weights", type=Path)
    own.add_argument("--folds", type=int, nargs="*")
    own.set_defaults(does=prepare)
    own = commands.add_parser("run")
    own.add_argument("out", type=Path)
    own.add_argument("--device", default="cpu")
    own.add_argument("--limit", type=float)
    own.set_defaults(does=run)
    own = commands.add_parser("report")
    own.add_argument("set", type=Path)
    own.add_argument("out", type=Path)
    own.set_defaults(does=report)
    given = parser.parse_args()
    given.does(given)


if __name__ == "__main__":
    main()
