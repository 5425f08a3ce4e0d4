"""What a classifier thinks of the pairs of a fold document."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from locisimiles.classify.base import Pairs
from locisimiles.classify.thresholds import Thresholds
from locisimiles.progress import silent

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from locisimiles.benchmark.protocols.grid import PairGrid
    from locisimiles.benchmark.sets.dataset import Benchmark
    from locisimiles.classify.base import Classifier
    from locisimiles.classify.calibration import Calibration
    from locisimiles.classify.thresholds import ReferenceThreshold
    from locisimiles.corpus import Document
    from locisimiles.progress import Progress

__all__ = ["JudgedFold", "judge_all"]


class JudgedFold(NamedTuple):
    """What a classifier thinks of a fold document, and how it decides.

    Attributes
    ----------
    pool
        The fold document.
    grid
        What is thought of its pairs.
    rule
        Decides of each type.
    detection
        Decides whether a pair is a reference of any type, for reranking; None if the first does.
    """

    pool: Benchmark
    grid: PairGrid
    rule: Thresholds
    detection: ReferenceThreshold | None = None

    @classmethod
    def of(cls, pool: Benchmark, grid: PairGrid, calibration: Calibration) -> JudgedFold:
        """Decide by a calibration; with thresholds of 0.5 if it has none."""
        return cls(pool, grid, calibration.thresholds or Thresholds(), calibration.detection)


def judge_all(
    classifier: Classifier, query: Document, source: Document, progress: Progress = silent
) -> NDArray[np.float32]:
    """Return the probabilities of every pair, shape (queries, sources, 3)."""
    found = classifier.probabilities(Pairs.every(query, source), progress=progress)
    return np.asarray(found, np.float32).reshape(len(query), len(source), -1)
