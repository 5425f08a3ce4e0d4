"""A correction of probabilities, learnt from readers' verdicts.

A little is added to the classifier's log-odds: a constant, a term for its confidence, and a term
for each cited author and work. Priors hold all terms at 0 until verdicts say otherwise, so few
verdicts change little, and none change nothing. Which authors a text cites is what a classifier
that never saw it cannot know.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from locisimiles.checks import check_between, check_equal_lengths
from locisimiles.classify.logistic import fit_offset_logistic
from locisimiles.errors import MalformedInputError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

__all__ = ["Correction", "RankedPairs", "learn_correction"]

_PENALTIES = {"constant": 1.0, "sureness": 10.0, "author": 4.0, "work": 4.0}
# One verdict on a name says little; very many names are slow, and say little each.
_FEWEST_OF_A_NAME, _MOST_NAMES = 2, 100
_SUREST, _FARTHEST, _ROUNDING = 1e-4, 3.0, 1e-6


@dataclass(frozen=True, slots=True, eq=False)
class RankedPairs:
    """Pairs that a classifier has judged, as columns.

    Attributes
    ----------
    query
        The position of the query segment.
    probability
        The classifier's probability of a reference.
    author, work
        The author and work of the source; empty if unknown.
    """

    query: NDArray[np.int64]
    probability: NDArray[np.float64]
    author: Sequence[str]
    work: Sequence[str]

    def __post_init__(self) -> None:
        check_equal_lengths(
            query=self.query, probability=self.probability, author=self.author, work=self.work
        )
        for extreme in (np.min, np.max):
            check_between(0, 1, probability=float(extreme(self.probability, initial=0.0)))

    def __len__(self) -> int:
        return len(self.query)

    def select(self, rows: NDArray[np.integer[Any]]) -> RankedPairs:
        """Return some of the pairs."""
        return RankedPairs(
            self.query[rows],
            self.probability[rows],
            [self.author[row] for row in rows],
            [self.work[row] for row in rows],
        )

    def log_odds(self) -> NDArray[np.float64]:
        """Return the log-odds, bounded away from certainty."""
        bounded = np.clip(self.probability, _SUREST, 1 - _SUREST)
        result: NDArray[np.float64] = np.log(bounded / (1 - bounded))
        return result

    def names(self) -> dict[str, list[str]]:
        """Return the cited names: ``author``, and ``work`` with its author."""
        works = zip(self.author, self.work, strict=True)
        return {
            "author": list(self.author),
            "work": [f"{author}, {work}" if work else "" for author, work in works],
        }


@dataclass(frozen=True, slots=True)
class Correction:
    """What is added to the log-odds of pairs.

    Attributes
    ----------
    constant
        Added to all pairs.
    sureness
        Added per standard deviation of the classifier's log-odds.
    centre, spread
        The mean and standard deviation of these log-odds.
    author, work
        Added to the pairs of each name; other names get nothing.
    """

    constant: float
    sureness: float
    centre: float
    spread: float
    author: Mapping[str, float]
    work: Mapping[str, float]

    def added(self, pairs: RankedPairs) -> NDArray[np.float64]:
        """Return the correction of the log-odds of each pair."""
        sure = _sureness(pairs, self.centre, self.spread)
        total = self.constant + self.sureness * sure
        for kind, names in pairs.names().items():
            effects: Mapping[str, float] = getattr(self, kind)
            total += np.array([effects.get(name, 0.0) for name in names], float)
        return total

    def probabilities(self, pairs: RankedPairs) -> NDArray[np.float64]:
        """Return corrected probabilities; where nothing is added, exactly the old ones."""
        before, added = pairs.probability, self.added(pairs)
        # Not by the log-odds, which are bounded: certain pairs stay certain.
        times = np.exp(added)
        after = before * times / (1 - before + before * times)
        return np.where(added == 0, before, np.clip(after, 0.0, 1.0))

    @classmethod
    def from_dict(cls, read: Mapping[str, Any]) -> Correction:
        """Return a correction from what `dataclasses.asdict` made of it.

        Raises
        ------
        MalformedInputError
            If the content is something else.
        """
        try:
            return cls(
                constant=float(read["constant"]),
                sureness=float(read["sureness"]),
                centre=float(read["centre"]),
                spread=float(read["spread"]),
                author={str(name): float(value) for name, value in read["author"].items()},
                work={str(name): float(value) for name, value in read["work"].items()},
            )
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise MalformedInputError("classify.no_correction") from error


def learn_correction(
    pairs: RankedPairs, rows: NDArray[np.integer[Any]], label: NDArray[np.bool_]
) -> Correction:
    """Learn a correction from verdicts.

    Parameters
    ----------
    pairs
        All results of a search.
    rows
        Those with a verdict.
    label
        Whether each of these is a reference.

    Examples
    --------
    >>> chances, authors = np.full(6, 0.5), ["Virgil", "Ovid"] * 3
    >>> pairs = RankedPairs(np.arange(6), chances, authors, [""] * 6)
    >>> learnt = learn_correction(pairs, np.arange(4), np.array([True, False] * 2))
    >>> learnt.probabilities(pairs)[4:].round(2).tolist()
    [0.56, 0.44]
    """
    centre, spread = _mean_and_spread(pairs.log_odds())
    judged = pairs.select(rows)
    columns = [np.ones(len(judged)), _sureness(judged, centre, spread)]
    penalty = [_PENALTIES["constant"], _PENALTIES["sureness"]]
    common = {kind: _common(names) for kind, names in judged.names().items()}
    for kind, names in judged.names().items():
        columns += [np.array([own == name for own in names], float) for name in common[kind]]
        penalty += [_PENALTIES[kind]] * len(common[kind])
    weights = fit_offset_logistic(
        np.column_stack(columns), label.astype(np.uint8), judged.log_odds(), np.array(penalty)
    ).tolist()
    end = 2 + len(common["author"])
    return Correction(
        weights[0],
        weights[1],
        centre,
        spread,
        dict(zip(common["author"], weights[2:end], strict=True)),
        dict(zip(common["work"], weights[end:], strict=True)),
    )


def _common(names: Sequence[str]) -> list[str]:
    """Return the names with enough verdicts, the most common first."""
    counted = Counter(name for name in names if name)
    order = sorted(counted, key=lambda name: (-counted[name], name))
    return [name for name in order[:_MOST_NAMES] if counted[name] >= _FEWEST_OF_A_NAME]


def _mean_and_spread(log_odds: NDArray[np.float64]) -> tuple[float, float]:
    if not len(log_odds):
        return 0.0, 1.0
    centre, spread = float(log_odds.mean()), float(log_odds.std())
    # Ignore rounding errors.
    return centre, spread if spread > _ROUNDING * max(abs(centre), 1.0) else 1.0


def _sureness(pairs: RankedPairs, centre: float, spread: float) -> NDArray[np.float64]:
    return np.clip((pairs.log_odds() - centre) / spread, -_FARTHEST, _FARTHEST)
