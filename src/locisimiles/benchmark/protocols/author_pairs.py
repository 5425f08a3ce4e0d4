"""Protocol ``author-pairs``: where a classifier succeeds, by citing and cited author.

For each pair of authors, the grid is reduced to the queries of one and the sources of the other,
and measured like the whole: precision, recall and F1 over the queries that have a reference there,
error rates over all queries of the author; then the mean over the folds that have a figure. The
number of references and their mean lexical overlap are taken over all folds together.

The paper says of its table that it decides at p ≥ 0.5, but its line of totals is that of the tuned
thresholds. Both are possible here: ``Thresholds(0.5, 0.5)``, or thresholds tuned per fold.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.benchmark.metrics.classification import (
    F1,
    FNR,
    FPR,
    PRECISION,
    RECALL,
    SMR,
    Counts,
)
from locisimiles.benchmark.metrics.measurement import Measurement
from locisimiles.benchmark.protocols.grid import (
    FoldCounts,
    decide,
    group_decision,
    mean_over_queries,
)
from locisimiles.benchmark.sets.groups import GROUPS, in_group
from locisimiles.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from locisimiles.benchmark.metrics.classification import Reading
    from locisimiles.benchmark.protocols.grid import PairGrid
    from locisimiles.classify.thresholds import DecisionRule

__all__ = ["ALL_AUTHORS", "AuthorFold", "evaluate_author_pairs"]

ALL_AUTHORS = "Total"
"""Stands for every author, as in the last line of the paper's table."""

_METRICS = (PRECISION, RECALL, F1, FPR, FNR, SMR)


@dataclass(frozen=True, slots=True, eq=False)
class AuthorFold:
    """A grid whose segments have authors.

    Attributes
    ----------
    grid
        The pairs.
    query_authors, source_authors
        The author of each query and each source segment.
    overlap
        The lexical overlap of each pair, such as
        `locisimiles.benchmark.protocols.overlap.shared_lemmas`; None if unknown.
    """

    grid: PairGrid
    query_authors: Sequence[str]
    source_authors: Sequence[str]
    overlap: NDArray[np.int64] | NDArray[np.float64] | None = None

    def __post_init__(self) -> None:
        shapes = [self.grid.label.shape, (len(self.query_authors), len(self.source_authors))]
        if self.overlap is not None:
            shapes.append(self.overlap.shape)
        if len(set(shapes)) > 1:
            names = ("grid", "authors", "overlap")[: len(shapes)]
            raise ParameterError(
                "benchmark.unequal_shapes",
                names=" and ".join(names),
                shapes=" and ".join(map(str, shapes)),
            )


def evaluate_author_pairs(
    folds: Sequence[AuthorFold],
    rule: DecisionRule | Sequence[DecisionRule],
    *,
    reading: Reading = "paper",
) -> tuple[Measurement, ...]:
    """Measure a classifier for each citing and cited author.

    Parameters
    ----------
    folds
        The grids of the folds, with authors.
    rule
        Turns probabilities into decisions: one rule, or one per fold.
    reading
        Which queries count in the means of precision, recall and F1.

    Returns
    -------
    tuple of Measurement
        For each pair of authors with a reference, by name, then for all authors together, and for
        each group: ``P``, ``R``, ``F1``, ``FPR``, ``FNR``, ``SMR``, the number of ``references`` in
        all folds, and their mean number of ``shared lemmas``. Names of metrics include the authors:
        ``F1 (Jerome, Virgil)``.
    """
    decisions = decide([fold.grid for fold in folds], rule)
    referring = {
        (fold.query_authors[query], fold.source_authors[source])
        for fold in folds
        for query, source in np.argwhere(in_group(fold.grid.label, "pooled"))
    }
    return tuple(
        measured
        for pair in (*sorted(referring), (ALL_AUTHORS, ALL_AUTHORS))
        for group in GROUPS
        for measured in _measure(pair, group, folds, decisions, reading)
    )


def _measure(
    authors: tuple[str, str],
    group: str,
    folds: Sequence[AuthorFold],
    decisions: Sequence[NDArray[np.bool_]],
    reading: Reading,
) -> list[Measurement]:
    parts, overlaps = [], [np.empty(0, np.float64)]
    for fold, decision in zip(folds, decisions, strict=True):
        queries = _written_by(fold.query_authors, authors[0])
        cut = np.ix_(queries, _written_by(fold.source_authors, authors[1]))
        actual = in_group(fold.grid.label[cut], group)
        counts = Counts.of(group_decision(decision, group)[cut], actual)
        parts.append(FoldCounts(fold.grid.fold, fold.grid.query[queries], counts))
        if fold.overlap is not None:
            overlaps.append(fold.overlap[cut][actual].astype(np.float64))
    references = sum(int((part.counts.tp + part.counts.fn).sum()) for part in parts)
    overlap = np.concatenate(overlaps)
    totals = {
        "references": float(references),
        "shared lemmas": float(overlap.mean()) if len(overlap) else float("nan"),
    }
    measured = [
        *(mean_over_queries(group, metric, parts, reading) for metric in _METRICS),
        *(
            Measurement.over_folds(group, name, [-1], [value], references)
            for name, value in totals.items()
        ),
    ]
    return [replace(own, metric=f"{own.metric} ({', '.join(authors)})") for own in measured]


def _written_by(authors: Sequence[str], name: str) -> NDArray[np.bool_]:
    return np.array([name in {author, ALL_AUTHORS} for author in authors], np.bool_)
