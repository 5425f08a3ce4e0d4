"""What a cross-encoder's training brings: base models, sampling, ratios, mixes, rates, layers.

    python benchmarks/crossencoder_ablations.py prepare SET ENCODER OUT [--folds N...]
    python benchmarks/crossencoder_ablations.py prepare SET ENCODER OUT --base NAME [--untrained]
    python benchmarks/crossencoder_ablations.py run OUT [--device cuda] [--limit SECONDS]
    python benchmarks/crossencoder_ablations.py bases SET OUT BASE... [--device cuda]
    python benchmarks/crossencoder_ablations.py report SET OUT...

``prepare`` draws the pairs of every setting and writes ``OUT/job.npz`` with all that is needed to
train; with ``--base``, those of the usual setting for another encoder of ours
(``OUT/base-NAME.npz``; ``--untrained`` if it shall begin with weights drawn at random). ``run``
trains a network for each setting, base and fold, and lets it judge the first hundred candidates of
BM25 in the fold's document (it needs torch and a GPU, not the benchmark; what is done is not done
twice). ``bases`` does the same with any encoder that ``locisimiles train crossencoder`` takes, by
folder or by name on the Hub, where benchmark and package are at hand. ``report`` says what came
out: average precision of any reference, of cit. and of cf., where all other pairs are taken for
none, and for the usual setting how it changes with the number of candidates. Settings are the
paper's but for what is varied. Writes ``benchmarks/results/crossencoder_ablations.json``.
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from locisimiles.files.arrays import load_arrays, save_arrays
from locisimiles.learn.sampling import STRATEGIES
from locisimiles.train.crossencoder.sampling import MIXES, NATURAL
from locisimiles.train.crossencoder.settings import CrossEncoderSettings

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from locisimiles.benchmark.sets.dataset import Benchmark
    from locisimiles.train.crossencoder.job import CrossEncoderJob
    from locisimiles.train.crossencoder.network import CrossEncoder
    from locisimiles.train.crossencoder.sampling import LabelledPairs

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
    # The same pairs in another order, and another head to begin with: how much is chance?
    **{f"seed {seed}": {"seed": seed} for seed in (43, 44)},
}


def scored_pairs(benchmark: Benchmark, fold: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the candidates of BM25 in a fold's document, as positions in the benchmark."""
    from locisimiles.benchmark.sets.pools import fold_pool
    from locisimiles.retrieve import BM25

    pool = fold_pool(benchmark, fold)
    found = BM25().index(pool.source).search(pool.query, max(DEPTHS))
    asked, given = (
        np.array([whole.index(name) for name in part.ids], np.int32)
        for whole, part in ((benchmark.query, pool.query), (benchmark.source, pool.source))
    )
    return asked[found.query], given[found.source]


def prepare(given: argparse.Namespace) -> None:
    from locisimiles.benchmark.sets.dataset import Benchmark
    from locisimiles.train.crossencoder.preparation import prepare_job

    benchmark = Benchmark.load(given.set)
    usual = CrossEncoderSettings(layers=given.layers)
    train, score = drawn_pairs(
        benchmark,
        usual,
        given.folds or benchmark.folds,
        DRAWN if given.base is None else {USUAL: DRAWN[USUAL]},
    )
    given.out.mkdir(parents=True, exist_ok=True)
    prepare_job(
        given.out / ("job.npz" if given.base is None else f"base-{given.base}.npz"),
        benchmark,
        given.encoder,
        usual,
        train=train,
        score=score,
        weights=given.weights,
        with_weights=not given.untrained,
    )


def drawn_pairs(
    benchmark: Benchmark,
    usual: CrossEncoderSettings,
    folds: Sequence[int],
    drawn: Mapping[str, Mapping[str, Any]],
) -> tuple[dict[int, LabelledPairs], dict[int, tuple[NDArray[np.int32], NDArray[np.int32]]]]:
    """Return by job number the pairs to train on, and those to be judged."""
    from locisimiles.learn.hard_negatives import hard_candidates
    from locisimiles.progress import silent
    from locisimiles.retrieve import BM25
    from locisimiles.train.crossencoder.preparation import fold_pairs

    similar = hard_candidates(benchmark, BM25(), usual.hard_depth, usual.ratio, silent)
    judged = {fold: scored_pairs(benchmark, fold) for fold in folds}
    train, score = {}, {}
    for place, changes in enumerate(drawn.values()):
        for fold in folds:
            number = job_number(place, fold)
            train[number] = fold_pairs(benchmark, fold, replace(usual, **changes), similar)
            score[number] = judged[fold]
    return train, score


def job_number(place: int, fold: int) -> int:
    return 100 * place + fold


class Answers:
    """What the trained networks said, kept in a file after each of them."""

    def __init__(self, out: Path, limit: float | None) -> None:
        self._path = out / "logits.npz"
        self._began, self._limit = time.monotonic(), limit
        self.done = dict(load_arrays(self._path)) if self._path.exists() else {}

    def wants(self, key: str) -> bool:
        in_time = self._limit is None or time.monotonic() - self._began < self._limit
        return key not in self.done and in_time

    def keep(self, key: str, logits: NDArray[Any]) -> None:
        self.done[key] = logits.astype(np.float16)
        save_arrays(self._path, self.done, effort=1)
        print(f"{time.monotonic() - self._began:6.0f} s  {key}", flush=True)


