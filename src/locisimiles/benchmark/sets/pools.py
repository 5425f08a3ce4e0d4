"""The reduced documents of a fold, in which every query is compared with every source."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.benchmark.sets.folds import shuffled_place
from locisimiles.benchmark.sets.references import References
from locisimiles.errors import ParameterError
from locisimiles.index import PreparedDocument

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from numpy.typing import NDArray

    from locisimiles.benchmark.sets.dataset import Benchmark
    from locisimiles.corpus import Document

__all__ = ["FoldPools", "fold_pool", "training_set"]


def fold_pool(benchmark: Benchmark, fold: int, *, seed: int = 0) -> Benchmark:
    """Cut a benchmark down to one fold.

    The query document has the queries of the fold, and as many distractors: from each work as many
    segments without any reference as it has queries there. The source document has the sources that
    the fold's references cite, and as many that are not cited in any fold, again work by work.
    Where a work has too few, other works of the author fill in, then any. Segments keep their
    order, so that it does not tell distractors from the rest.

    Parameters
    ----------
    benchmark
        A set with folds.
    fold
        Which one.
    seed
        Another seed draws other distractors. They depend on the ids, not on the order of rows.

    Raises
    ------
    ParameterError
        If there is no such fold.

    Examples
    --------
    >>> from locisimiles import Document, Segment
    >>> from locisimiles.benchmark.sets.dataset import Benchmark
    >>> verses = Document.from_segments(Segment(f"v{n}", "verba") for n in range(9))
    >>> references = References.from_columns([0, 1], [4, 5], [1, 1], fold=[0, 1])
    >>> pool = fold_pool(Benchmark(verses, verses, references), 1)
    >>> len(pool.query), len(pool.source), len(pool.references)
    (2, 2, 1)
    """
    if fold not in benchmark.folds:
        known = ", ".join(map(str, benchmark.folds))
        raise ParameterError(
            f"there is no fold {fold}",
            hint=f"the folds are {known}" if known else "make folds first, with with_folds()",
        )
    all_references = benchmark.references
    here = all_references.fold == fold
    references = all_references.select(here)
    sides = {}
    for side, document in (("query", benchmark.query), ("source", benchmark.source)):
        positions = np.unique(getattr(references, side))
        ever = np.unique(getattr(all_references, side))
        distractors = _draw_distractors(document, positions, ever, (seed, fold, side))
        sides[side] = np.sort(np.concatenate([positions, distractors]))
    return replace(
        benchmark,
        query=benchmark.query.select(sides["query"].tolist()),
        source=benchmark.source.select(sides["source"].tolist()),
        references=References.from_columns(
            query=np.searchsorted(sides["query"], references.query),
            source=np.searchsorted(sides["source"], references.source),
            label=references.label,
            fold=references.fold,
            grade=references.grade,
        ),
        manifest={"pool_of": benchmark.name, "fold": fold, "seed": seed},
        provenance=tuple(benchmark.provenance[i] for i in np.flatnonzero(here)),
    )


def training_set(benchmark: Benchmark, fold: int, *, seed: int = 0) -> Benchmark:
    """Return what a method may learn from before it is measured on a fold.

    The query segments of the fold's document are left out, those with references and the
    distractors, so that nothing a method is asked about was seen in training, not even as an
    example of *no match*. The sources are all there: every fold is searched in the same.

    Parameters
    ----------
    benchmark
        A set with folds.
    fold
        The fold that will be measured.
    seed
        The seed of the fold documents.

    Examples
    --------
    >>> from locisimiles import Document, Segment
    >>> from locisimiles.benchmark.sets.dataset import Benchmark
    >>> from locisimiles.benchmark.sets.references import References
    >>> verses = Document.from_segments(Segment(f"v{n}", "verba") for n in range(9))
    >>> references = References.from_columns([0, 1], [4, 5], [1, 1], fold=[0, 1])
    >>> training = training_set(Benchmark(verses, verses, references), 1)
    >>> len(training.query), "v1" in training.query, training.folds
    (7, False, (0,))
    """
    held_out = set(fold_pool(benchmark, fold, seed=seed).query.ids)
    kept = [at for at, name in enumerate(benchmark.query.ids) if name not in held_out]
    all_references = benchmark.references
    rows = all_references.fold != fold
    references = all_references.select(rows)
    return replace(
        benchmark,
        query=benchmark.query.select(kept),
        references=replace(
            references, query=np.searchsorted(kept, references.query).astype(np.int32)
        ),
        manifest={"training_of": benchmark.name, "without_fold": fold},
        provenance=tuple(benchmark.provenance[at] for at in np.flatnonzero(rows)),
    )


class FoldPools:
    """A benchmark with the reduced documents of its folds, and its sources prepared for all.

    Parameters
    ----------
    benchmark
        The whole set.
    seed
        Draws the distractors of the fold documents.
    """

    def __init__(self, benchmark: Benchmark, seed: int = 0) -> None:
        self.benchmark = benchmark
        self.seed = seed
        self._pools: dict[int, Benchmark] = {}

    @cached_property
    def source(self) -> PreparedDocument:
        """The sources; what methods derive from them is derived once for all folds."""
        return PreparedDocument(self.benchmark.source)

    def pool(self, fold: int) -> Benchmark:
        """Return the reduced documents of a fold."""
        if fold not in self._pools:
            self._pools[fold] = fold_pool(self.benchmark, fold, seed=self.seed)
        return self._pools[fold]

    def folds(self, *, least: int = 2) -> tuple[int, ...]:
        """Return the folds.

        Raises
        ------
        ParameterError
            If there are fewer than `least`: to learn from one takes another.
        """
        folds = self.benchmark.folds
        if len(folds) < least:
            raise ParameterError(
                f"the set {self.benchmark.name!r} has {'one fold only' if folds else 'no folds'}",
                hint="make some: --folds 5, or Benchmark.with_folds()",
            )
        return folds

    def training(self, fold: int) -> Benchmark:
        """Return what may be learnt from before a fold is measured; see `training_set`."""
        return training_set(self.benchmark, fold, seed=self.seed)


def _draw_distractors(
    document: Document,
    positions: NDArray[np.int32],
    referenced: NDArray[np.int32],
    seed: tuple[object, ...],
) -> NDArray[np.int32]:
    """Draw as many segments without references as there are positions, from the same works."""
    without = np.setdiff1d(np.arange(len(document)), referenced).tolist()
    order = sorted(without, key=lambda at: shuffled_place("pool", *seed, document.ids[at]))
    drawn: set[int] = set()
    lacking: list[int] = positions.tolist()
    works = tuple(zip(document.authors, document.works, strict=True))
    for groups in (works, document.authors, ("anybody",) * len(document)):
        lacking = _draw_from_groups(lacking, order, groups, drawn)
    return np.array(sorted(drawn), np.int32)


def _draw_from_groups(
    lacking: list[int], order: list[int], groups: Sequence[Hashable], drawn: set[int]
) -> list[int]:
    """Draw one segment of the same group for each position; return those that got none."""
    wanted = Counter(groups[position] for position in lacking)
    for position in order:
        if wanted[groups[position]] and position not in drawn:
            wanted[groups[position]] -= 1
            drawn.add(position)
    still_lacking = []
    for position in lacking:
        if wanted[groups[position]]:
            wanted[groups[position]] -= 1
            still_lacking.append(position)
    return still_lacking
