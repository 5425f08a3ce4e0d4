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
    from locisimiles.benchmark.metrics.measurement import Measurement
    from locisimiles.benchmark.protocols.grid import PairGrid
    from locisimiles.classify.thresholds import DecisionRule

__all__ = ["ALL_AUTHORS", "AuthorFold", "AuthorPair", "evaluate_author_pairs"]

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


@dataclass(frozen=True, slots=True, eq=False)
class AuthorPair:
    """The figures of a citing and a cited author.

    Attributes
    ----------
    query, source
        The authors; `ALL_AUTHORS` in the line of totals.
    group
        ``cit``, ``cf`` or ``pooled``.
    references
        The number of references in all folds.
    overlap
        Their mean lexical overlap; NaN if unknown.
    measurements
        ``P``, ``R``, ``F1``, ``FPR``, ``FNR``, ``SMR``.
    """

    query: str
    source: str
    group: str
    references: int
    overlap: float
    measurements: tuple[Measurement, ...]

    def named_measurements(self) -> tuple[Measurement, ...]:
        """Return the measurements with the authors in their names, ``F1 (Jerome, Virgil)``."""
        return tuple(
            replace(measurement, metric=f"{measurement.metric} ({self.query}, {self.source})")
            for measurement in self.measurements
        )


def evaluate_author_pairs(
    folds: Sequence[AuthorFold],
    rule: DecisionRule | Sequence[DecisionRule],
    *,
    reading: Reading = "paper",
) -> tuple[AuthorPair, ...]:
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
    tuple of AuthorPair
        One per group and pair of authors with a reference, by name, then those of all authors
        together. Groups without a reference are included.
    """
    decisions = decide([fold.grid for fold in folds], rule)
    referring = {
        (fold.query_authors[query], fold.source_authors[source])
        for fold in folds
        for query, source in np.argwhere(in_group(fold.grid.label, "pooled"))
    }
    pairs = []
    for group in GROUPS:
        counted = [
            _Counted.of(fold, decision, group)
            for fold, decision in zip(folds, decisions, strict=True)
        ]
        pairs += [
            _measure(pair, group, folds, counted, reading)
            for pair in (*sorted(referring), (ALL_AUTHORS, ALL_AUTHORS))
        ]
    return tuple(
        sorted(pairs, key=lambda pair: (pair.query == ALL_AUTHORS, pair.query, pair.source))
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Counted:
    """The counts of a fold, one row per query and one column per source author."""

    authors: tuple[str, ...]
    counts: Counts

    @classmethod
    def of(cls, fold: AuthorFold, decisions: NDArray[np.bool_], group: str) -> _Counted:
        authors = tuple(sorted(set(fold.source_authors)))
        belongs = np.array(fold.source_authors)[:, np.newaxis] == np.array(authors)
        flagged, actual = group_decision(decisions, group), in_group(fold.grid.label, group)
        tp, positive, relevant = (
            (pairs.astype(np.float32) @ belongs.astype(np.float32)).astype(np.int64)
            for pairs in (flagged & actual, flagged, actual)
        )
        fp, fn = positive - tp, relevant - tp
        return cls(authors, Counts(tp, fp, fn, belongs.sum(axis=0) - tp - fp - fn))

    def select(self, queries: NDArray[np.bool_], source: str) -> Counts:
        """Return the counts of some queries against the sources of an author."""
        chosen = [source in {author, ALL_AUTHORS} for author in self.authors]
        return self.counts.map(lambda column: column[queries][:, chosen].sum(axis=1))


def _measure(
    authors: tuple[str, str],
    group: str,
    folds: Sequence[AuthorFold],
    counted: Sequence[_Counted],
    reading: Reading,
) -> AuthorPair:
    query_author, source_author = authors
    parts, overlaps = [], [np.empty(0, np.float64)]
    for fold, of_fold in zip(folds, counted, strict=True):
        queries = _written_by(fold.query_authors, query_author)
        counts = of_fold.select(queries, source_author)
        parts.append(FoldCounts(fold.grid.fold, fold.grid.query[queries], counts))
        if fold.overlap is not None:
            cut = np.ix_(queries, _written_by(fold.source_authors, source_author))
            of_pairs = fold.overlap[cut][in_group(fold.grid.label[cut], group)]
            overlaps.append(of_pairs.astype(np.float64))
    overlap = np.concatenate(overlaps)
    return AuthorPair(
        query=query_author,
        source=source_author,
        group=group,
        references=sum(int((part.counts.tp + part.counts.fn).sum()) for part in parts),
        overlap=float(overlap.mean()) if len(overlap) else float("nan"),
        measurements=tuple(mean_over_queries(group, metric, parts, reading) for metric in _METRICS),
    )


def _written_by(authors: Sequence[str], name: str) -> NDArray[np.bool_]:
    return np.array([name in {author, ALL_AUTHORS} for author in authors], np.bool_)
