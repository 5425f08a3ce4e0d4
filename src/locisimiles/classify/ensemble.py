"""The classifier we ship: all that is known of a pair, weighed by logistic regression."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from locisimiles.classify.ensemble_weights import EnsembleWeights, expanded
from locisimiles.classify.logistic import predict_logistic
from locisimiles.classify.pair_features import PairFeatures, habit_columns
from locisimiles.progress import silent
from locisimiles.retrieve.habits import SourceFacts
from locisimiles.retrieve.late import Late

if TYPE_CHECKING:
    from collections.abc import Mapping
    from os import PathLike

    from numpy.typing import NDArray

    from locisimiles.classify.thresholds import ReferenceThreshold, Thresholds
    from locisimiles.corpus import Document
    from locisimiles.progress import Progress

__all__ = ["Ensemble"]


@dataclass(frozen=True, slots=True)
class Ensemble:
    """Judge pairs by their words, late interaction, and how they stand among other candidates.

    Probabilities are those of the benchmark, in which every second query segment refers to
    something. In a text that refers less often, fewer pairs are references than expected.

    Parameters
    ----------
    priors
        Whether it counts which authors and works the author of the query is known to read. Where
        nothing is known of an author, it does not.
    model
        The encoder of late interaction.
    weights
        What counts how much: ``shipped`` is as learnt on the whole benchmark; else a file that
        ``locisimiles train classifier`` wrote.

    Examples
    --------
    >>> from locisimiles import Document, Segment
    >>> query = Document.from_segments([Segment("q", "Haesit uox faucibus eius.")])
    >>> source = Document.from_segments(
    ...     [Segment("s", "steteruntque comae et vox faucibus haesit"), Segment("t", "arma cano")]
    ... )
    >>> judged = Ensemble().probabilities(query, source, np.array([0, 0]), np.array([0, 1]))
    >>> bool(judged[0, 1] > 0.5 > judged[1, 1:].sum())
    True
    """

    priors: bool = True
    model: str | PathLike[str] = "latin"
    weights: str | PathLike[str] | EnsembleWeights = "shipped"
    late: Late | None = field(default=None, repr=False)

    def parameters(self) -> Mapping[str, object]:
        """Return the parameters, for the manifest of a run."""
        return {
            "classifier": "ensemble",
            "priors": self.priors,
            "weights_sha256": self.table().fingerprint(),
            "late": dict(self._late().parameters()),
        }

    @property
    def thresholds(self) -> Thresholds:
        """From which probability on a pair is taken for a reference of a type."""
        return self.table().weighing(priors=self.priors).thresholds

    @property
    def detection(self) -> ReferenceThreshold:
        """From which probability on a pair is taken for a reference of any type."""
        return self.table().weighing(priors=self.priors).detection

    @property
    def spread(self) -> float:
        """How far the log-odds of a whole document may be off; see `Weighing`."""
        return self.table().weighing(priors=self.priors).spread

    def table(self) -> EnsembleWeights:
        """Return what counts how much."""
        if isinstance(self.weights, EnsembleWeights):
            return self.weights
        if self.weights == "shipped":
            return EnsembleWeights.shipped()
        return EnsembleWeights.load(Path(self.weights))

    def probabilities(
        self,
        query: Document,
        source: Document,
        pairs_query: NDArray[np.integer[Any]],
        pairs_source: NDArray[np.integer[Any]],
        *,
        progress: Progress = silent,
    ) -> NDArray[np.float32]:
        """Return the probabilities of no match, *cit.* and *cf.*, a row a pair.

        All candidates of a query must be asked about at once: it counts how a pair stands among
        them.
        """
        table = self.table()
        asked, given = np.asarray(pairs_query, np.int64), np.asarray(pairs_source, np.int64)
        features = PairFeatures(table.pieces, self._late())
        columns = features.columns(query, source, asked, given, progress=progress)
        known = np.array(
            [self.priors and table.habits.knows(segment.author or "") for segment in query], bool
        )
        judged = np.zeros((len(asked), 3), np.float32)
        for priors in (False, True):
            rows = np.flatnonzero(known[asked] == priors)
            if not len(rows):
                continue
            own = columns[rows]
            if priors:
                readers = [(segment.author or "", table.habits) for segment in query]
                habits = habit_columns(readers, SourceFacts.of(source), asked[rows], given[rows])
                own = np.concatenate([own, habits], axis=1)
            weights = table.weighing(priors=priors).weights
            judged[rows] = predict_logistic(expanded(own, len(source)), weights)
        return judged

    def _late(self) -> Late:
        return self.late or Late(self.model, exact=True)
