"""The parts of the combined search: the indexes of its retrievers, and their candidates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from locisimiles.candidates import Features
from locisimiles.late.scoring import VIEWS
from locisimiles.progress import silent
from locisimiles.retrieve.combined.priors import PRIOR_COLUMNS, SourceWorks
from locisimiles.retrieve.combined.weights import CHANNELS, SECOND_STAGE
from locisimiles.retrieve.fusion import channel_scores, standard_scores

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from locisimiles.index import PreparedDocument
    from locisimiles.late import LateIndex
    from locisimiles.progress import Progress
    from locisimiles.retrieve.base import Index

__all__ = ["CandidateSource", "CombinedParts", "StageCandidates", "standardised"]

_LOWEST, _HIGHEST = -4.0, 14.0


@dataclass(frozen=True, slots=True, eq=False)
class StageCandidates:
    """The candidates of one query in a stage: source segments and their features."""

    segments: NDArray[np.int64]
    features: Features

    def rows(self, rows: NDArray[np.integer]) -> StageCandidates:
        """Return some of the candidates."""
        return StageCandidates(self.segments[rows], self.features.rows(rows))

    def beside(self, features: Features) -> StageCandidates:
        """Return the candidates with further features."""
        return StageCandidates(self.segments, self.features.beside(features))

    def scores(self, weights: Mapping[str, float]) -> NDArray[np.float32]:
        """Return the weighted sum of channels, and of priors if they have weights."""

        def summed(names: Sequence[str]) -> NDArray[np.float32]:
            # Contiguous: the rounding of a product must not depend on neighbouring columns.
            columns = np.ascontiguousarray(self.features.select(names))
            return columns @ np.array([weights[name] for name in names], np.float32)

        scores = summed(CHANNELS)
        if PRIOR_COLUMNS[0] in weights:
            scores = scores + summed(PRIOR_COLUMNS)
        return scores.astype(np.float32)

    def with_views(
        self, views: NDArray[np.float32], length: NDArray[np.float32]
    ) -> StageCandidates:
        """Return the candidates with the features of the second stage, priors last.

        They have the views of late interaction (rows), and the log-length of each segment.
        """
        standard = np.stack([*map(standardised, views), length], axis=1)
        features = Features(CHANNELS, self.features.select(CHANNELS))
        features = features.beside(Features(SECOND_STAGE[len(CHANNELS) :], standard))
        priors = Features(PRIOR_COLUMNS, self.features.select(PRIOR_COLUMNS))
        return StageCandidates(self.segments, features.beside(priors))


class CandidateSource(Protocol):
    """Finds the candidates of the first stage, and scores those of the second."""

    works: SourceWorks
    ties: NDArray[np.int64]
    lengths: NDArray[np.float32]

    def candidates(
        self, queries: PreparedDocument, depth: int, *, progress: Progress = silent
    ) -> list[StageCandidates]:
        """Return the candidates of each query, with the columns `CHANNELS`."""

    def views(
        self,
        queries: PreparedDocument,
        segments: Sequence[NDArray[np.int64]],
        *,
        progress: Progress = silent,
    ) -> list[NDArray[np.float32]]:
        """Return for each query the views of late interaction (rows) of segments (columns)."""


class CombinedParts:
    """The indexes of the four retrievers, returned by `Combined.parts`.

    Those of the lexical ones come in the order of `CHANNELS`.
    """

    def __init__(self, texts: PreparedDocument, lexical: Sequence[Index], late: LateIndex) -> None:
        self._channels: dict[str, Index] = dict(zip(CHANNELS, (*lexical, late), strict=True))
        self.late = late
        self.works = SourceWorks.of(texts)
        self.ties = texts.ties
        self.lengths: NDArray[np.float32] = np.log1p(texts.count(" ") + 1).astype(np.float32)

    def candidates(
        self, queries: PreparedDocument, depth: int, *, progress: Progress = silent
    ) -> list[StageCandidates]:
        """Return the candidates of each query, with the columns `CHANNELS`."""
        channels = [
            index.search(queries, depth, progress=progress) for index in self._channels.values()
        ]
        found = []
        for query in range(len(queries)):
            segments, scores = channel_scores([own.of_query(query) for own in channels], "score")
            found.append(StageCandidates(segments, Features(CHANNELS, _clipped(scores))))
        return found

    def views(
        self,
        queries: PreparedDocument,
        segments: Sequence[NDArray[np.int64]],
        *,
        progress: Progress = silent,
    ) -> list[NDArray[np.float32]]:
        """Return for each query the views of late interaction (rows) of segments (columns)."""
        counts = [len(own) for own in segments]
        query = np.repeat(np.arange(len(segments)), counts)
        source = np.concatenate([np.empty(0, np.int64), *segments])
        scores = self.late.score(queries, query, source, progress=progress)
        table = np.stack([scores[view] for view in VIEWS]).astype(np.float32)
        return np.split(table, np.cumsum(counts)[:-1], axis=1)


def standardised(values: NDArray[np.floating]) -> NDArray[np.float32]:
    """Return values in standard deviations from their mean, clipped.

    Examples
    --------
    >>> [round(float(value), 2) for value in standardised(np.array([1.0, 2.0, 3.0]))]
    [-1.22, 0.0, 1.22]
    """
    if not len(values):
        return np.empty(0, np.float32)
    return _clipped(standard_scores(values))


def _clipped(columns: NDArray[np.floating]) -> NDArray[np.float32]:
    """Clip outliers, which would outweigh all other values."""
    clipped: NDArray[np.float32] = np.clip(columns, _LOWEST, _HIGHEST).astype(np.float32)
    return clipped
