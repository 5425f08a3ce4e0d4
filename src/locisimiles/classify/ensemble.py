"""The classifier we ship: all that is known of a pair, weighed by logistic regression."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from locisimiles.classify.cross_encoder import CrossEncoderClassifier
from locisimiles.classify.ensemble_weights import EnsembleWeights
from locisimiles.classify.logistic import predict_logistic
from locisimiles.classify.pair_features import PairFeatures, expanded, habit_columns
from locisimiles.classify.second_opinion import likely
from locisimiles.models.cross_encoder_folder import SHIPPED
from locisimiles.progress import silent
from locisimiles.retrieve.habits import SourceFacts
from locisimiles.retrieve.late import Late

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from locisimiles.classify.base import Classifier
    from locisimiles.classify.standards import Standards
    from locisimiles.classify.thresholds import ReferenceThreshold, Thresholds
    from locisimiles.corpus import Document
    from locisimiles.progress import Progress

__all__ = ["Ensemble"]


@dataclass(frozen=True, slots=True)
class Ensemble:
    """Judge pairs by their words, late interaction, and how they stand among other candidates.

    About those that may be references a cross-encoder is asked, too, which reads both texts
    together.

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
    cross_encoder
        Gives a second opinion on likely pairs, if the weights say how much that counts: ``latin``
        is the one that comes with the package. None asks nobody, and is faster.

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
    cross_encoder: str | PathLike[str] | Classifier | None = SHIPPED
    late: Late | None = field(default=None, repr=False)

    def parameters(self) -> Mapping[str, object]:
        """Return the parameters, for the manifest of a run."""
        table = self.table()
        reader = self._second_reader(table)
        return {
            "classifier": "ensemble",
            "priors": self.priors,
            "weights_sha256": table.fingerprint(),
            "late": dict(self._late().parameters()),
            "cross_encoder": None if reader is None else dict(reader.parameters()),
        }

    @property
    def thresholds(self) -> Thresholds:
        """From which probability on a pair is taken for a reference of a type."""
        return self._standards().thresholds

    @property
    def detection(self) -> ReferenceThreshold:
        """From which probability on a pair is taken for a reference of any type."""
        return self._standards().detection

    @property
    def spread(self) -> float:
        """How far the log-odds of a whole document may be off; see `Standards`."""
        return self._standards().spread

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
        rows_of = {priors: np.flatnonzero(known[asked] == priors) for priors in (False, True)}
        first = np.zeros((len(asked), 3))
        for priors, rows in rows_of.items():
            own = columns[rows]
            if priors:
                readers = [(segment.author or "", table.habits) for segment in query]
                habits = habit_columns(readers, SourceFacts.of(source), asked[rows], given[rows])
                own = np.concatenate([own, habits], axis=1)
            weights = table.weighing(priors=priors).weights
            first[rows] = predict_logistic(expanded(own, len(source)), weights)
        reader = self._second_reader(table)
        opinion = None
        if reader is not None:
            rows = likely(first)
            opinion = np.full(first.shape, np.nan)  # where nobody is asked
            opinion[rows] = reader.probabilities(
                query, source, asked[rows], given[rows], progress=progress
            )
        judged = np.zeros((len(asked), 3), np.float32)
        for priors, rows in rows_of.items():
            weighing = table.weighing(priors=priors)
            second = None if opinion is None else opinion[rows]
            judged[rows] = weighing.revised(first[rows], second, len(source))
        return judged

    def _second_reader(self, table: EnsembleWeights) -> Classifier | None:
        if not table.asks_for_second_opinion or self.cross_encoder is None:
            return None
        if isinstance(self.cross_encoder, str | PathLike):
            return _cross_encoder(str(self.cross_encoder))
        return self.cross_encoder

    def _standards(self) -> Standards:
        weighing = self.table().weighing(priors=self.priors)
        if self.cross_encoder is None or weighing.second is None:
            return weighing.standards
        return weighing.second.standards

    def _late(self) -> Late:
        return self.late or Late(self.model, exact=True)


@lru_cache(maxsize=2)
def _cross_encoder(model: str) -> CrossEncoderClassifier:
    """Return a cross-encoder, which is loaded once: documents are often judged in parts."""
    return CrossEncoderClassifier(model)
