"""Train cross-encoders that have not seen a fold, or two, and ask them what will be asked.

What they learn from does not depend on labels of folds that are left out: pairs of fold documents
that look likely, what late interaction and BM25 find in the whole source, and the references.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.arrays import load_arrays, save_arrays
from locisimiles.benchmark.learned_default import UNTRAINED
from locisimiles.learn.ensemble import learn_from_examples
from locisimiles.learn.ensemble_examples import collect_examples, labels_of
from locisimiles.learn.fold_models import learn_for_fold
from locisimiles.learn.predictions import OpinionBook, OpinionsWanted, left_out_sets
from locisimiles.progress import silent
from locisimiles.retrieve.combined import Combined
from locisimiles.retrieve.lexical.bm25 import BM25
from locisimiles.train.crossencoder.preparation import prepare_job
from locisimiles.train.crossencoder.sampling import LabelledPairs
from locisimiles.train.crossencoder.settings import CrossEncoderSettings

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from locisimiles.benchmark.runs.evaluation import Ground
    from locisimiles.benchmark.sets.dataset import Benchmark
    from locisimiles.learn.ensemble_examples import TrainingExamples
    from locisimiles.progress import Progress
    from locisimiles.retrieve.base import Retriever

    Pairs = tuple[NDArray[np.int64], NDArray[np.int64]]

__all__ = ["OPINION_SETTINGS", "collect_opinions", "prepare_opinions"]

OPINION_SETTINGS = CrossEncoderSettings(
    samples=32_000,
    epochs=3,
    batch_size=128,
    at_once=128,
    rate=4e-5,
    head_rate=1e-3,
    layers=4,
)
"""How the cross-encoder that comes with the package was trained."""
_HARD_BY_LATE, _HARD_BY_WORDS = 50, 30
_PAIRS = "pairs.npz"
_JOB, _LOGITS = "job.npz", "logits.npz"


def prepare_opinions(
    folder: Path,
    ground: Ground,
    encoder: Path,
    *,
    weights: Path | None = None,
    settings: CrossEncoderSettings = OPINION_SETTINGS,
    combined: Combined | None = None,
    progress: Progress = silent,
) -> None:
    """Write the job that trains and asks all cross-encoders, ``job.npz``, into a folder.

    Parameters
    ----------
    folder
        Where to; it must exist.
    ground
        The benchmark and its fold documents.
    encoder, weights
        What they begin with, as in `prepare_job`.
    settings
        How they are trained.
    combined
        The search before the ensemble; the default one if none is given.
    progress
        Called while the work goes on.

    Raises
    ------
    LocisimilesError
        If the encoder cannot be read, or the folder cannot be written.
    """
    benchmark = ground.benchmark
    search = combined or Combined(weights=UNTRAINED)
    examples = collect_examples(
        benchmark, replace(search, priors=False), seed=ground.seed, progress=progress
    )
    wanted = _opinions_wanted(ground, search, examples, progress)
    hard = _hard_pairs(benchmark, search, progress)
    sets = left_out_sets(ground.folds())
    train: dict[int, LabelledPairs] = {}
    score: dict[int, tuple[NDArray[np.int32], NDArray[np.int32]]] = {}
    kept: dict[str, NDArray[np.generic]] = {}
    for number, left_out in enumerate(sets):
        train[number] = _training_pairs(ground, examples, hard, left_out)
        pairs = sorted(
            (benchmark.query.index(query), benchmark.source.index(source))
            for query, source in wanted.pairs.get(left_out, ())
        )
        asked, given = np.array(pairs, np.int32).reshape(-1, 2).T
        score[number] = asked, given
        kept |= {f"query_{number}": asked, f"source_{number}": given}
    prepare_job(
        folder / _JOB, benchmark, encoder, settings, train=train, score=score, weights=weights
    )
    save_arrays(folder / _PAIRS, kept, effort=3)  # last: it says that all is there


def collect_opinions(folder: Path, ground: Ground) -> OpinionBook | None:
    """Return what the cross-encoders of a folder answered; None if some have not yet.

    Raises
    ------
    InputError
        If the files are none of ours.
    """
    sets = left_out_sets(ground.folds())
    if not (folder / _LOGITS).exists():
        return None
    logits, pairs = load_arrays(folder / _LOGITS), load_arrays(folder / _PAIRS)
    if any(f"logits_{number}" not in logits for number in range(len(sets))):
        return None
    benchmark = ground.benchmark
    return OpinionBook.of_logits(
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


def _opinions_wanted(
    ground: Ground, search: Combined, examples: TrainingExamples, progress: Progress
) -> OpinionsWanted:
    """Learn and judge as it will be done, and see what is asked."""
    wanted = OpinionsWanted()
    learn_from_examples(
        examples, {fold: wanted.without((fold,)) for fold in ground.folds()}, progress=progress
    )
    for fold in ground.folds():
        judge = learn_for_fold(ground, fold, wanted, combined=search, progress=progress)
        for priors in (True, False):
            own = replace(judge.ensemble, priors=priors)
            judge.document(own)
            judge.library(own)
    return wanted


def _hard_pairs(benchmark: Benchmark, search: Combined, progress: Progress) -> Pairs:
    """Return what is similar to queries with references in the whole source, whatever it is."""
    queries = benchmark.references.queries
    asked = benchmark.query.select(queries.tolist())
    retrievers: Sequence[tuple[Retriever, int]] = (
        (search.late_search(), _HARD_BY_LATE),
        (BM25(), _HARD_BY_WORDS),
    )
    found = [
        retriever.index(benchmark.source, progress=progress).search(asked, depth, progress=progress)
        for retriever, depth in retrievers
    ]
    return (
        queries[np.concatenate([own.query for own in found])].astype(np.int64),
        np.concatenate([own.source for own in found]).astype(np.int64),
    )


def _training_pairs(
    ground: Ground, examples: TrainingExamples, hard: Pairs, left_out: Sequence[int]
) -> LabelledPairs:
    """Return what is learnt from where some folds are left out, with all queries asked there."""
    benchmark = ground.benchmark
    references = benchmark.references
    kept = references.select(~np.isin(references.fold, left_out))
    unseen = {name for fold in left_out for name in ground.pool(fold).query.ids}
    asked = [kept.query.astype(np.int64), hard[0]]
    given = [kept.source.astype(np.int64), hard[1]]
    for own in examples.documents:
        rows = own.looks_likely()
        in_query = np.array([benchmark.query.index(name) for name in own.query.ids])
        in_source = np.array([benchmark.source.index(name) for name in own.source.ids])
        asked.append(in_query[own.asked[rows]])
        given.append(in_source[own.given[rows]])
    sources = len(benchmark.source)
    keys = np.unique(np.concatenate(asked) * sources + np.concatenate(given))
    query, source = keys // sources, keys % sources
    seen = np.array([benchmark.query.ids[at] not in unseen for at in query.tolist()], np.bool_)
    held_out = np.isin(query, references.query[np.isin(references.fold, left_out)])
    rows = seen & ~held_out
    return LabelledPairs(
        query[rows].astype(np.int32),
        source[rows].astype(np.int32),
        labels_of(references, query[rows], source[rows], sources),
    )
