"""Train cross-encoders with one or two folds held out, and predict the pairs of these folds.

Their training pairs do not depend on labels of held-out folds: likely pairs of fold documents,
candidates of late interaction and BM25 in the whole source, and the references.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.files.arrays import load_arrays, save_arrays
from locisimiles.files.writing import atomic_binary
from locisimiles.learn.default import UNTRAINED
from locisimiles.learn.ensemble import learn_from_examples
from locisimiles.learn.ensemble_examples import collect_examples, labels_of
from locisimiles.learn.fold_models import learn_for_fold
from locisimiles.learn.hard_negatives import search_queries
from locisimiles.learn.predictions import PredictionBook, WantedPredictions, left_out_sets
from locisimiles.progress import silent
from locisimiles.retrieve.combined.search import Combined
from locisimiles.retrieve.lexical.bm25 import BM25
from locisimiles.train.common.files import reading
from locisimiles.train.crossencoder.preparation import prepare_job
from locisimiles.train.crossencoder.sampling import LabelledPairs
from locisimiles.train.crossencoder.settings import CrossEncoderSettings

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from locisimiles.benchmark.sets.dataset import Benchmark
    from locisimiles.benchmark.sets.pools import FoldPools
    from locisimiles.learn.ensemble_examples import TrainingExamples
    from locisimiles.progress import Progress

    Pairs = tuple[NDArray[np.int64], NDArray[np.int64]]

__all__ = [
    "ALL_REFERENCES",
    "HELD_OUT_SETTINGS",
    "JOB",
    "PAIRS",
    "collect_predictions",
    "prepare_predictions",
    "share_job",
]

HELD_OUT_SETTINGS = CrossEncoderSettings(
    samples=32_000,
    epochs=3,
    batch_size=128,
    at_once=128,
    rate=4e-5,
    head_rate=1e-3,
    layers=2,
)
"""How the cross-encoder of the package was trained, besides its teachers."""
_HARD_BY_LATE, _HARD_BY_WORDS = 50, 30
JOB = "job.npz"
ALL_REFERENCES = 0
"""The fold of the job that holds out nothing: the first of `left_out_sets`."""
PAIRS = "pairs.npz"
"""The pairs to predict. If a folder has it, its job is complete."""
_LOGITS = "logits.npz"


def prepare_predictions(
    folder: Path,
    pools: FoldPools,
    encoder: Path,
    *,
    weights: Path | None = None,
    settings: CrossEncoderSettings = HELD_OUT_SETTINGS,
    combined: Combined | None = None,
    progress: Progress = silent,
) -> None:
    """Write ``job.npz``, which trains all cross-encoders and predicts with them, into a folder.

    `encoder` and `weights` are the base, as in `prepare_job`; `combined` is the search before the
    ensemble, by default the default search.
    """
    benchmark = pools.benchmark
    search = combined or Combined(weights=UNTRAINED)
    examples = collect_examples(
        benchmark, pools.source, replace(search, priors=False), seed=pools.seed, progress=progress
    )
    wanted = _wanted_pairs(pools, search, examples, progress)
    hard = _hard_pairs(benchmark, search, progress)
    train: dict[int, LabelledPairs] = {}
    score: dict[int, tuple[NDArray[np.int32], NDArray[np.int32]]] = {}
    columns: dict[str, NDArray[np.generic]] = {}
    for number, left_out in enumerate(left_out_sets(pools.folds())):
        train[number] = _training_pairs(pools, examples, hard, left_out)
        pairs = sorted(
            (benchmark.query.index(query), benchmark.source.index(source))
            for query, source in wanted.pairs.get(left_out, ())
        )
        query_rows, source_rows = np.array(pairs, np.int32).reshape(-1, 2).T
        score[number] = query_rows, source_rows
        columns |= {f"query_{number}": query_rows, f"source_{number}": source_rows}
    prepare_job(
        folder / JOB, benchmark, encoder, settings, train=train, score=score, weights=weights
    )
    save_arrays(folder / PAIRS, columns, effort=3)  # last: its presence says that all is there


def collect_predictions(folder: Path, pools: FoldPools) -> PredictionBook | None:
    """Return the predictions of a folder's cross-encoders; None if some are missing."""
    if not (folder / _LOGITS).exists():
        return None
    logits, pairs = load_arrays(folder / _LOGITS), load_arrays(folder / PAIRS)
    sets = left_out_sets(pools.folds())
    if any(f"logits_{number}" not in logits for number in range(len(sets))):
        return None
    benchmark = pools.benchmark
    return PredictionBook.of_logits(
        benchmark.query.ids,
        benchmark.source.ids,
        {
            left_out: (
                pairs[f"query_{number}"],
                pairs[f"source_{number}"],
                logits[f"logits_{number}"],
            )
            for number, left_out in enumerate(sets)
        },
    )


