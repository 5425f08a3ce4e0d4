"""The classifier that ``logreg``, ``gbdt`` and ``shared-lemmas`` learn."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

import numpy as np

from locisimiles.classify.calibration import Calibration
from locisimiles.progress import silent

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from locisimiles.classify.base import Pairs
    from locisimiles.progress import Progress

__all__ = ["ComputeFeatures", "FeatureClassifier"]


class ComputeFeatures(Protocol):
    """Computes the features of pairs, a row per pair."""

    def __call__(self, pairs: Pairs, *, progress: Progress = silent) -> NDArray[np.float64]:
        """Return the features."""


@dataclass(frozen=True, slots=True, eq=False)
class FeatureClassifier:
    """A model over features of pairs.

    Attributes
    ----------
    description
        Its parameters, for the manifest of a run.
    features
        Computes the features.
    predict
        Returns the probabilities of the three classes for rows of features.
    calibration
        Without thresholds if none could be tuned.
    """

    description: Mapping[str, object]
    features: ComputeFeatures
    predict: Callable[[NDArray[np.float64]], NDArray[np.float64]]
    calibration: Calibration = field(default_factory=Calibration)

    def parameters(self) -> Mapping[str, object]:
        """Return the parameters, for the manifest of a run."""
        return self.description

    def probabilities(self, pairs: Pairs, *, progress: Progress = silent) -> NDArray[np.float32]:
        """Return the probabilities of no match, *cit.* and *cf.*, a row per pair."""
        if not len(pairs):
            return np.zeros((0, 3), np.float32)
        return self.predict(self.features(pairs, progress=progress)).astype(np.float32)
