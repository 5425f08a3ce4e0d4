"""The protocol of classifiers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from locisimiles.progress import silent

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from locisimiles.classify.calibration import Calibration
    from locisimiles.corpus import Document
    from locisimiles.progress import Progress

__all__ = ["Classifier", "every_pair"]


class Classifier(Protocol):
    """Gives each pair the probabilities of no match, *cit.* and *cf.*, in this order."""

    @property
    def calibration(self) -> Calibration:
        """How its probabilities become decisions and expectations."""

    def probabilities(
        self,
        query: Document,
        source: Document,
        query_rows: NDArray[np.integer[Any]],
        source_rows: NDArray[np.integer[Any]],
        *,
        progress: Progress = silent,
    ) -> NDArray[np.float32]:
        """Return the probabilities of the three classes, a row per pair.

        Parameters
        ----------
        query, source
            The documents.
        query_rows, source_rows
            The pairs, as positions of their segments. Pass all candidates of a query at once: how a
            pair compares with the others may matter.
        progress
            Called while the work goes on.
        """

    def parameters(self) -> Mapping[str, object]:
        """Return the parameters, for the manifest of a run."""


def every_pair(queries: int, sources: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return all pairs of two documents of these sizes as columns, query by query.

    Examples
    --------
    >>> [column.tolist() for column in every_pair(2, 2)]
    [[0, 0, 1, 1], [0, 1, 0, 1]]
    """
    return np.repeat(np.arange(queries), sources), np.tile(np.arange(sources), queries)
