"""References between query and source segments, as columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.checks import check_equal_lengths
from locisimiles.classify.labels import Label
from locisimiles.errors import ParameterError

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Label", "References"]


@dataclass(frozen=True, slots=True, eq=False)
class References:
    """Distinct pairs of query and source segments that are references.

    Attributes
    ----------
    query, source
        Positions in the two documents.
    label
        `Label.CIT` or `Label.CF`.
    fold
        The fold of each pair, or -1 if the set has no folds. All pairs of a query are in one fold.
    grade
        How certain or strong a reference is; 1 if the set is not graded.

    Examples
    --------
    >>> references = References.from_columns(query=[0, 0, 2], source=[5, 3, 1], label=[1, 2, 1])
    >>> len(references), references.queries.tolist()
    (3, [0, 2])
    >>> references.select(references.label == Label.CF).source.tolist()
    [3]
    """

    query: NDArray[np.int32]
    source: NDArray[np.int32]
    label: NDArray[np.uint8]
    fold: NDArray[np.int8]
    grade: NDArray[np.float32]

    @classmethod
    def from_columns(
        cls,
        query: object,
        source: object,
        label: object,
        fold: object | None = None,
        grade: object | None = None,
    ) -> References:
        """Convert columns to references, and check them."""
        queries = np.asarray(query, np.int32)
        columns = cls(
            query=queries,
            source=np.asarray(source, np.int32),
            label=np.asarray(label, np.uint8),
            fold=np.asarray(np.full(len(queries), -1) if fold is None else fold, np.int8),
            grade=np.asarray(np.ones(len(queries)) if grade is None else grade, np.float32),
        )
        check_equal_lengths(
            query=columns.query,
            source=columns.source,
            label=columns.label,
            fold=columns.fold,
            grade=columns.grade,
        )
        pairs = np.stack([columns.query, columns.source], axis=1)
        if len(np.unique(pairs, axis=0)) != len(pairs):
            raise ParameterError("benchmark.repeated_reference")
        return columns

    def __len__(self) -> int:
        return len(self.query)

    @property
    def queries(self) -> NDArray[np.int32]:
        """Positions of the query segments that have a reference, in order."""
        return np.unique(self.query)

    def select(self, rows: NDArray[np.bool_]) -> References:
        """Return the references of some rows."""
        return References(
            self.query[rows], self.source[rows], self.label[rows], self.fold[rows], self.grade[rows]
        )
