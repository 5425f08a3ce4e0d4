"""The reduced documents of a fold, in which every query is compared with every source."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.benchmark.sets.folds import shuffled_place
from locisimiles.benchmark.sets.references import References
from locisimiles.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from numpy.typing import NDArray

    from locisimiles.benchmark.sets.dataset import Benchmark
    from locisimiles.corpus import Document

__all__ = ["fold_pool"]


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
