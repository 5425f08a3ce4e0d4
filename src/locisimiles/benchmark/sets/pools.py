"""Fold documents: the reduced documents in which every query is compared with every source."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.benchmark.sets.folds import shuffled_place
from locisimiles.benchmark.sets.references import References
from locisimiles.checks import check_choice
from locisimiles.errors import ParameterError
from locisimiles.index import PreparedDocument

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from numpy.typing import NDArray

    from locisimiles.benchmark.sets.dataset import Benchmark
    from locisimiles.corpus import Document

__all__ = ["FoldPools", "fold_pool", "training_set"]


def fold_pool(benchmark: Benchmark, fold: int, *, seed: int = 0) -> Benchmark:
    """Reduce a benchmark to one fold.

    The query document has the queries of the fold and as many distractors: from each work, as many
    segments without any reference as it has queries in the fold. The source document has the
    sources that the fold's references cite, and as many that no fold cites, again work by work. If
    a work has too few, other works of the author fill in, then any. Segments keep their order, so
    that it does not give distractors away.

    Parameters
    ----------
    benchmark
        A set with folds.
    fold
        The number of the fold.
    seed
        Seed of the distractors. They depend on the ids, not on the order of rows.

    Raises
    ------
    ParameterError
        If the fold is unknown.

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
    if not benchmark.folds:
        raise ParameterError("benchmark.no_folds", name=benchmark.name)
    check_choice(map(str, benchmark.folds), fold=str(fold))
    all_references = benchmark.references
    here = all_references.fold == fold
    references = all_references.select(here)
    query, source = (
        _with_distractors(document, np.unique(cited), np.unique(ever_cited), (seed, fold, side))
        for side, document, cited, ever_cited in (
            ("query", benchmark.query, references.query, all_references.query),
            ("source", benchmark.source, references.source, all_references.source),
        )
    )
    return replace(
        benchmark,
        query=benchmark.query.select(query.tolist()),
        source=benchmark.source.select(source.tolist()),
        references=References.from_columns(
            query=np.searchsorted(query, references.query),
            source=np.searchsorted(source, references.source),
            label=references.label,
            fold=references.fold,
            grade=references.grade,
        ),
        manifest={"pool_of": benchmark.name, "fold": fold, "seed": seed},
        provenance=tuple(benchmark.provenance[i] for i in np.flatnonzero(here)),
    )


def training_set(benchmark: Benchmark, fold: int, *, seed: int = 0) -> Benchmark:
    """Return the training set of a fold.

    The query segments of the fold's document are left out, distractors included, so that a method
    has seen none of them in training, not even as an example of *no match*. All sources are kept:
    they are the same for every fold.

    Parameters
    ----------
    benchmark
        A set with folds.
    fold
        The fold that will be measured.
    seed
        Seed of the fold documents.

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
    """A benchmark with its fold documents, and its sources prepared once for all folds.

    Parameters
    ----------
    benchmark
        The whole set.
    seed
        Seed of the distractors in the fold documents.
    """

    def __init__(self, benchmark: Benchmark, seed: int = 0) -> None:
        self.benchmark = benchmark
        self.seed = seed
        self._pools: dict[int, Benchmark] = {}

    @cached_property
    def source(self) -> PreparedDocument:
        """The prepared sources, shared by all folds."""
        return PreparedDocument(self.benchmark.source)

    def pool(self, fold: int) -> Benchmark:
        """Return the document of a fold."""
        if fold not in self._pools:
            self._pools[fold] = fold_pool(self.benchmark, fold, seed=self.seed)
        return self._pools[fold]

    def folds(self, *, least: int = 2) -> tuple[int, ...]:
        """Return the folds, or raise a ParameterError if there are fewer than `least`."""
        folds, name = self.benchmark.folds, self.benchmark.name
        if len(folds) < least:
            raise ParameterError("benchmark.one_fold" if folds else "benchmark.no_folds", name=name)
        return folds

    def training(self, fold: int) -> Benchmark:
        """Return the training set of a fold; see `training_set`."""
        return training_set(self.benchmark, fold, seed=self.seed)


def _with_distractors(
    document: Document,
    positions: NDArray[np.int32],
    referenced: NDArray[np.int32],
    seed: tuple[object, ...],
) -> NDArray[np.int32]:
    """Return the positions and as many distractors, drawn from the same works, in order."""
    without = np.setdiff1d(np.arange(len(document)), referenced).tolist()
    order = sorted(without, key=lambda at: shuffled_place("pool", *seed, document.ids[at]))
    drawn: set[int] = set()
    lacking: list[int] = positions.tolist()
    works = tuple(zip(document.authors, document.works, strict=True))
    for groups in (works, document.authors, ("any",) * len(document)):
        lacking = _draw_from_groups(lacking, order, groups, drawn)
    return np.sort(np.concatenate([positions, np.array(sorted(drawn), np.int32)]))


def _draw_from_groups(
    lacking: list[int], order: list[int], groups: Sequence[Hashable], drawn: set[int]
) -> list[int]:
    """Draw a segment of the same group for each position; return the positions left without."""
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
