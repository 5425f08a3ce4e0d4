"""Ablation of a cross-encoder's training: base models, sampling, ratios, mixes, rates, layers.

    python benchmarks/crossencoder_ablations.py prepare SET ENCODER OUT [--folds N...]
    python benchmarks/crossencoder_ablations.py prepare SET ENCODER OUT --base NAME [--untrained]
    python benchmarks/crossencoder_ablations.py run OUT [--device cuda] [--limit SECONDS]
    python benchmarks/crossencoder_ablations.py bases SET OUT BASE... [--device cuda]
    python benchmarks/crossencoder_ablations.py report SET OUT...

``prepare`` draws the pairs of every setting and writes ``OUT/job.npz``, all that training needs;
with ``--base``, those of the paper's setting for another encoder of ``locisimiles train encoder``
(``OUT/base-NAME.npz``; ``--untrained`` starts from random weights). ``run`` trains a network for
each setting, base and fold, and predicts the first hundred candidates of BM25 in the fold's
document; it needs torch and a GPU, not the benchmark, and skips what is done. ``bases`` does the
same with any encoder that ``locisimiles train crossencoder`` takes, by folder or by name on the
Hub; it needs the benchmark. ``report`` computes average precision of any reference, of cit. and of
cf., all other pairs counting as no match, and for the paper's setting by number of candidates.
Settings are the paper's except for what is varied. Writes
``benchmarks/results/crossencoder_ablations.json``.
"""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from harness import average_precision, parser, print_table, save_results
from locisimiles.files.arrays import load_arrays, save_arrays
from locisimiles.learn.sampling import STRATEGIES
from locisimiles.train.crossencoder.sampling import MIXES, NATURAL
from locisimiles.train.crossencoder.settings import CrossEncoderSettings

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from locisimiles.benchmark.sets.dataset import Benchmark
    from locisimiles.train.crossencoder.job import CrossEncoderJob
    from locisimiles.train.crossencoder.network import CrossEncoder
    from locisimiles.train.crossencoder.sampling import LabelledPairs

DEPTHS = (5, 10, 20, 50, 100)
USUAL = "the paper's settings"
LAYERS = 4
# Settings of the pairs, which are drawn before training: a job holds the pairs of each.
DRAWN: dict[str, dict[str, Any]] = {
    USUAL: {},
    **{f"negatives {name}": {"strategy": name} for name in STRATEGIES if name != "qry,mix"},
    **{f"ratio 1:{ratio}": {"ratio": ratio} for ratio in (1, 2, 5)},
}
# Settings of the training itself, with the paper's pairs.
TRAINED: dict[str, dict[str, Any]] = {
    **{f"mix {name}": {"mix": name} for name in (*MIXES, NATURAL) if name != "mild"},
    **{
        f"rate {rate:g}, {epochs} epochs": {"rate": rate, "epochs": epochs}
        for rate in (1e-5, 2e-5, 5e-5)
        for epochs in (2, 4, 8)
        if (rate, epochs) != (2e-5, 4)
    },
    **{f"{layers} layers": {"layers": layers} for layers in (1, 2)},
    # The same pairs in another order, and another initial head: how much is chance?
    **{f"seed {seed}": {"seed": seed} for seed in (43, 44)},
}


