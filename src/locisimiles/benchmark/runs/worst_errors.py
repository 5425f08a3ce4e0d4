"""The worst errors of a classifier, with the evidence of each pair."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.checks import check_at_least
from locisimiles.classify.labels import TYPES, Label
from locisimiles.evidence import EvidenceFinder
from locisimiles.results import Probabilities

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from locisimiles.benchmark.protocols import JudgedFold
    from locisimiles.corpus import Segment

__all__ = ["WrongDecision", "worst_errors"]


@dataclass(frozen=True, slots=True)
class WrongDecision:
    """A false positive or false negative.

    Attributes
    ----------
    fold
        Its fold.
    query, source
        The segments.
    label
        The true label.
    probabilities
        The probabilities of the classifier.
    sentence
        What the two segments have in common.
    """

    fold: int
    query: Segment
    source: Segment
    label: Label
    probabilities: Probabilities
    sentence: str

    @property
    def kind(self) -> str:
        """``false positive`` or ``false negative``."""
        return "false positive" if self.label == Label.NONE else "false negative"


def worst_errors(folds: Sequence[JudgedFold], n: int = 20) -> list[WrongDecision]:
    """Return the most probable false positives and the least probable false negatives.

    Parameters
    ----------
    folds
        The fold documents, judged by a classifier.
    n
        The maximum number of each kind. A pair predicted to be a reference of the wrong type is not
        an error here.
    """
    check_at_least(1, n=n)
    found: list[WrongDecision] = []
    for is_reference in (False, True):
        wrong = [_wrong(fold, is_reference=is_reference) for fold in folds]
        fold_of = np.repeat(np.arange(len(folds)), [len(rows) for rows, _, _ in wrong])
        query, source, chance = (np.concatenate(columns) for columns in zip(*wrong, strict=True))
        order = np.argsort(chance if is_reference else -chance, kind="stable")[:n]
        for number, fold in enumerate(folds):
            own = order[fold_of[order] == number]
            found += _described(fold, query[own], source[own])
    return sorted(found, key=lambda error: (error.kind, _how_wrong(error)))


def _wrong(
    fold: JudgedFold, *, is_reference: bool
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """Return the wrongly decided pairs of a fold, and their probabilities of being a reference."""
    grid = fold.grid
    predicted = fold.rule.decide(grid.probabilities).any(axis=0)
    query, source = np.nonzero(
        ((grid.label != Label.NONE) == is_reference) & (predicted != is_reference)
    )
    chances = grid.probabilities[query, source][:, list(TYPES)]
    return query, source, chances.sum(axis=-1, dtype=np.float64)


def _described(
    fold: JudgedFold, query: NDArray[np.int64], source: NDArray[np.int64]
) -> list[WrongDecision]:
    pool, grid = fold.pool, fold.grid
    evidence = EvidenceFinder(pool.query, pool.source).for_pairs(query, source)
    return [
        WrongDecision(
            grid.fold,
            pool.query[q],
            pool.source[s],
            Label(int(grid.label[q, s])),
            Probabilities(*map(float, grid.probabilities[q, s])),
            own.sentence,
        )
        for q, s, own in zip(query.tolist(), source.tolist(), evidence, strict=True)
    ]


def _how_wrong(error: WrongDecision) -> float:
    """Return the sort key of errors of a kind, the worst first."""
    chance = error.probabilities.reference
    return -chance if error.label == Label.NONE else chance
