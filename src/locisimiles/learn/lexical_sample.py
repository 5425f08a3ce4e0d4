"""The pairs that the paper's lexical classifiers learn from, with or without a fold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.classify.base import Pairs
from locisimiles.classify.paper_features import PaperFeatures
from locisimiles.errors import ParameterError
from locisimiles.learn.hard_negatives import hard_candidates
from locisimiles.learn.sampling import sample_pairs
from locisimiles.models.pair_pieces import needed_texts
from locisimiles.progress import silent
from locisimiles.retrieve.lexical.bm25 import BM25

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from locisimiles.benchmark.sets.dataset import Benchmark
    from locisimiles.progress import Progress

__all__ = ["NEGATIVES", "LexicalPart", "LexicalSample"]

NEGATIVES = 10
"""Negatives per reference: half from the candidates of BM25, half random."""
_HARD_DEPTH = 100


@dataclass(frozen=True, slots=True, eq=False)
class LexicalPart:
    """Features and labels of training pairs, and of pairs that were left out.

    `features` was fitted on the texts of the training pairs.
    """

    features: PaperFeatures
    columns: NDArray[np.float64]
    label: NDArray[np.uint8]
    left_columns: NDArray[np.float64]
    left_label: NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class LexicalSample:
    """References and negatives of a training set, with their labels and folds."""

    training: Benchmark
    pairs: Pairs
    label: NDArray[np.uint8]
    fold: NDArray[np.int64]

    @classmethod
    def draw(
        cls, training: Benchmark, *, seed: int = 0, progress: Progress = silent
    ) -> LexicalSample:
        """Draw negatives for the references of a training set, which must have both types."""
        references = training.references
        similar = hard_candidates(training, BM25(), _HARD_DEPTH, NEGATIVES, progress)
        drawn = sample_pairs(
            references,
            queries=references.queries,
            sources=len(training.source),
            strategy="qry,mix",
            ratio=NEGATIVES,
            seed=seed,
            similar=similar,
        )
        label = np.zeros(len(drawn), np.uint8)
        label[: len(references)] = references.label  # which come first
        if not np.bincount(label, minlength=3).all():
            raise ParameterError("learn.missing_type")
        fold_of = dict(zip(references.query.tolist(), references.fold.tolist(), strict=True))
        fold = np.array([fold_of[query] for query in drawn.query.tolist()])
        pairs = Pairs(training.query, training.source, drawn.query, drawn.source)
        return cls(training, pairs, label, fold)

    def can_spare(self, fold: int) -> bool:
        """Whether all three classes occur without a fold."""
        return bool(np.bincount(self.label[self.fold != fold], minlength=3).all())

    def part(self, without: int | None = None, *, progress: Progress = silent) -> LexicalPart:
        """Return all pairs, or leave out a fold.

        It is left out of word frequencies too: texts that are judged later have words that were
        never counted.
        """
        kept = np.ones(len(self.fold), np.bool_) if without is None else self.fold != without
        pairs = self.pairs.select(kept)
        query, _ = needed_texts(pairs.query.texts, pairs.query_rows)
        source, _ = needed_texts(pairs.source.texts, pairs.source_rows)
        features = PaperFeatures.fit([*query, *source])
        columns = features.columns(self.pairs, progress=progress)
        return LexicalPart(
            features, columns[kept], self.label[kept], columns[~kept], self.label[~kept]
        )
