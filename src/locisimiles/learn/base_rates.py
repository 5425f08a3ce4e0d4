"""Learn how often texts refer: from noted references of many authors, and from null texts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.checks import check_between, check_equal_lengths
from locisimiles.classify.base_rates import BaseRates, RateModel
from locisimiles.classify.calibration import document_spread
from locisimiles.classify.logistic import fit_logistic
from locisimiles.errors import MalformedInputError, ParameterError
from locisimiles.files.arrays import load_arrays

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

__all__ = ["OWN_PART", "JudgedText", "fit_others", "learn_base_rates", "learn_others", "learn_own"]

OWN_PART = "loci"
"""The part with texts by authors that the classifier has learnt from."""
_LIKELY = 0.002  # what is less likely is too much, and says little
_RIDGE = 1.0
_EM_STEPS = 25
# Chosen for the development authors of the Fathers, each left out, and null texts.
_ABOVE, _BELOW, _WEIGHT = 0.5, 1.25, 0.3


@dataclass(frozen=True, slots=True, eq=False)
class JudgedText:
    """The judged pairs of a text.

    Attributes
    ----------
    query
        The segment of each pair, ascending.
    probability
        The classifier's probability of a reference.
    right
        Whether the pair is a noted reference.
    counts
        False where a pair stands for a noted reference that another pair has found.
    part
        ``fathers``, ``vulgate``, ``library`` or ``loci``; see ``benchmarks/calibration.py``.
    author
        Texts of an author are left out together.
    """

    query: NDArray[np.int64]
    probability: NDArray[np.float64]
    right: NDArray[np.bool_]
    counts: NDArray[np.bool_]
    part: str
    author: str

    @classmethod
    def load(cls, path: Path) -> JudgedText:
        """Read a text that ``benchmarks/calibration.py --keep`` judged.

        Raises
        ------
        MalformedInputError
            If the file holds something else.
        """
        stored = load_arrays(path)
        try:
            chances = stored["chances"].astype(np.float64)
            read = cls(
                stored["query"].astype(np.int64),
                chances[:, 1:].sum(axis=1),
                stored["right"].astype(np.bool_),
                stored["counts"].astype(np.bool_),
                str(stored["part"].item()),
                str(stored["name"].item()).partition(".")[0],
            )
            check_equal_lengths(
                query=read.query, chances=chances, right=read.right, counts=read.counts
            )
            check_between(0, 1, probability=float(read.probability.max(initial=0)))
        except (KeyError, ValueError, IndexError, TypeError, ParameterError) as error:
            raise MalformedInputError("learn.no_judged_text", file=str(path)) from error
        return read

    def best(self) -> NDArray[np.float64]:
        """Return the probability of the best pair of each segment."""
        begins = np.unique(self.query, return_index=True)[1]
        return np.maximum.reduceat(self.probability, begins)


def learn_base_rates(
    others: Sequence[JudgedText], own: Sequence[JudgedText], *, spread: float, weights_sha256: str
) -> BaseRates:
    """Learn from texts by authors that the classifier has not seen, and by those it has.

    Parameters
    ----------
    others
        Texts with noted references, and null texts.
    own
        Texts by authors that the classifier has learnt from.
    spread
        The error in the log-odds of the latter; see `Calibration`.
    weights_sha256
        The classifier's weights.
    """
    return BaseRates(learn_own(own, spread), learn_others(others), weights_sha256)


def learn_own(texts: Sequence[JudgedText], spread: float) -> RateModel:
    """Return the model of texts whose probabilities hold if they refer as often as these."""
    if not texts:
        raise ParameterError("learn.no_own_texts")
    best = np.concatenate([text.best() for text in texts])
    rate = round(float(best.mean()), 4)
    return RateModel(rate=rate, below=_BELOW, weight=_WEIGHT, spread=round(spread, 4))


def learn_others(texts: Sequence[JudgedText]) -> RateModel:
    """Return the model of all other texts.

    The spread that remains is measured on texts of one author after another, with a model learnt
    from the others.
    """
    authors = sorted({text.author for text in texts})
    if len(authors) < 2:  # noqa: PLR2004 - one to learn from, one to leave out
        raise ParameterError("learn.too_few_authors")
    left_out = []
    for author in authors:
        model = fit_others([text for text in texts if text.author != author])
        for text in texts:
            if text.author == author and text.right.any():
                shift = model.shift(text.best())
                chances = 1 / (1 + np.exp(-(model.log_odds(text.probability) + shift)))
                classes = np.column_stack([1 - chances, chances])[text.counts]
                left_out.append((classes, text.right[text.counts].astype(np.uint8)))
    return replace(fit_others(texts), spread=round(document_spread(left_out), 4))


def fit_others(texts: Sequence[JudgedText], *, noted: float = 1.0) -> RateModel:
    """Return the model of all other texts but for its spread.

    Parameters
    ----------
    texts
        Texts with noted references, and null texts.
    noted
        The share of references that editors note. With a share below 1, a pair that was not noted
        is one of the others with the chance that follows from its probability (EM); of null texts,
        none is.
    """
    check_between(0, 1, noted=noted)
    used = [text.counts & (text.probability > _LIKELY) for text in texts]
    plain = RateModel()
    odds = [plain.log_odds(text.probability) for text in texts]
    label = np.concatenate([text.right[rows] for text, rows in zip(texts, used, strict=True)])
    if not label.any():
        raise ParameterError("learn.no_noted_pairs")
    columns = np.concatenate([own[rows] for own, rows in zip(odds, used, strict=True)])
    passed_over = np.concatenate(
        [np.full(rows.sum(), text.right.any()) for text, rows in zip(texts, used, strict=True)]
    )
    weights = _fit_line(columns, label.astype(np.float64))
    for _ in range(_EM_STEPS if noted < 1 else 0):
        chance = 1 / (1 + np.exp(-(columns * weights[0] + weights[1])))
        silent = passed_over * (1 - noted) * chance / (1 - noted * chance)
        weights = _fit_line(columns, np.where(label, 1.0, silent))
    slope, constant = (round(float(value), 4) for value in weights)
    model = RateModel(slope, constant, above=_ABOVE, below=_BELOW, weight=_WEIGHT)
    best = np.concatenate([model.log_odds(text.best()) for text in texts])
    return replace(model, rate=round(float((1 / (1 + np.exp(-best))).mean()), 4))


def _fit_line(odds: NDArray[np.float64], share: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return slope and constant, given how much of each pair is a reference."""
    some = share > 0
    columns = np.concatenate([odds, odds[some]])[:, np.newaxis]
    label = np.repeat(np.array([0, 1], np.uint8), [len(odds), some.sum()])
    weight = np.concatenate([1 - share, share[some]])
    kept = weight > 0
    fitted: NDArray[np.float64] = fit_logistic(
        columns[kept], label[kept], classes=2, weight=weight[kept], ridge=_RIDGE
    )[0]
    return fitted
