"""How often a text refers at all, estimated from the text itself, and its probabilities.

A classifier learns how often pairs are references from texts that refer in every second segment.
Most texts refer less often, and some to nothing that is searched. Three steps allow for that:

1. For authors it has not learnt from, log-odds are recalibrated on texts by other authors, and on
   *null texts*: these are older than all they are compared with, and refer to nothing.
2. From the best pair of each segment of the text at hand, without labels, follows how far its
   base rate is from theirs (label shift). Log-odds are shifted by that much.
3. Readers' verdicts, if there are any, correct the shift.

All steps keep the order of pairs. A text by an author that the classifier has learnt from is only
shifted, and only downwards: as often as in the benchmark, hardly any text refers.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

import numpy as np

from locisimiles.checks import check_at_least, check_between, check_equal_lengths
from locisimiles.classify.logistic import fit_offset_logistic
from locisimiles.files.hashing import sha256_of
from locisimiles.files.weights import read_weights, write_weights

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

__all__ = ["BaseRate", "BaseRates", "RateModel", "TextRate"]

_FORMAT = 1
_LEAST = 1e-9  # a probability of 0 or 1 cannot be shifted
_FARTHEST, _STEP = 5.0, 0.05
_LARGEST = 100.0


def _log_odds(probability: NDArray[np.floating[Any]]) -> NDArray[np.float64]:
    bounded = np.clip(np.asarray(probability, np.float64), _LEAST, 1 - _LEAST)
    result: NDArray[np.float64] = np.log(bounded) - np.log1p(-bounded)
    return result


def _chances(log_odds: NDArray[np.floating[Any]]) -> NDArray[np.float64]:
    result: NDArray[np.float64] = 1 / (1 + np.exp(-np.asarray(log_odds, np.float64)))
    return result


@dataclass(frozen=True, slots=True)
class RateModel:
    """What is known of the base rates of texts before one is searched.

    Attributes
    ----------
    slope, constant
        Recalibrate log-odds for a text with the usual base rate.
    rate
        The usual share of segments whose best pair is a reference.
    above, below
        The spread of shifts: log-odds by which texts refer more often, or less.
    weight
        How much the best pair of a segment counts as evidence of the shift. Below 1, since
        neighbours are alike and scores of other texts not distributed quite as those learnt from.
    spread
        The standard deviation of the error in the log-odds of a text that remains.
    """

    slope: float = 1.0
    constant: float = 0.0
    rate: float = 0.5
    above: float = 0.0
    below: float = 1.0
    weight: float = 1.0
    spread: float = 0.0

    def log_odds(self, probability: NDArray[np.floating[Any]]) -> NDArray[np.float64]:
        """Return recalibrated log-odds."""
        return self.slope * _log_odds(probability) + self.constant

    def shift(self, best: NDArray[np.floating[Any]]) -> float:
        r"""Return the most plausible shift of a text, given the best pair of each segment.

        At the usual rate :math:`\pi_0`, a best pair has the odds :math:`o_i`; so its likelihood
        ratio is :math:`r_i = o_i (1 - \pi_0) / \pi_0`. With the shift :math:`\delta`, the rate is
        :math:`\pi = \sigma(\sigma^{-1}(\pi_0) + \delta)`, and the likelihood of the text
        :math:`\prod_i (1 - \pi + \pi r_i)`.

        Examples
        --------
        >>> model = RateModel(rate=0.1, above=1.0, below=1.0)
        >>> [round(model.shift(np.full(50, chance)), 2) for chance in (0.01, 0.1, 0.5)]
        [-1.3, 0.0, 4.4]
        """
        steps = round(_FARTHEST / _STEP)
        shifts = np.arange(-steps, (steps if self.above > 0 else 0) + 1) * _STEP
        usual = float(_log_odds(np.array(self.rate)))
        ratio = np.exp(self.log_odds(best) - usual)
        fit = np.zeros(len(shifts))
        for place, rate in enumerate(_chances(usual + shifts).tolist()):
            fit[place] = np.log(1 - rate + rate * ratio).sum()
        spread = np.where(shifts < 0, self.below, max(self.above, _STEP))
        return float(shifts[np.argmax(self.weight * fit - (shifts / spread) ** 2 / 2)])


@dataclass(frozen=True, slots=True)
class TextRate:
    """How the probabilities of a text are adapted: recalibrated, and shifted.

    Attributes
    ----------
    model
        The recalibration.
    shift
        What is added to the log-odds.
    spread
        The standard deviation of its error.
    """

    model: RateModel
    shift: float
    spread: float

    @property
    def changes_nothing(self) -> bool:
        """Whether probabilities stay as they are."""
        return (self.model.slope, self.model.constant, self.shift) == (1, 0, 0)

    def adapted(self, probability: NDArray[np.floating[Any]]) -> NDArray[np.float64]:
        """Return the adapted probabilities of a reference; the order stays."""
        return _chances(self.model.log_odds(probability) + self.shift)

    def judged(
        self, probability: NDArray[np.floating[Any]], verdict: NDArray[np.bool_]
    ) -> TextRate:
        """Return the rate corrected by readers' verdicts on some pairs.

        Parameters
        ----------
        probability
            The classifier's probabilities of these pairs.
        verdict
            Whether each is a reference.

        Examples
        --------
        Of ten pairs that were even chances, a reader accepted one.

        >>> rate = TextRate(RateModel(), 0.0, 0.6)
        >>> verdict = np.array([True] + [False] * 9)
        >>> corrected = rate.judged(np.full(10, 0.5), verdict)
        >>> round(corrected.shift, 2), round(corrected.spread, 2)
        (-0.78, 0.45)
        """
        check_equal_lengths(probability=probability, verdict=verdict)
        if not len(verdict) or self.spread <= 0:
            return self
        known = self.model.log_odds(probability) + self.shift
        precision = 1 / self.spread**2
        constant = np.ones((len(known), 1))
        added = float(
            fit_offset_logistic(constant, verdict.astype(np.uint8), known, np.array([precision]))[0]
        )
        chances = _chances(known + added)
        certainty = precision + float((chances * (1 - chances)).sum())
        return replace(self, shift=self.shift + added, spread=1 / math.sqrt(certainty))


@dataclass(frozen=True, slots=True)
class BaseRate:
    """How the probabilities of a search are adapted.

    Attributes
    ----------
    own, others
        For texts by authors that the classifier has learnt from, and for all others.
    authors
        These authors.
    """

    own: TextRate
    others: TextRate
    authors: frozenset[str] = frozenset()

    def adapted(
        self, chances: NDArray[np.floating[Any]], authors: Sequence[str]
    ) -> NDArray[np.float32]:
        """Return adapted probabilities of no match, *cit.* and *cf.*, a row per pair.

        Parameters
        ----------
        chances
            The classifier's.
        authors
            The author of the query segment of each.
        """
        found = np.asarray(chances[:, 1:].sum(axis=1), np.float64)
        total = self.probability(found, authors)
        share = total / np.maximum(found, _LEAST)
        changed = share != 1.0
        result = np.array(chances, np.float32)
        result[changed, 1:] = chances[changed, 1:] * share[changed, np.newaxis]
        result[changed, 0] = 1 - total[changed]
        return result

    def probability(
        self, probability: NDArray[np.floating[Any]], authors: Sequence[str]
    ) -> NDArray[np.float64]:
        """Return adapted probabilities of a reference."""
        known = _is_known(authors, self.authors)
        result = np.asarray(probability, np.float64).copy()
        for rate, rows in ((self.own, known), (self.others, ~known)):
            if not rate.changes_nothing:
                result[rows] = rate.adapted(result[rows])
        return result

    def changes_nothing(self, authors: Sequence[str]) -> bool:
        """Tell whether the probabilities of texts by these authors stay as they are."""
        known = _is_known(authors, self.authors)
        return all(
            rate.changes_nothing or not occurs
            for rate, occurs in ((self.own, known.any()), (self.others, (~known).any()))
        )

    def as_dict(self, authors: Sequence[str]) -> dict[str, object]:
        """Describe what was estimated for a text with these authors, for manifests."""
        known = _is_known(authors, self.authors)
        kinds = (("own", self.own, known.any()), ("others", self.others, (~known).any()))
        return {
            kind: {"shift": round(rate.shift, 4), "spread": round(rate.spread, 4)}
            for kind, rate, occurs in kinds
            if occurs
        }


def _is_known(authors: Sequence[str], known: frozenset[str]) -> NDArray[np.bool_]:
    return np.fromiter((name in known for name in authors), np.bool_, len(authors))


@dataclass(frozen=True, slots=True)
class BaseRates:
    """What a classifier knows of base rates, learnt by ``locisimiles train base-rates``.

    Attributes
    ----------
    own, others
        For texts by authors that the classifier has learnt from, and for all others.
    weights_sha256
        The weights of the classifier whose probabilities are adapted.
    authors
        The authors it has learnt from.
    """

    own: RateModel
    others: RateModel
    weights_sha256: str = ""
    authors: frozenset[str] = field(default=frozenset(), repr=False)

    def estimate(
        self,
        query: NDArray[np.integer[Any]],
        probability: NDArray[np.floating[Any]],
        authors: Sequence[str],
    ) -> BaseRate:
        """Estimate the base rate of a text from its judged pairs.

        Parameters
        ----------
        query
            The query segment of each pair, ascending.
        probability
            The classifier's probability of a reference.
        authors
            The author of each query segment, by position.

        Examples
        --------
        >>> rates = BaseRates(RateModel(), RateModel(constant=-3.0, rate=0.05, above=0.5))
        >>> rate = rates.estimate(np.arange(40), np.full(40, 0.2), ["Caesar"] * 40)
        >>> rate.probability(np.array([0.2, 0.9]), ["Caesar"] * 2).round(3).tolist()
        [0.006, 0.175]
        """
        check_equal_lengths(query=query, probability=probability)
        known = _is_known(authors, self.authors)
        segments, begins = np.unique(query, return_index=True)
        best = (
            np.maximum.reduceat(np.asarray(probability, np.float64), begins)
            if len(begins)
            else np.zeros(0)
        )
        own_rows = known[segments]
        own, others = (
            TextRate(model, model.shift(best[rows]), model.spread)
            for model, rows in ((self.own, own_rows), (self.others, ~own_rows))
        )
        return BaseRate(own, others, self.authors)

    def spread(self, authors: Sequence[str]) -> float:
        """Return the standard deviation of the error in the log-odds of a text, for intervals."""
        known = _is_known(authors, self.authors)
        if not len(known):
            return self.others.spread
        return max(
            model.spread
            for model, occurs in ((self.own, known.any()), (self.others, (~known).any()))
            if occurs
        )

    def fingerprint(self) -> str:
        """Return the SHA-256 of all parameters."""
        return sha256_of(self.text())

    def text(self) -> str:
        """Return the content of the file."""
        content = {
            "format": _FORMAT,
            "weights_sha256": self.weights_sha256,
            **{
                kind: {name: getattr(model, name) for name in RateModel.__slots__}
                for kind, model in (("own", self.own), ("others", self.others))
            },
        }
        return f"{json.dumps(content, indent=1)}\n"

    def save(self, path: Path) -> None:
        """Write the parameters to a file."""
        write_weights(path, self.text())

    @classmethod
    def load(cls, path: Path) -> BaseRates:
        """Read a file that `save` wrote.

        Raises
        ------
        MalformedInputError
            If it holds something else.
        """
        return read_weights(path, _from_text, command="train base-rates")

    @staticmethod
    @cache
    def shipped() -> BaseRates:
        """Return those of the shipped classifier."""
        file = resources.files("locisimiles.classify") / "data" / "base_rates.json"
        return _from_text(file.read_text(encoding="utf-8"))


def _from_text(text: str) -> BaseRates:
    content = json.loads(text)
    if content["format"] != _FORMAT:
        raise ValueError("unknown format")
    return BaseRates(
        _model(content["own"]), _model(content["others"]), str(content["weights_sha256"])
    )


def _model(content: Mapping[str, Any]) -> RateModel:
    values = {name: content[name] for name in RateModel.__slots__}
    if not all(isinstance(v, int | float) and abs(v) <= _LARGEST for v in values.values()):
        raise ValueError("not a number")
    model = RateModel(**{name: float(value) for name, value in values.items()})
    check_at_least(0, above=model.above, spread=model.spread, weight=model.weight)
    check_between(0, 1, rate=model.rate)
    if not (model.slope > 0 and model.below > 0 and 0 < model.rate < 1):
        raise ValueError("out of range")
    return model
