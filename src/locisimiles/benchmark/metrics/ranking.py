"""Ranking metrics as small objects: a name, a cutoff, a formula.

Every metric returns one value per query. Means are over the queries that have a reference, whether
or not anything was found for them. All agree with ``ir-measures``, and so with ``trec_eval``.

>>> [metric.name for metric in (Recall(10), ReciprocalRank(), NDCG(10))]
['R@10', 'MRR', 'nDCG@10']
>>> parse_metric("recall@100")
Recall(cutoff=100)
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from locisimiles.checks import check_at_least
from locisimiles.errors import ParameterError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from locisimiles.benchmark.metrics.hits import Hits

__all__ = [
    "NDCG",
    "AveragePrecision",
    "Precision",
    "RankingMetric",
    "Recall",
    "ReciprocalRank",
    "SuccessAt",
    "parse_metric",
]


@dataclass(frozen=True, slots=True)
class RankingMetric(ABC):
    """Base class of the ranking metrics.

    Attributes
    ----------
    cutoff
        The number of candidates per query that count; None for all.
    """

    symbol: ClassVar[str]
    needs_cutoff: ClassVar[bool] = False

    cutoff: int | None = None

    def __post_init__(self) -> None:
        check_at_least(1, cutoff=self.cutoff)
        if self.cutoff is None and self.needs_cutoff:
            raise ParameterError("benchmark.needs_cutoff", metric=self.symbol)

    @property
    def name(self) -> str:
        """The name in tables and result rows."""
        return self.symbol if self.cutoff is None else f"{self.symbol}@{self.cutoff}"

    @abstractmethod
    def values(self, hits: Hits) -> NDArray[np.float64]:
        """Return one value per query with references."""

    def _sum_of_hits(self, hits: Hits, weight: NDArray[np.float64]) -> NDArray[np.float64]:
        return self._sum(hits.hit_row, hits.hit_rank, weight, len(hits))

    def _sum(
        self,
        row: NDArray[np.intp],
        rank: NDArray[np.int64],
        weight: NDArray[np.float64],
        rows: int,
    ) -> NDArray[np.float64]:
        if self.cutoff is not None:
            kept = rank <= self.cutoff
            row, weight = row[kept], weight[kept]
        return np.bincount(row, weight, minlength=rows).astype(np.float64)


class Recall(RankingMetric):
    """Recall: ``|references among the first k| / |references|``."""

    __slots__ = ()
    symbol = "R"

    def values(self, hits: Hits) -> NDArray[np.float64]:  # noqa: D102 - see the class
        return self._sum_of_hits(hits, np.ones(len(hits.hit_row))) / hits.relevant


class Precision(RankingMetric):
    """Precision: ``|references among the first k| / k``, even if fewer than k were found."""

    __slots__ = ()
    symbol = "P"
    needs_cutoff = True

    def values(self, hits: Hits) -> NDArray[np.float64]:  # noqa: D102 - see the class
        assert self.cutoff is not None  # noqa: S101 - checked in __post_init__
        return self._sum_of_hits(hits, np.ones(len(hits.hit_row))) / self.cutoff


class SuccessAt(RankingMetric):
    """Success: 1 if a reference is among the first k candidates, else 0."""

    __slots__ = ()
    symbol = "Success"
    needs_cutoff = True

    def values(self, hits: Hits) -> NDArray[np.float64]:  # noqa: D102 - see the class
        return (self._sum_of_hits(hits, np.ones(len(hits.hit_row))) > 0).astype(np.float64)


class ReciprocalRank(RankingMetric):
    """Reciprocal rank: ``1 / rank of the first reference``, 0 if none is among the first k.

    The paper's MRR@k is the mean of this over queries: it grows with k (BM25 over words: .556,
    .560, .561 at 10, 100, 1000).
    """

    __slots__ = ()
    symbol = "MRR"

    def values(self, hits: Hits) -> NDArray[np.float64]:  # noqa: D102 - see the class
        first = hits.hit_number == 1
        return self._sum_of_hits(hits, first / hits.hit_rank)


class AveragePrecision(RankingMetric):
    """Average precision: ``Σ precision at the rank of each reference found / |references|``."""

    __slots__ = ()
    symbol = "MAP"

    def values(self, hits: Hits) -> NDArray[np.float64]:  # noqa: D102 - see the class
        return self._sum_of_hits(hits, hits.hit_number / hits.hit_rank) / hits.relevant


class NDCG(RankingMetric):
    """Normalised discounted cumulative gain: ``Σ grade / log2(rank + 1)`` over that of the ideal.

    The gain of a reference is its grade, as in ``trec_eval``.
    """

    __slots__ = ()
    symbol = "nDCG"

    def values(self, hits: Hits) -> NDArray[np.float64]:  # noqa: D102 - see the class
        gain = self._sum_of_hits(hits, hits.hit_grade / np.log2(hits.hit_rank + 1))
        best = self._sum(
            hits.ideal_row,
            hits.ideal_rank,
            hits.ideal_grade / np.log2(hits.ideal_rank + 1),
            len(hits),
        )
        return gain / best


def parse_metric(name: str) -> RankingMetric:
    """Return the ranking metric of a name such as ``R@10``, ``MRR``, ``MAP@1000``, ``nDCG@10``.

    Examples
    --------
    >>> parse_metric("MRR"), parse_metric("ndcg@10").name
    (ReciprocalRank(cutoff=None), 'nDCG@10')
    """
    found = re.fullmatch(r"\s*([A-Za-z]+)(?:@(\d{1,9}))?\s*", name)
    kind = _BY_NAME.get(found[1].lower()) if found else None
    if found is None or kind is None:
        choices = ", ".join(dict.fromkeys(f"{kind.symbol}@k" for kind in _BY_NAME.values()))
        raise ParameterError("checks.unknown_choice", name="metric", value=name, choices=choices)
    return kind(int(found[2]) if found[2] else None)


_BY_NAME: dict[str, type[RankingMetric]] = {
    "r": Recall,
    "recall": Recall,
    "p": Precision,
    "precision": Precision,
    "success": SuccessAt,
    "rr": ReciprocalRank,
    "mrr": ReciprocalRank,
    "ap": AveragePrecision,
    "map": AveragePrecision,
    "ndcg": NDCG,
}
