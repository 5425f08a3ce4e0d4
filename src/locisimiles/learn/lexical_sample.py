"""The pairs that the paper's lexical classifiers learn from, whole or with a fold left out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.classify.base import Pairs
from locisimiles.classify.paper_features import PaperFeatures
from locisimiles.errors import ParameterError
from locisimiles.learn.hard_negatives import hard_candidates
from locisimiles.learn.sampling import sample_pairs
from locisimiles.progress import silent
from locisimiles.retrieve.lexical.bm25 import BM25

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from locisimiles.benchmark.sets.dataset import Benchmark
    from locisimiles.progress import Progress

__all__ = ["NEGATIVES", "LexicalPart", "LexicalSample"]

NEGATIVES = 10
"""For each reference, half of them drawn from what BM25 finds, half at random."""
_HARD_DEPTH = 100


@dataclass(frozen=True, slots=True, eq=False)
class LexicalPart:
    """What is learnt from, and what was left out.

    Attributes
    ----------
    features
        Knows the words of what is learnt from, and no others.
    columns, label
        The features of the pairs that are learnt from, and what these are.
    left_columns, left_label
        The same of the pairs that were left out.
    """

    features: PaperFeatures
    columns: NDArray[np.float64]
    label: NDArray[np.uint8]
    left_columns: NDArray[np.float64]
    left_label: NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class LexicalSample:
    """References and negatives of a training set.

    Attributes
    ----------
    training
        Whose segments they are.
    query, source, label
        The pairs, and what they are.
    fold
        The fold that the query of each belongs to.
    """

    training: Benchmark
    query: NDArray[np.int32]
    source: NDArray[np.int32]
    label: NDArray[np.uint8]
    fold: NDArray[np.int64]

    @classmethod
    def draw(
        cls, training: Benchmark, *, seed: int = 0, progress: Progress = silent
    ) -> LexicalSample:
        """Draw negatives for the references of a training set.

        Raises
        ------
        ParameterError
            If one of the types does not occur.
        """
        references = training.references
        similar = hard_candidates(training, BM25(), _HARD_DEPTH, NEGATIVES, progress)
        pairs = sample_pairs(
            references,
            queries=references.queries,
            sources=len(training.source),
            strategy="qry,mix",
            ratio=NEGATIVES,
            seed=seed,
            similar=similar,
        )
        label = np.zeros(len(pairs), np.uint8)
        label[: len(references)] = references.label  # which come first
        if not np.bincount(label, minlength=3).all():
            raise ParameterError("learn.missing_type")
        fold_of = dict(zip(references.query.tolist(), references.fold.tolist(), strict=True))
        fold = np.array([fold_of[query] for query in pairs.query.tolist()])
        return cls(training, pairs.query, pairs.source, label, fold)

    def whole(self, *, progress: Progress = silent) -> LexicalPart:
        """Return all pairs; nothing is left out."""
        return self._part(np.ones(len(self.fold), np.bool_), progress)

    def can_spare(self, fold: int) -> bool:
        """Whether there are pairs of all three kinds without a fold."""
        return bool(np.bincount(self.label[self.fold != fold], minlength=3).all())

    def without(self, fold: int, *, progress: Progress = silent) -> LexicalPart:
        """Return the pairs as they look where a fold is left out.

        It is left out of everything, the frequencies of words too: texts that are judged later
        have words that nobody has counted.
        """
        return self._part(self.fold != fold, progress)

    def _part(self, kept: NDArray[np.bool_], progress: Progress) -> LexicalPart:
        texts = [
            *(self.training.query.texts[row] for row in np.unique(self.query[kept]).tolist()),
            *(self.training.source.texts[row] for row in np.unique(self.source[kept]).tolist()),
        ]
        features = PaperFeatures.fit(texts)
        pairs = Pairs(self.training.query, self.training.source, self.query, self.source)
        columns = features.columns(pairs, progress=progress)
        return LexicalPart(
            features, columns[kept], self.label[kept], columns[~kept], self.label[~kept]
        )
