"""The references that a ranking finds: what ranking metrics are computed from, as columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.errors import ParameterError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from locisimiles.benchmark.sets.references import References
    from locisimiles.candidates import Candidates

__all__ = ["Hits", "find_hits"]

_KEY_STEP = np.int64(1) << 32  # source positions are 32-bit


@dataclass(frozen=True, slots=True, eq=False)
class Hits:
    """Where the references of each query rank among its candidates.

    Negatives are not listed: they only push hits down.

    Attributes
    ----------
    queries
        Positions of the queries that have a reference, in order. `fold` and `relevant` are parallel
        to it.
    fold
        The fold of each query.
    relevant
        The number of references of each query.
    hit_row, hit_rank, hit_grade
        The references found, by query and rank: row in `queries`, rank from 1, grade.
    ideal_row, ideal_rank, ideal_grade
        All references in the best possible order, by falling grade.
    """

    queries: NDArray[np.int32]
    fold: NDArray[np.int8]
    relevant: NDArray[np.int64]
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
        """The number of each hit among those of its query, from 1."""
        return _number_in_row(self.hit_row)


def find_hits(candidates: Candidates, references: References) -> Hits:
    """Find the references among candidates.

    Parameters
    ----------
    candidates
        By query, then falling score, then the tie order, as `Candidates.ranked` returns them.
    references
        What is relevant. Queries without a reference are left out; queries with references but no
        candidates count as having found nothing. References of grade 0 or less are not relevant.

    Raises
    ------
    ParameterError
        If the candidates are not in order, or a pair occurs twice among them.

    Examples
    --------
    >>> from locisimiles.benchmark.sets.references import References
    >>> from locisimiles.candidates import Candidates
    >>> found = [(np.array([7, 3, 5]), np.array([3.0, 2.0, 1.0]))]
    >>> references = References.from_columns(query=[0, 0, 4], source=[3, 9, 1], label=[1, 2, 1])
    >>> hits = find_hits(Candidates.join(found), references)
    >>> hits.queries.tolist(), hits.relevant.tolist()
    ([0, 4], [2, 1])
    >>> hits.hit_row.tolist(), hits.hit_rank.tolist()
    ([0], [2])
    """
    _check_order(candidates)
    if np.isnan(references.grade).any():
        raise ParameterError("benchmark.grade_nan")
    references = references.select(references.grade > 0)
    queries, relevant = np.unique(references.query, return_counts=True)
    ideal = np.lexsort((references.source, -references.grade, references.query))
    ideal_row = np.searchsorted(queries, references.query[ideal])
    first = np.unique(ideal_row, return_index=True)[1]

    row = np.searchsorted(queries, candidates.query)
    known = np.flatnonzero(row < len(queries))
    known = known[queries[row[known]] == candidates.query[known]]
    keys = _keys(candidates.query[known], candidates.source[known])
    if (np.diff(np.sort(keys)) == 0).any():
        raise ParameterError("benchmark.repeated_candidate")
    by_key = np.lexsort((references.source, references.query))
    reference_keys = _keys(references.query, references.source)[by_key]
    place = np.searchsorted(reference_keys, keys)
    hit = np.flatnonzero(place < len(by_key))
    hit = hit[reference_keys[place[hit]] == keys[hit]]
    return Hits(
        queries=queries.astype(np.int32),
        fold=references.fold[ideal][first],
        relevant=relevant.astype(np.int64),
        hit_row=row[known[hit]],
        hit_rank=candidates.rank[known[hit]].astype(np.int64),
        hit_grade=references.grade[by_key[place[hit]]].astype(np.float64),
        ideal_row=ideal_row,
        ideal_rank=_number_in_row(ideal_row),
        ideal_grade=references.grade[ideal].astype(np.float64),
    )


def _check_order(candidates: Candidates) -> None:
    if np.isnan(candidates.score).any():
        raise ParameterError("benchmark.score_nan")
    step = np.diff(candidates.query)
    rising = (step == 0) & (np.diff(candidates.score) > 0)
    if (step < 0).any() or rising.any():
        raise ParameterError("benchmark.unordered_candidates")


def _keys(query: NDArray[np.int32], source: NDArray[np.int32]) -> NDArray[np.int64]:
    return query.astype(np.int64) * _KEY_STEP + source


def _number_in_row(row: NDArray[np.intp]) -> NDArray[np.int64]:
    first = np.searchsorted(row, row)
    return np.arange(len(row), dtype=np.int64) - first + 1