def scored_pairs(benchmark: Benchmark, fold: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the candidates of BM25 in a fold's document, as positions in the benchmark."""
    from locisimiles.benchmark.sets.pools import fold_pool
    from locisimiles.retrieve import BM25

    pool = fold_pool(benchmark, fold)
    found = BM25().index(pool.source).search(pool.query, max(DEPTHS))
    query, source = (
        np.array([whole.index(name) for name in part.ids], np.int32)
        for whole, part in ((benchmark.query, pool.query), (benchmark.source, pool.source))
    )
    return query[found.query], source[found.source]


def prepare(given: Namespace) -> None:
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
    """Return by job number the pairs to train on, and those to predict."""
    from locisimiles.learn.hard_negatives import hard_candidates
    from locisimiles.progress import silent
    from locisimiles.retrieve import BM25
    from locisimiles.train.crossencoder.preparation import fold_pairs

    similar = hard_candidates(benchmark, BM25(), usual.hard_depth, usual.ratio, silent)
    scored = {fold: scored_pairs(benchmark, fold) for fold in folds}
    train, score = {}, {}
    for place, changes in enumerate(drawn.values()):
        for fold in folds:
            number = job_number(place, fold)
            train[number] = fold_pairs(benchmark, fold, replace(usual, **changes), similar)
            score[number] = scored[fold]
    return train, score


def job_number(place: int, fold: int) -> int:
    return 100 * place + fold


class Predictions:
    """The logits of trained networks, saved after each of them."""

    def __init__(self, out: Path, limit: float | None) -> None:
        self._path = out / "logits.npz"
        self._began, self._limit = time.monotonic(), limit
        self.done = dict(load_arrays(self._path)) if self._path.exists() else {}

    def wants(self, key: str) -> bool:
        in_time = self._limit is None or time.monotonic() - self._began < self._limit
        return key not in self.done and in_time

    def add(self, key: str, logits: NDArray[Any]) -> None:
        self.done[key] = logits.astype(np.float16)
        save_arrays(self._path, self.done, effort=1)
        print(f"{time.monotonic() - self._began:6.0f} s  {key}", flush=True)


def run(given: Namespace) -> None:
    from locisimiles.train.crossencoder.job import CrossEncoderJob

    predictions = Predictions(given.out, given.limit)
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
                key = f"{name}|{fold}"
                if name in (given.only or [name]) and predictions.wants(key):
                    own = replace(job, settings=replace(job.settings, **changes))
                    number = job_number(place, fold)
                    predictions.add(key, train_and_predict(own, path, number, given.device))


def train_and_predict(
    job: CrossEncoderJob, path: Path, number: int, device: str
) -> NDArray[np.float32]:
    from locisimiles.train.crossencoder.training import predict, train_on_pairs

    network = job.base_network(path) if job.weights else untrained(job)
    train_on_pairs(network, job.texts, job.train[number], job.settings, device=device)
    return predict(network, job.texts, *job.score[number], device=device)


def untrained(job: CrossEncoderJob) -> CrossEncoder:
    import torch

    from locisimiles.train.crossencoder.network import CrossEncoder
    from locisimiles.train.encoder.network import EncoderConfig, LatinEncoder

    settings = job.settings
    torch.manual_seed(settings.seed)
    config = EncoderConfig(**{**job.network, "layers": settings.layers})
    return CrossEncoder(LatinEncoder(config), settings.pooling, settings.dropout)


def bases(given: Namespace) -> None:
    from locisimiles.benchmark.sets.dataset import Benchmark
    from locisimiles.train.crossencoder.bases import choose_base
    from locisimiles.train.crossencoder.sampling import LabelledPairs
    from locisimiles.train.crossencoder.training import predict, train_on_pairs
    from locisimiles.train.encoder.folder import is_pretrained_encoder

    benchmark = Benchmark.load(given.set)
    given.out.mkdir(parents=True, exist_ok=True)
    predictions = Predictions(given.out, given.limit)
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
            if predictions.wants(key):
                network = base.network()
                texts, pairs = base.texts(benchmark, train[fold])
                train_on_pairs(network, texts, pairs, settings, device=base.device)
                wanted = LabelledPairs(*score[fold], np.zeros(len(score[fold][0]), np.uint8))
                texts, wanted = base.texts(benchmark, wanted)
                predictions.add(
                    key, predict(network, texts, wanted.query, wanted.source, device=base.device)
                )


def evaluate(
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


def report(given: Namespace) -> None:
    from locisimiles.benchmark.sets.dataset import Benchmark

    benchmark = Benchmark.load(given.set)
    by_name: dict[str, dict[int, NDArray[Any]]] = {}
    for out in given.out:
        for key, logits in Predictions(out, None).done.items():
            name, _, fold = key.rpartition("|")
            by_name.setdefault(name, {})[int(fold)] = logits
    # Only folds that all were trained for, since folds differ.
    folds = sorted(set.intersection(*(set(own) for own in by_name.values())))
    results: dict[str, Any] = {"folds": folds, "average precision (any, cit, cf)": {}}
    figures = results["average precision (any, cit, cf)"]
    others = sorted(name for name in by_name if name.startswith("base "))
    for name in (*DRAWN, *TRAINED, *others):
        if name in by_name:
            depths = DEPTHS if name == USUAL else DEPTHS[-1:]
            rows = np.array(
                [evaluate(benchmark, fold, by_name[name][fold], depths) for fold in folds]
            )
            for depth, row in zip(depths, rows.mean(axis=0), strict=True):
                own = name if depth == max(DEPTHS) else f"{name}, {depth} candidates"
                figures[own] = [round(value, 1) for value in row.tolist()]
    best_first = sorted(figures.items(), key=lambda item: -item[1][0])
    print_table(
        {"": name, **dict(zip(("any", "cit.", "cf."), row, strict=True))}
        for name, row in best_first
    )
    save_results("crossencoder_ablations", results)


def main() -> None:
    options = parser(__doc__)
    commands = options.add_subparsers(required=True)
    own = commands.add_parser("prepare")
    own.add_argument("set", type=Path)
    own.add_argument("encoder", type=Path)
    own.add_argument("out", type=Path)
    own.add_argument("--weights", type=Path)
    own.add_argument("--folds", type=int, nargs="*")
    own.add_argument("--layers", type=int, default=LAYERS, help="layers of the encoder to keep")
    own.add_argument("--base", metavar="NAME", help="a name for the encoder, to compare encoders")
    own.add_argument("--untrained", action="store_true", help="leave out the encoder's weights")
    own.set_defaults(does=prepare)
    own = commands.add_parser("run")
    own.add_argument("out", type=Path)
    own.add_argument("--device", default="cpu")
    own.add_argument("--limit", type=float)
    own.add_argument("--only", nargs="+", metavar="NAME", help="only these settings")
    own.set_defaults(does=run)
    own = commands.add_parser("bases")
    own.add_argument("set", type=Path)
    own.add_argument("out", type=Path)
    own.add_argument("bases", nargs="+", metavar="BASE")
    own.add_argument("--folds", type=int, nargs="*")
    own.add_argument("--layers", type=int, default=LAYERS, help="layers of our encoders to keep")
    own.add_argument("--device", default="auto")
    own.add_argument("--limit", type=float)
    own.set_defaults(does=bases)
    own = commands.add_parser("report")
    own.add_argument("set", type=Path)
    own.add_argument("out", type=Path, nargs="+")
    own.set_defaults(does=report)
    given = options.parse_args()
    given.does(given)


if __name__ == "__main__":
    main()
