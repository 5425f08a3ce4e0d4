"""What a bi-encoder is trained on and looked at with, fold by fold."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.arrays import load_arrays, save_arrays
from locisimiles.learn.sampling import TrainingPairs, sample_pairs
from locisimiles.models.embedding_cache import default_cache_folder
from locisimiles.retrieve.vectors.dense import Dense

if TYPE_CHECKING:
    from collections.abc import Callable
    from os import PathLike
    from pathlib import Path

    from numpy.typing import NDArray

    from locisimiles.benchmark.sets.dataset import Benchmark
    from locisimiles.models.encoders import TextEncoder
    from locisimiles.progress import Progress
    from locisimiles.retrieve import Candidates, Retriever
    from locisimiles.train.biencoder.settings import BiEncoderSettings

__all__ = [
    "NEED_SIMILAR",
    "hard_candidates",
    "held_out_pairs",
    "search_queries",
    "similar_sources",
    "training_pairs",
]

NEED_SIMILAR = ("qry,mix", "qry,sim")


def similar_sources(
    benchmark: Benchmark,
    encoder: TextEncoder,
    settings: BiEncoderSettings,
    cache: str | PathLike[str] | None,
    progress: Progress,
) -> Candidates:
    """Return the sources that the untrained encoder takes for similar to each query."""
    dense = Dense(encoder, cache=cache if cache is not None else default_cache_folder())
    return hard_candidates(benchmark, dense, settings.hard_depth, settings.ratio, progress)


def hard_candidates(
    benchmark: Benchmark, retriever: Retriever, depth: int, ratio: int, progress: Progress
) -> Candidates:
    """Search all queries that have references, so deep that enough others are left for each.

    Parameters
    ----------
    benchmark
        Queries, sources and references.
    retriever
        What finds similar sources.
    depth
        How many others there should be.
    ratio
        How many negatives each reference needs; a query with many references needs many, and is
        then searched deeper (and so are all others).
    progress
        Called while the work goes on.
    """
    references = benchmark.references
    most = int(np.unique(references.query, return_counts=True)[1].max())
    k = max(depth, most * ratio) + most
    return search_queries(benchmark, retriever, references.queries, k, progress)


def search_queries(
    benchmark: Benchmark,
    retriever: Retriever,
    queries: NDArray[np.int32],
    k: int,
    progress: Progress,
) -> Candidates:
    """Search some queries of a benchmark, given and returned by their positions in it."""
    index = retriever.index(benchmark.source, progress=progress)
    found = index.search(benchmark.query.select(queries.tolist()), k, progress=progress)
    return replace(found, query=queries[found.query])


def training_pairs(
    path: Path,
    benchmark: Benchmark,
    fold: int | None,
    settings: BiEncoderSettings,
    similar: Callable[[], Candidates],
) -> TrainingPairs:
    """Return the pairs of a fold, as drawn before if the training goes on."""
    if not path.exists():
        references = benchmark.references
        held_out = references.query[references.fold == fold] if fold is not None else []
        pairs = sample_pairs(
            references.select(references.fold != fold) if fold is not None else references,
            queries=np.setdiff1d(np.arange(len(benchmark.query)), held_out).astype(np.int32),
            sources=len(benchmark.source),
            strategy=settings.strategy,
            ratio=settings.ratio,
            seed=settings.seed,
            similar=similar() if settings.strategy in NEED_SIMILAR else None,
        )
        unfinished = path.with_name(f".{path.name}")
        save_arrays(unfinished, asdict(pairs))
        unfinished.replace(path)
    arrays = load_arrays(path)
    return TrainingPairs(
        query=arrays["query"].astype(np.int32),
        source=arrays["source"].astype(np.int32),
        label=arrays["label"].astype(np.int8),
    )


def held_out_pairs(
    benchmark: Benchmark, fold: int | None, settings: BiEncoderSettings
) -> TrainingPairs:
    """Return pairs of the held-out fold to look at now and then, none if there is no such fold.

    Their negatives are random ones, whatever is trained on, so that strategies can be compared.
    """
    references = benchmark.references
    return sample_pairs(
        references.select(references.fold == fold)
        if fold is not None
        else references.select(np.zeros(len(references), np.bool_)),
        queries=np.empty(0, np.int32),
        sources=len(benchmark.source),
        strategy="qry,rnd",
        ratio=1,
        seed=settings.seed,
    )
