"""The shipped classifier: features of a pair in a logistic regression, then a cross-encoder."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import lru_cache
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.classify.base_rates import BaseRates
from locisimiles.classify.cross_encoder import CrossEncoderClassifier
from locisimiles.classify.ensemble_weights import EnsembleWeights
from locisimiles.classify.logistic import predict_logistic
from locisimiles.classify.pair_features import PairFeatures, column_names, expanded, prior_columns
from locisimiles.classify.reranking import worth_reranking
from locisimiles.errors import ParameterError
from locisimiles.late import Late
from locisimiles.models.identity import model_sha256
from locisimiles.models.onnx_cross_encoder import SHIPPED
from locisimiles.parameters import Parameters
from locisimiles.progress import silent

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from locisimiles.classify.base import Classifier, Pairs
    from locisimiles.classify.calibration import Calibration
    from locisimiles.progress import Progress

__all__ = ["Ensemble"]


@dataclass(frozen=True, slots=True)
class Ensemble(Parameters):
    """Judge pairs by their words, late interaction, and their standing among other candidates.

    A cross-encoder, which reads both texts together, judges the likely pairs again.

    Its probabilities are those of the benchmark, where every second query segment has a reference.
    A pipeline adapts them to the base rate of the text (`locisimiles.classify.base_rates`).

    Parameters
    ----------
    priors
        Whether to prefer authors and works that the author of the query is known to cite. Authors
        without known references are judged without priors.
    model
        The encoder of late interaction.
    weights
        ``shipped`` (learnt on the whole benchmark), or a file that ``locisimiles train classifier``
        wrote. Weights fit only the encoder and the cross-encoder they were learnt with.
    cross_encoder
        Reranks likely pairs if its weight was learnt: ``latin`` comes with the package. None
        disables it, which is faster.
    late
        The settings of late interaction; by default exact scoring with `model`.
    adapt
        Whether a pipeline adapts probabilities to the text. It does so for the shipped weights
        only, whose base rates are known.

    Examples
    --------
    >>> from locisimiles import Document, Segment
    >>> from locisimiles.classify import Pairs
    >>> query = Document.from_segments([Segment("q", "Haesit uox faucibus eius.")])
    >>> source = Document.from_segments(
    ...     [Segment("s", "steteruntque comae et vox faucibus haesit"), Segment("t", "arma cano")]
    ... )
    >>> judged = Ensemble().probabilities(Pairs(query, source, [0, 0], [0, 1]))
    >>> bool(judged[0, 1] > 0.5 > judged[1, 1:].sum())
    True
    """

    priors: bool = True
    model: str | PathLike[str] = "latin"
    weights: str | PathLike[str] | EnsembleWeights = "shipped"
    cross_encoder: str | PathLike[str] | Classifier | None = SHIPPED
    late: Late | None = field(default=None, repr=False)
    adapt: bool = True

    def parameters(self) -> Mapping[str, object]:
        """Return the parameters, for the manifest of a run.

        Raises
        ------
        ParameterError
            If the weights were learnt with another encoder or cross-encoder.
        """
        weights = self.loaded_weights()
        reranker = self._reranker(weights)
        return {
            "classifier": "ensemble",
            "priors": self.priors,
            "weights_sha256": weights.fingerprint(),
            "base_rates": None
            if (rates := self._base_rates(weights)) is None
            else rates.fingerprint(),
            "late": dict(self._late(weights).parameters()),
            "cross_encoder": None if reranker is None else dict(reranker.parameters()),
        }

    @property
    def calibration(self) -> Calibration:
        """How its probabilities become decisions and expectations."""
        weights = self.loaded_weights()
        model = weights.model(priors=self.priors)
        if self.cross_encoder is None or model.reranking is None:
            calibration = model.calibration
        else:
            calibration = model.reranking.calibration
        return replace(calibration, base_rates=self._base_rates(weights))

    def loaded_weights(self) -> EnsembleWeights:
        """Return the weights, read from their file if `weights` names one."""
        if isinstance(self.weights, EnsembleWeights):
            return self.weights
        if self.weights == "shipped":
            return EnsembleWeights.shipped()
        return EnsembleWeights.load(Path(self.weights))

    def probabilities(self, pairs: Pairs, *, progress: Progress = silent) -> NDArray[np.float32]:
        """Return the probabilities of no match, *cit.* and *cf.*, a row per pair.

        Pass all candidates of a query at once: their standing counts.
        """
        own = replace(self, weights=self.loaded_weights())  # a file is read once
        return own.judged_again(pairs, own.by_features(pairs, progress=progress), progress)

    def by_features(self, pairs: Pairs, *, progress: Progress = silent) -> NDArray[np.float64]:
        """Return probabilities by features alone, before cross-encoder and calibration."""
        weights = self.loaded_weights()
        features = PairFeatures(weights.pieces, self._late(weights))
        authors = [(author, weights.priors) for author in pairs.query.authors]
        has_priors = self._has_priors(weights, pairs)
        first = np.zeros((len(pairs), 3))
        for block, columns in features.blocks(pairs, progress=progress):
            for priors in (False, True):
                rows = np.flatnonzero(has_priors[block] == priors)
                own = columns.rows(rows)
                if priors:
                    own = own.beside(prior_columns(authors, pairs.select(block[rows])))
                wide = expanded(own.select(column_names(priors=priors)), len(pairs.source))
                first[block[rows]] = predict_logistic(wide, weights.model(priors=priors).weights)
        return first

    def judged_again(
        self, pairs: Pairs, first: NDArray[np.float64], progress: Progress = silent
    ) -> NDArray[np.float32]:
        """Return calibrated probabilities, likely pairs read by the cross-encoder.

        `first` are those of `by_features`.
        """
        weights, second = self.loaded_weights(), None
        if (reranker := self._reranker(weights)) is not None:
            likely = worth_reranking(first)
            second = np.full(first.shape, np.nan)
            second[likely] = reranker.probabilities(pairs.select(likely), progress=progress)
        has_priors = self._has_priors(weights, pairs)
        judged = np.zeros((len(pairs), 3), np.float32)
        for priors in (False, True):
            rows = np.flatnonzero(has_priors == priors)
            own_second = None if second is None else second[rows]
            model = weights.model(priors=priors)
            judged[rows] = model.final(first[rows], own_second, len(pairs.source))
        return judged

    def _has_priors(self, weights: EnsembleWeights, pairs: Pairs) -> NDArray[np.bool_]:
        """Tell of which pairs the author of the query has priors."""
        known = [self.priors and weights.priors.knows(name) for name in pairs.query.authors]
        found: NDArray[np.bool_] = np.array(known, np.bool_)[pairs.query_rows]
        return found

    def _base_rates(self, weights: EnsembleWeights) -> BaseRates | None:
        rates = BaseRates.shipped()
        # Learnt with the shipped cross-encoder, and only for these weights.
        if not self.adapt or self.cross_encoder != SHIPPED:
            return None
        if weights is not EnsembleWeights.shipped():
            return None
        return replace(rates, authors=frozenset(weights.priors.authors))

    def _reranker(self, weights: EnsembleWeights) -> Classifier | None:
        if not weights.reranks or self.cross_encoder is None:
            return None
        if not isinstance(self.cross_encoder, str | PathLike):
            return self.cross_encoder
        reranker = _cross_encoder(str(self.cross_encoder))
        used = model_sha256(reranker.network)
        _check_fit("cross-encoder", weights.cross_encoder_sha256, used)
        return reranker

    def _late(self, weights: EnsembleWeights) -> Late:
        late = self.late or Late(self.model, exact=True)
        _check_fit("encoder", weights.encoder_sha256, model_sha256(late.encoder()))
        return late


def _check_fit(what: str, learnt: str, used: str) -> None:
    if learnt and learnt != used:
        raise ParameterError("classify.other_model", what=what, learnt=learnt[:12], used=used[:12])


@lru_cache(maxsize=2)
def _cross_encoder(model: str) -> CrossEncoderClassifier:
    """Return a cross-encoder, loaded once: documents are often judged in parts."""
    return CrossEncoderClassifier(model)
