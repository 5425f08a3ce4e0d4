"""A ranking beside the references: everything that ranking metrics need, as columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.candidates import Candidates
from locisimiles.errors import ParameterError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from locisimiles.benchmark.sets.references import References

__all__ = ["Judged", "in_order", "judge"]

_DIFFERENT_KEYS = np.int64(1) << 32  # source positions are 32-bit


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """Where the references of each query stand among its candidates.

    Metrics see the hits only: what is not a reference matters by the ranks it takes away.

    Attributes
    ----------
    queries
        Positions of the queries that have a reference, in order. The columns `fold`, `relevant`
        and `answered` are parallel to it.
    fold
        The fold of each query.
    relevant
        How many references each query has.
    answered
        Whether the query has any candidate at all.
    hit_row, hit_rank, hit_grade
        The references that were found, ordered by query and rank: row in `queries`, rank from 1,
        grade.
    ideal_row, ideal_rank, ideal_grade
        All references in the best possible order, by falling grade.
    """

    queries: NDArray[np.int32]
    fold: NDArray[np.int8]
    relevant: NDArray[np.int64]
    answered: NDArray[np.bool_]
    hit_row: NDArray[np.intp]
    hit_rank: NDArray[np.int64]
    hit_grade: NDArray[np.float64]
    ideal_row: NDArray[np.intp]
    ideal_rank: NDArray[np.int64]
    ideal_grade: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.queries)

    @property
    def hit_number(self) -> NDArray[np.int64]:
        """Which of its query's hits each hit is, from 1."""
        return _number_in_row(self.hit_row)


def judge(candidates: Candidates, references: References) -> Judged:
    """Find the references among candidates.

    Parameters
    ----------
    candidates
        Ordered by query, then by falling score; equal scores in the order the retriever gave
        them, which is that of source ids.
    references
        What is relevant. Queries without a reference are left out, whatever was found for them;
        queries with references but without candidates stay, and have found nothing. References of
        grade 0 or less are judged not relevant.

    Raises
    ------
    ParameterError
        If the candidates are out of order (see `in_order`), or a pair is among them twice.

    Examples
    --------
    >>> from locisimiles.benchmark.sets.references import References
    >>> found = [(np.array([7, 3, 5]), np.array([3.0, 2.0, 1.0]))]
    >>> references = References.from_columns(query=[0, 0, 4], source=[3, 9, 1], label=[1, 2, 1])
    >>> judged = judge(Candidates.join(found), references)
    >>> judged.queries.tolist(), judged.relevant.tolist(), judged.answered.tolist()
    ([0, 4], [2, 1], [True, False])
    >>> judged.hit_row.tolist(), judged.hit_rank.tolist()
    ([0], [2])
    """
    _check(candidates)
    if np.isnan(references.grade).any():
        raise ParameterError("a reference has no grade (NaN)", hint="leave it out, or give it one")
    references = references.select(references.grade > 0)
    queries, relevant = np.unique(references.query, return_counts=True)
    ideal = np.lexsort((references.source, -references.grade, references.query))
    ideal_row = np.searchsorted(queries, references.query[ideal])
    first = np.unique(ideal_row, return_index=True)[1]

    row = np.searchsorted(queries, candidates.query)
    judged = np.flatnonzero(row < len(queries))
    judged = judged[queries[row[judged]] == candidates.query[judged]]
    keys = _keys(candidates.query[judged], candidates.source[judged])
    if (np.diff(np.sort(keys)) == 0).any():
        raise ParameterError("a pair of segments stands among the candidates twice")
    by_key = np.lexsort((references.source, references.query))
    reference_keys = _keys(references.query, references.source)[by_key]
    place = np.searchsorted(reference_keys, keys)
    hit = np.flatnonzero(place < len(by_key))
    hit = hit[reference_keys[place[hit]] == keys[hit]]
    return Judged(
        queries=queries.astype(np.int32),
        fold=references.fold[ideal][first],
        relevant=relevant.astype(np.int64),
        answered=np.isin(queries, candidates.query),
        hit_row=row[judged[hit]],
        hit_rank=candidates.rank[judged[hit]].astype(np.int64),
        hit_grade=references.grade[by_key[place[hit]]].astype(np.float64),
        ideal_row=ideal_row,
        ideal_rank=_number_in_row(ideal_row),
        ideal_grade=references.grade[ideal].astype(np.float64),
    )


def in_order(candidates: Candidates, places: NDArray[np.int64]) -> Candidates:
    """Return candidates ordered by query, then by falling score, then by source id.

    Parameters
    ----------
    candidates
        Pairs in any order.
    places
        The place of each source id in alphabetical order, as
        `locisimiles.candidates.tie_order` gives it.

    Examples
    --------
    >>> mixed = Candidates(np.array([1, 0, 1]), np.array([0, 1, 1]), np.array([2.0, 1.0, 2.0]))
    >>> ordered = in_order(mixed, places=np.array([1, 0]))
    >>> ordered.query.tolist(), ordered.source.tolist()
    ([0, 1, 1], [1, 1, 0])
    """
    order = np.lexsort((places[candidates.source], -candidates.score, candidates.query))
    return Candidates(candidates.query[order], candidates.source[order], candidates.score[order])


def _check(candidates: Candidates) -> None:
    if np.isnan(candidates.score).any():
        raise ParameterError("a candidate has no score (NaN)")
    step = np.diff(candidates.query)
    rising = (step == 0) & (np.diff(candidates.score) > 0)
    if (step < 0).any() or rising.any():
        raise ParameterError(
            "the candidates are not ordered by query and falling score",
            hint="order them with locisimiles.benchmark.metrics.in_order",
        )


def _keys(query: NDArray[np.int32], source: NDArray[np.int32]) -> NDArray[np.int64]:
    return query.astype(np.int64) * _DIFFERENT_KEYS + source


def _number_in_row(row: NDArray[np.intp]) -> NDArray[np.int64]:
    first = np.searchsorted(row, row)
    return np.arange(len(row), dtype=np.int64) - first + 1
