"""Protocol ``retrieval``: how well a method ranks the references among all source segments.

Each query is ranked against the whole source document, which is the same in every fold. The groups
are:

``cit``, ``cf``
    Only references of the type are relevant, and only queries that have one count. References of
    the other type stay in the ranking as irrelevant candidates.
``pooled``
    References of both types are relevant.

A figure is the mean over the queries of a fold, then the mean over folds, ± their standard
deviation. MRR@k is the reciprocal rank of the first relevant candidate if that rank is at most k.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from locisimiles.benchmark.metrics.hits import find_hits
from locisimiles.benchmark.metrics.measurement import Measurement
from locisimiles.benchmark.metrics.ranking import (
    NDCG,
    AveragePrecision,
    Recall,
    ReciprocalRank,
    SuccessAt,
)
from locisimiles.benchmark.sets.groups import GROUPS, of_group

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from locisimiles.benchmark.metrics.ranking import RankingMetric
    from locisimiles.benchmark.sets.references import References
    from locisimiles.candidates import Candidates

__all__ = ["RETRIEVAL_METRICS", "evaluate_retrieval", "unanswered"]

RETRIEVAL_METRICS: tuple[RankingMetric, ...] = (
    *(Recall(k) for k in (1, 5, 10, 20, 50, 100, 1000)),
    ReciprocalRank(),
    *(ReciprocalRank(k) for k in (10, 100, 1000)),
    AveragePrecision(),
    NDCG(10),
    NDCG(100),
    SuccessAt(10),
)
"""The metrics measured by default."""


def evaluate_retrieval(
    candidates: Candidates,
    references: References,
    metrics: Sequence[RankingMetric] = RETRIEVAL_METRICS,
    groups: Sequence[str] = GROUPS,
) -> tuple[Measurement, ...]:
    """Measure a ranking.

    Parameters
    ----------
    candidates
        The candidates of each query, by query, falling score and source id.
    references
        The references of all folds.
    metrics
        The metrics.
    groups
        The groups of references.

    Returns
    -------
    tuple of Measurement
        One for each group and metric; none for a group that has no reference.

    Examples
    --------
    >>> from locisimiles.benchmark.metrics.measurement import find
    >>> from locisimiles.benchmark.sets.references import References
    >>> from locisimiles.candidates import Candidates
    >>> ranking = np.array([4, 2]), np.array([2.0, 1.0])
    >>> references = References.from_columns([0, 1, 1], [2, 4, 7], label=[1, 1, 2], fold=[0, 1, 1])
    >>> measured = evaluate_retrieval(Candidates.join([ranking, ranking]), references)
    >>> find(measured, "pooled", "R@10").fold_value.tolist()
    [1.0, 0.5]
    >>> find(measured, "cf", "R@10").mean
    0.0
    """
    measured: list[Measurement] = []
    for group in groups:
        hits = find_hits(candidates, of_group(references, group))
        if len(hits):
            measured += [
                Measurement.over_queries(
                    group, metric.name, hits.queries, hits.fold, metric.values(hits)
                )
                for metric in metrics
            ]
    return tuple(measured)


def unanswered(candidates: Candidates, references: References) -> NDArray[np.int32]:
    """Return the queries that have references but no candidates.

    Their recall is 0. If there are many, the run may be incomplete.

    Examples
    --------
    >>> from locisimiles.benchmark.sets.references import References
    >>> from locisimiles.candidates import Candidates
    >>> references = References.from_columns([0, 3], [2, 4], label=[1, 1])
    >>> unanswered(Candidates.join([(np.array([2]), np.array([1.0]))]), references).tolist()
    [3]
    """
    return np.setdiff1d(references.queries, candidates.query).astype(np.int32)
