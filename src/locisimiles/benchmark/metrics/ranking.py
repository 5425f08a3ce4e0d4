"""Ranking metrics as small objects: a name, a cutoff, a formula.

Every metric gives one value a query. A mean over queries counts those that have a reference, also
where nothing was found for them. All agree with ``ir-measures`` (and so with ``trec_eval``).

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

from locisimiles.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from locisimiles.benchmark.metrics.judged import Judged

__all__ = [
    "NDCG",
    "AveragePrecision",
    "Precision",
    "RankingMetric",
    "Recall",
    "ReciprocalRank",
    "SuccessAt",
    "parse_metric",
    "query_values",
]


@dataclass(frozen=True, slots=True)
class RankingMetric(ABC):
    """What all ranking metrics have.

    Attributes
    ----------
    cutoff
        How many candidates of a query are looked at; None for all.
    """

    symbol: ClassVar[str]
    description: ClassVar[str]
    needs_cutoff: ClassVar[bool] = False

    cutoff: int | None = None

    def __post_init__(self) -> None:
        if self.cutoff is None:
            if self.needs_cutoff:
                raise ParameterError(
                    f"{self.symbol} needs a cutoff", hint=f"say {self.symbol}@10, for example"
                )
        elif self.cutoff < 1:
            raise ParameterError(
                f"{self.symbol}@{self.cutoff} looks at no candidates", hint="1 is the least cutoff"
            )

    @property
    def name(self) -> str:
        """The metric as tables and rows write it."""
        return self.symbol if self.cutoff is None else f"{self.symbol}@{self.cutoff}"

    @abstractmethod
    def values(self, judged: Judged) -> NDArray[np.float64]:
        """Return one value for each of the judged queries."""

    def _sum_of_hits(self, judged: Judged, weight: NDArray[np.float64]) -> NDArray[np.float64]:
        return _sum(judged.hit_row, judged.hit_rank, weight, len(judged), self.cutoff)


class Recall(RankingMetric):
    """Recall: ``|references among the first k| / |references|``."""

    __slots__ = ()
    symbol = "R"
    description = "share of a query's references that are among its first k candidates"

    def values(self, judged: Judged) -> NDArray[np.float64]:  # noqa: D102 - see the class
        return self._sum_of_hits(judged, np.ones(len(judged.hit_row))) / judged.relevant


class Precision(RankingMetric):
    """Precision: ``|references among the first k| / k``, also where fewer than k were found."""

    __slots__ = ()
    symbol = "P"
    description = "share of references among a query's first k candidates"
    needs_cutoff = True

    def values(self, judged: Judged) -> NDArray[np.float64]:  # noqa: D102 - see the class
        assert self.cutoff is not None  # noqa: S101 - __post_init__ saw to it
        return self._sum_of_hits(judged, np.ones(len(judged.hit_row))) / self.cutoff


class SuccessAt(RankingMetric):
    """Success: 1 where any reference is among the first k candidates, else 0."""

    __slots__ = ()
    symbol = "Success"
    description = "whether any reference is among a query's first k candidates"
    needs_cutoff = True

    def values(self, judged: Judged) -> NDArray[np.float64]:  # noqa: D102 - see the class
        return (self._sum_of_hits(judged, np.ones(len(judged.hit_row))) > 0).astype(np.float64)


class ReciprocalRank(RankingMetric):
    """Reciprocal rank: ``1 / rank of the first reference``, 0 where none is among the first k.

    The paper's MRR@k is the mean of this over queries: it grows with k by what first references
    between the cutoffs add (BM25 over words: .556, .560, .561 at 10, 100, 1000).
    """

    __slots__ = ()
    symbol = "MRR"
    description = "one over the rank of a query's first reference"

    def values(self, judged: Judged) -> NDArray[np.float64]:  # noqa: D102 - see the class
        first = judged.hit_number == 1
        return self._sum_of_hits(judged, first / judged.hit_rank)


class AveragePrecision(RankingMetric):
    """Average precision: ``Σ precision at the rank of each reference found / |references|``."""

    __slots__ = ()
    symbol = "MAP"
    description = "precision at the rank of each reference, averaged over a query's references"

    def values(self, judged: Judged) -> NDArray[np.float64]:  # noqa: D102 - see the class
        return self._sum_of_hits(judged, judged.hit_number / judged.hit_rank) / judged.relevant


class NDCG(RankingMetric):
    """Normalised discounted cumulative gain: ``Σ grade / log2(rank + 1)`` over that of the ideal.

    The gain of a reference is its grade, as in ``trec_eval``.
    """

    __slots__ = ()
    symbol = "nDCG"
    description = "discounted sum of grades, as a share of the best possible"

    def values(self, judged: Judged) -> NDArray[np.float64]:  # noqa: D102 - see the class
        gain = self._sum_of_hits(judged, judged.hit_grade / np.log2(judged.hit_rank + 1))
        best = _sum(
            judged.ideal_row,
            judged.ideal_rank,
            judged.ideal_grade / np.log2(judged.ideal_rank + 1),
            len(judged),
            self.cutoff,
        )
        return gain / best


def query_values(judged: Judged, metrics: Sequence[RankingMetric]) -> NDArray[np.float64]:
    """Return the values of many metrics at once, a row a metric, a column a query.

    Examples
    --------
    >>> from locisimiles.benchmark.metrics.judged import judge
    >>> from locisimiles.benchmark.sets.references import References
    >>> from locisimiles.candidates import Candidates
    >>> candidates = Candidates.join([(np.array([7, 3, 5]), np.array([3.0, 2.0, 1.0]))])
    >>> references = References.from_columns(query=[0, 0], source=[3, 9], label=[1, 2])
    >>> judged = judge(candidates, references)
    >>> query_values(judged, [Recall(1), Recall(2), ReciprocalRank()]).tolist()
    [[0.0], [0.5], [0.5]]
    """
    return np.array([metric.values(judged) for metric in metrics]).reshape(
        len(metrics), len(judged)
    )


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
        raise ParameterError(
            f"there is no ranking metric {name!r}",
            hint=f"choose among {', '.join(f'{kind.symbol}@k' for kind in _KINDS)}",
        )
    return kind(int(found[2]) if found[2] else None)


_KINDS = (Recall, Precision, SuccessAt, ReciprocalRank, AveragePrecision, NDCG)
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


def _sum(
    row: NDArray[np.intp],
    rank: NDArray[np.int64],
    weight: NDArray[np.float64],
    rows: int,
    cutoff: int | None,
) -> NDArray[np.float64]:
    if cutoff is not None:
        kept = rank <= cutoff
        row, weight = row[kept], weight[kept]
    return np.bincount(row, weight, minlength=rows).astype(np.float64)