def run(given: argparse.Namespace) -> None:
    from locisimiles.train.crossencoder.job import CrossEncoderJob

    answers = Answers(given.out, given.limit)
    settings = [
        *((name, place, {}) for place, name in enumerate(DRAWN)),
        *((name, 0, changes) for name, changes in TRAINED.items()),
    ]
    for path in sorted(given.out.glob("*.npz")):
        base = path.stem.removeprefix("base-")
        if path.stem not in ("job", f"base-{base}"):
            continue
        job = CrossEncoderJob.read(path)
        for fold in sorted({number % 100 for number in job.train}):
            for name, place, changes in (
                settings if path.stem == "job" else [(f"base {base}", 0, {})]
            ):
                if name in (given.only or [name]) and answers.wants(f"{name}|{fold}"):
                    own = replace(job, settings=replace(job.settings, **changes))
                    answers.keep(
                        f"{name}|{fold}", train_and_ask(own, path, job_number(place, fold), given)
                    )


def train_and_ask(
    job: CrossEncoderJob, path: Path, number: int, given: argparse.Namespace
) -> NDArray[np.float32]:
    from locisimiles.train.crossencoder.training import predict, train_on_pairs

    network = job.base_network(path) if job.weights else untrained(job)
    train_on_pairs(network, job.texts, job.train[number], job.settings, device=given.device)
    return predict(network, job.texts, *job.score[number], device=given.device)


def untrained(job: CrossEncoderJob) -> CrossEncoder:
    import torch

    from locisimiles.train.crossencoder.network import CrossEncoder
    from locisimiles.train.encoder.network import EncoderConfig, LatinEncoder

    settings = job.settings
    torch.manual_seed(settings.seed)
    config = EncoderConfig(**{**job.network, "layers": settings.layers})
    return CrossEncoder(LatinEncoder(config), settings.pooling, settings.dropout)


def bases(given: argparse.Namespace) -> None:
    from locisimiles.benchmark.sets.dataset import Benchmark
    from locisimiles.train.crossencoder.bases import choose_base
    from locisimiles.train.crossencoder.sampling import LabelledPairs
    from locisimiles.train.crossencoder.training import predict, train_on_pairs
    from locisimiles.train.encoder.folder import is_pretrained_encoder

    benchmark = Benchmark.load(given.set)
    given.out.mkdir(parents=True, exist_ok=True)
    answers = Answers(given.out, given.limit)
    folds = given.folds or benchmark.folds
    train, score = drawn_pairs(benchmark, CrossEncoderSettings(), folds, {USUAL: DRAWN[USUAL]})
    for name in given.bases:
        own = is_pretrained_encoder(name)
        settings = CrossEncoderSettings(
            layers=given.layers if own else None, budget=128 if own else 512
        )
        base = choose_base(name, settings, device=given.device)
        for fold in folds:
            key = f"base {Path(name).name if own else name}|{fold}"
            if answers.wants(key):
                network = base.network()
                texts, pairs = base.texts(benchmark, train[fold])
                train_on_pairs(network, texts, pairs, settings, device=base.device)
                asked = LabelledPairs(*score[fold], np.zeros(len(score[fold][0]), np.uint8))
                texts, asked = base.texts(benchmark, asked)
                answers.keep(
                    key, predict(network, texts, asked.query, asked.source, device=base.device)
                )


def average_precision(score: NDArray[Any], truth: NDArray[np.bool_], relevant: int) -> float:
    hits = truth[np.argsort(-score, kind="stable")]
    precision = np.cumsum(hits) / np.arange(1, len(hits) + 1)
    return 100 * float((precision * hits).sum() / max(relevant, 1))


def judge(
    benchmark: Benchmark, fold: int, logits: NDArray[Any], depths: Sequence[int]
) -> list[list[float]]:
    """Return average precisions (any, cit., cf.) for each number of candidates."""
    from locisimiles.benchmark.sets.pools import fold_pool
    from locisimiles.classify.labels import Label
    from locisimiles.classify.logistic import softmax
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
    from locisimiles.benchmark.sets.dataset import Benchmark

    benchmark = Benchmark.load(given.set)
    by_name: dict[str, dict[int, NDArray[Any]]] = {}
    for out in given.out:
        for key, logits in Answers(out, None).done.items():
            name, _, fold = key.rpartition("|")
            by_name.setdefault(name, {})[int(fold)] = logits
    # Only what was trained for all: the folds differ.
    folds = sorted(set.intersection(*(set(own) for own in by_name.values())))
    results: dict[str, Any] = {"folds": folds, "average precision (any, cit, cf)": {}}
    figures = results["average precision (any, cit, cf)"]
    others = sorted(name for name in by_name if name.startswith("base "))
    for name in (*DRAWN, *TRAINED, *others):
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
    own.add_argument("--layers", type=int, default=LAYERS, help="how many of the encoder's")
    own.add_argument("--base", metavar="NAME", help="only to compare encoders: what to call this")
    own.add_argument("--untrained", action="store_true", help="leave out the encoder's weights")
    own.set_defaults(does=prepare)
    own = commands.add_parser("run")
    own.add_argument("out", type=Path)
    own.add_argument("--device", default="cpu")
    own.add_argument("--limit", type=float)
    own.add_argument("--only", nargs="+", metavar="NAME", help="these settings, by their names")
    own.set_defaults(does=run)
    own = commands.add_parser("bases")
    own.add_argument("set", type=Path)
    own.add_argument("out", type=Path)
    own.add_argument("bases", nargs="+", metavar="BASE")
    own.add_argument("--folds", type=int, nargs="*")
    own.add_argument("--layers", type=int, default=LAYERS, help="how many of an encoder of ours")
    own.add_argument("--device", default="auto")
    own.add_argument("--limit", type=float)
    own.set_defaults(does=bases)
    own = commands.add_parser("report")
    own.add_argument("set", type=Path)
    own.add_argument("out", type=Path, nargs="+")
    own.set_defaults(does=report)
    given = parser.parse_args()
    given.does(given)


if __name__ == "__main__":
    main()
