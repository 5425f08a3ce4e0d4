"""The classifier that ``logreg``, ``gbdt`` and ``shared-lemmas`` learn."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.classify.calibration import Calibration
from locisimiles.progress import silent

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from locisimiles.classify.base import Pairs
    from locisimiles.progress import Progress

__all__ = ["FeatureClassifier"]


@dataclass(frozen=True, slots=True, eq=False)
class FeatureClassifier:
    """A model over features of pairs.

    `description` goes into the manifest. `features` takes pairs and ``progress=``, and returns a
    row per pair; `predict` returns the probabilities of the classes for such rows.
    """

    description: Mapping[str, object]
    features: Callable[..., NDArray[np.float64]]
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