def share_job(other: Path, folder: Path) -> None:
    """Copy the job of another folder, for networks that learn from those trained there.

    Raises
    ------
    InputError, OutputError
        If the other folder has none, or this one cannot be written.
    """
    for name in (JOB, PAIRS):  # in this order: pairs say that all is there
        with reading(other / name):
            content = (other / name).read_bytes()
        with atomic_binary(folder / name) as file:
            file.write(content)


def _wanted_pairs(
    pools: FoldPools, search: Combined, examples: TrainingExamples, progress: Progress
) -> WantedPredictions:
    """Learn and judge as `train classifier` and measurements will; note the pairs they need."""
    wanted = WantedPredictions()
    learn_from_examples(
        examples, {fold: wanted.without((fold,)) for fold in pools.folds()}, progress=progress
    )
    for fold in pools.folds():
        judge = learn_for_fold(pools, fold, wanted, combined=search, progress=progress)
        for priors in (True, False):
            ensemble = replace(judge.ensemble, priors=priors)
            judge.document(ensemble)
            judge.library(ensemble)
    return wanted


def _hard_pairs(benchmark: Benchmark, search: Combined, progress: Progress) -> Pairs:
    """Return the candidates of queries with references in the whole source, of any label."""
    queries = benchmark.references.queries
    candidates = (
        search_queries(benchmark, search.late_search(), queries, _HARD_BY_LATE, progress),
        search_queries(benchmark, BM25(), queries, _HARD_BY_WORDS, progress),
    )
    return (
        np.concatenate([ranked.query for ranked in candidates]).astype(np.int64),
        np.concatenate([ranked.source for ranked in candidates]).astype(np.int64),
    )


def _training_pairs(
    pools: FoldPools, examples: TrainingExamples, hard: Pairs, left_out: Sequence[int]
) -> LabelledPairs:
    """Return the pairs to train on where folds are left out, without any query of these folds."""
    benchmark = pools.benchmark
    references = benchmark.references
    kept = references.select(~np.isin(references.fold, left_out))
    unseen = {name for fold in left_out for name in pools.pool(fold).query.ids}
    query_parts = [kept.query.astype(np.int64), hard[0]]
    source_parts = [kept.source.astype(np.int64), hard[1]]
    for document in examples.documents:
        likely, pairs = document.looks_likely(), document.pairs
        query_rows = np.array([benchmark.query.index(name) for name in pairs.query.ids])
        source_rows = np.array([benchmark.source.index(name) for name in pairs.source.ids])
        query_parts.append(query_rows[pairs.query_rows[likely]])
        source_parts.append(source_rows[pairs.source_rows[likely]])
    sources = len(benchmark.source)
    keys = np.unique(np.concatenate(query_parts) * sources + np.concatenate(source_parts))
    query, source = keys // sources, keys % sources
    seen = np.array([benchmark.query.ids[at] not in unseen for at in query.tolist()], np.bool_)
    held_out = np.isin(query, references.query[np.isin(references.fold, left_out)])
    rows = seen & ~held_out
    return LabelledPairs(
        query[rows].astype(np.int32),
        source[rows].astype(np.int32),
        labels_of(references, query[rows], source[rows], sources),
    )
