"""Classifiers by name, as command line and pipeline call them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from locisimiles.classify.cross_encoder import CrossEncoderClassifier
from locisimiles.classify.ensemble import Ensemble
from locisimiles.classify.ensemble_weights import EnsembleWeights
from locisimiles.errors import ParameterError

if TYPE_CHECKING:
    from os import PathLike

    from locisimiles.classify.base import Classifier

__all__ = ["DEFAULT_CLASSIFIER", "make_classifier"]

DEFAULT_CLASSIFIER = "ensemble"
"""The classifier to use if none is named."""


def make_classifier(
    name: str | PathLike[str], *, priors: bool = True, adapt: bool = True
) -> Classifier:
    """Return the classifier with this name.

    Parameters
    ----------
    name
        ``ensemble`` and ``cross-encoder`` come with the package, in any case. A ``.json``
        file holds weights of an ensemble, written by ``locisimiles train classifier``. Anything
        else is a cross-encoder: a folder, or a name on the Hub.
    priors
        Whether the ensemble uses author priors.
    adapt
        Whether a pipeline adapts the probabilities of the ensemble to the text.

    Examples
    --------
    >>> make_classifier("ensemble", priors=False).priors
    False
    """
    if not str(name):
        raise ParameterError("classify.unnamed_classifier")
    known = str(name).strip().lower()
    if known == DEFAULT_CLASSIFIER:
        return Ensemble(priors=priors, adapt=adapt)
    if Path(name).suffix == ".json":
        return Ensemble(priors=priors, adapt=adapt, weights=EnsembleWeights.load(Path(name)))
    if known == "cross-encoder":
        return CrossEncoderClassifier()
    if "/" not in str(name) and not Path(name).exists():
        raise ParameterError("classify.unknown_classifier", name=str(name))
    return CrossEncoderClassifier(name)
