"""Which query segment refers to which source segment, as columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

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
        The fold of each pair, or -1 where the set has no folds. All pairs of a query are in one
        fold.
    grade
        How sure or strong a reference is; 1 where the set is not graded.

    Examples
    --------
    >>> import numpy as np
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
        """Make references of anything that NumPy takes for columns, and check them."""
        queries = np.asarray(query, np.int32)
        columns = cls(
            query=queries,
            source=np.asarray(source, np.int32),
            label=np.asarray(label, np.uint8),
            fold=np.full(len(queries), -1, np.int8) if fold is None else np.asarray(fold, np.int8),
            grade=np.ones(len(queries), np.float32)
            if grade is None
            else np.asarray(grade, np.float32),
        )
        lengths = {len(getattr(columns, name)) for name in ("source", "label", "fold", "grade")}
        if lengths != {len(queries)}:
            raise ParameterError("the columns of the references differ in length")
        pairs = np.stack([columns.query, columns.source], axis=1)
        if len(np.unique(pairs, axis=0)) != len(pairs):
            raise ParameterError("a pair of segments stands among the references twice")
        return columns

    def __len__(self) -> int:
        return len(self.query)

    @property
    def queries(self) -> NDArray[np.int32]:
        """The positions of the query segments that have a reference, in order."""
        return np.unique(self.query)

    def select(self, rows: NDArray[np.bool_]) -> References:
        """Return the references of some rows."""
        return References(
            self.query[rows], self.source[rows], self.label[rows], self.fold[rows], self.grade[rows]
        )
