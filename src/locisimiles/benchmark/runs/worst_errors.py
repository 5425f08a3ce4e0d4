"""The worst errors of a classifier, with what speaks for and against each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.classify.labels import Label
from locisimiles.errors import ParameterError
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
    """A pair that was taken for what it is not.

    Attributes
    ----------
    fold
        The fold it is of.
    query, source
        The segments.
    label
        What it is.
    probabilities
        What the classifier thinks of it.
    sentence
        What the words of the pair have in common.
    """

    fold: int
    query: Segment
    source: Segment
    label: Label
    probabilities: Probabilities
    sentence: str

    @property
    def kind(self) -> str:
        """Whether something was taken for a reference, or a reference was overlooked."""
        return "false positive" if self.label == Label.NONE else "false negative"


def worst_errors(folds: Sequence[JudgedFold], n: int = 20) -> list[WrongDecision]:
    """Return the most probable pairs that are no references, and the least probable that are.

    Parameters
    ----------
    folds
        What a classifier thinks of the fold documents, and how it decides.
    n
        How many of each kind at most. Only pairs that are decided wrongly count: taken for a
        reference of some type, or for none.

    Raises
    ------
    ParameterError
        If none are asked for.
    """
    if n < 1:
        raise ParameterError(f"n={n} asks for no errors", hint="1 is the least")
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
    """Return the pairs of a fold that were decided wrongly, and how probable they are."""
    grid = fold.grid
    taken = fold.rule.decide(grid.probabilities).any(axis=0)
    query, source = np.nonzero(((grid.label > 0) == is_reference) & (taken != is_reference))
    return query, source, grid.probabilities[query, source, 1:].sum(axis=-1, dtype=np.float64)


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
    """Return what errors of a kind are ordered by, the worst first."""
    chance = error.probabilities.reference
    return -chance if error.label == Label.NONE else chance
