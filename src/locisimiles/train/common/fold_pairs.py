"""The pairs that a network is trained on where a fold is held out."""

from __future__ import annotations

from dataclasses import asdict
from functools import cache
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import numpy as np

from locisimiles.files.arrays import load_arrays, save_arrays
from locisimiles.learn.hard_negatives import hard_candidates
from locisimiles.learn.sampling import sample_pairs

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from locisimiles.benchmark.sets.dataset import Benchmark
    from locisimiles.benchmark.sets.references import References
    from locisimiles.candidates import Candidates
    from locisimiles.learn.sampling import Strategy, TrainingPairs
    from locisimiles.progress import Progress
    from locisimiles.retrieve import Retriever

__all__ = ["hard_negatives", "load_or_draw", "needs_similar", "references_without", "sample_fold"]

_Pairs = TypeVar("_Pairs", bound=Any)


class Sampling(Protocol):
    """The settings that say how negatives are drawn; see `locisimiles.learn.sampling`."""

    @property
    def strategy(self) -> Strategy: ...
    @property
    def ratio(self) -> int: ...
    @property
    def hard_depth(self) -> int: ...
    @property
    def seed(self) -> int: ...


def needs_similar(settings: Sampling) -> bool:
    """Whether negatives are drawn from similar sources."""
    return settings.strategy in {"qry,mix", "qry,sim"}


def hard_negatives(
    benchmark: Benchmark, retriever: Retriever, settings: Sampling, progress: Progress
) -> Callable[[], Candidates | None]:
    """Return a function that finds similar sources when first called; None if not needed."""

    @cache
    def similar() -> Candidates | None:
        if not needs_similar(settings):
            return None
        return hard_candidates(benchmark, retriever, settings.hard_depth, settings.ratio, progress)

    return similar


def references_without(benchmark: Benchmark, fold: int | None) -> References:
    """Return the references of all other folds; all of them if `fold` is None."""
    references = benchmark.references
    return references if fold is None else references.select(references.fold != fold)


def sample_fold(
    benchmark: Benchmark,
    fold: int | None,
    settings: Sampling,
    similar: Candidates | None = None,
) -> TrainingPairs:
    """Draw negatives for the references of all folds but one, whose queries are never drawn.

    ``qry,sim`` and ``qry,mix`` need the candidates of a retriever (`similar`).
    """
    references = benchmark.references
    held_out = references.query[references.fold == fold] if fold is not None else []
    return sample_pairs(
        references_without(benchmark, fold),
        queries=np.setdiff1d(np.arange(len(benchmark.query)), held_out).astype(np.int32),
        sources=len(benchmark.source),
        strategy=settings.strategy,
        ratio=settings.ratio,
        seed=settings.seed,
        similar=similar,
    )


def load_or_draw(path: Path, kind: type[_Pairs], draw: Callable[[], _Pairs]) -> _Pairs:
    """Return the pairs in a file; if there is none, draw and save them first."""
    if not path.exists():
        save_arrays(path, asdict(draw()))
    pairs: _Pairs = kind(**load_arrays(path))
    return pairs
