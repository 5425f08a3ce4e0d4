"""A small network that ranks candidates by columns of scores: a weighted sum, and what bends it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.learn.listwise import Adam, Lists

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

__all__ = ["Ranker", "fit_ranker"]

_UNITS = 16
_STEPS = 300
_QUERIES = 200
_RATE, _DECAY = 0.03, 0.05
_BEGIN = 0.3
_DROPPED = 0.2
_SCALE = np.float32(1 / 3)  # columns are standardised, units see them between -1 and some
_DIGITS = 4


@dataclass(frozen=True, slots=True, eq=False)
class Ranker:
    r"""Scores candidates by their columns.

    .. math:: w x + v \tanh(A x / 3 + b)

    Attributes
    ----------
    names
        Of the columns.
    linear
        The weight of each column (w).
    inner, shift, outer
        What the units see (A, a row a column; b), and what they count (v).
    """

    names: tuple[str, ...]
    linear: NDArray[np.float32]
    inner: NDArray[np.float32]
    shift: NDArray[np.float32]
    outer: NDArray[np.float32]

    def scores(self, columns: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return a score for each row of columns."""
        units = np.tanh((columns * _SCALE) @ self.inner + self.shift)
        return (columns @ self.linear + units @ self.outer).astype(np.float32)

    def as_dict(self) -> dict[str, object]:
        """Return names and numbers, for files."""
        return {
            "linear": dict(zip(self.names, _rounded(self.linear), strict=True)),
            "inner": dict(zip(self.names, map(_rounded, self.inner), strict=True)),
            "shift": _rounded(self.shift),
            "outer": _rounded(self.outer),
        }

    @classmethod
    def of_dict(cls, content: Mapping[str, Mapping[str, object]]) -> Ranker:
        """Return what `as_dict` gave.

        Raises
        ------
        KeyError, ValueError, TypeError
            If it is something else.
        """
        names = tuple(content["linear"])
        made = cls(
            names,
            linear=np.array([content["linear"][name] for name in names], np.float32),
            inner=np.array([content["inner"][name] for name in names], np.float32),
            shift=np.array(content["shift"], np.float32),
            outer=np.array(content["outer"], np.float32),
        )
        units = len(made.shift)
        parts = (made.linear, made.inner, made.shift, made.outer)
        shapes = [(len(names),), (len(names), units), (units,), (units,)]
        if [part.shape for part in parts] != shapes or not all(np.isfinite(p).all() for p in parts):
            raise ValueError("the parts of the network do not fit together")
        return made


def fit_ranker(
    names: Sequence[str],
    columns: Sequence[NDArray[np.float32]],
    right: Sequence[NDArray[np.bool_]],
    *,
    networks: int = 3,
) -> Ranker:
    """Learn to put right candidates before the others.

    Minimises the same as `locisimiles.learn.listwise.fit_listwise`, by some of the queries at a
    time, while some of the units are shut off. It begins as a sum with equal weights. Several
    networks that drew differently are averaged, which is one network with all their units.

    Parameters
    ----------
    names
        Of the columns.
    columns, right
        For each query, a row a candidate, and which candidates are right.
    networks
        How many are averaged.

    Raises
    ------
    ParameterError
        If no query has a right candidate.

    Examples
    --------
    >>> either = np.array([[1, 1], [0, 0], [1, 0], [0, 1]], np.float32)
    >>> ranker = fit_ranker(("a", "b"), [either] * 40, [np.array([True, False, False, False])] * 40)
    >>> int(ranker.scores(either).argmax())
    0
    """
    lists = Lists.of(columns, right)
    found = [_network(lists, np.random.default_rng(seed)) for seed in range(networks)]
    share = np.float32(1 / networks)
    return Ranker(
        tuple(names),
        linear=_few_digits(np.mean([own["linear"] for own in found], axis=0)),
        inner=_few_digits(np.concatenate([own["inner"] for own in found], axis=1)),
        shift=_few_digits(np.concatenate([own["shift"] for own in found])),
        outer=_few_digits(np.concatenate([own["outer"] for own in found]) * share),
    )


def _network(lists: Lists, rng: np.random.Generator) -> dict[str, NDArray[np.float64]]:
    """Train one network."""
    size = lists.rows.shape[1]
    reach = 1 / np.sqrt(size)
    parts = {
        "linear": np.full(size, _BEGIN),
        "inner": rng.uniform(-reach, reach, (size, _UNITS)),
        "shift": rng.uniform(-reach, reach, _UNITS),
        "outer": np.zeros(_UNITS),
    }
    steps = {name: Adam(part.shape, _RATE, _DECAY, _STEPS) for name, part in parts.items()}
    for step in range(_STEPS):
        batch = lists.draw(_QUERIES, rng)
        for name, slope in _slopes(parts, batch, rng).items():
            parts[name] = steps[name].moved(parts[name], slope, step)
    return parts


def _few_digits(part: NDArray[np.float64]) -> NDArray[np.float32]:
    return part.round(_DIGITS).astype(np.float32)


def _slopes(
    parts: Mapping[str, NDArray[np.float64]], lists: Lists, rng: np.random.Generator
) -> dict[str, NDArray[np.float64]]:
    """Return in which direction each part makes the loss larger."""
    linear, inner, shift, outer = (part.astype(np.float32) for part in parts.values())
    seen = lists.rows * _SCALE
    units = np.tanh(seen @ inner + shift)
    open_ = (rng.random((len(units), len(outer)), np.float32) >= _DROPPED) / np.float32(
        1 - _DROPPED
    )
    shown = units * open_
    surprise = lists.surprise(lists.rows @ linear + shown @ outer)
    back = surprise[:, None] * outer * open_ * (1 - units * units)
    return {
        "linear": (surprise @ lists.rows).astype(np.float64),
        "inner": (seen.T @ back).astype(np.float64),
        "shift": back.sum(axis=0).astype(np.float64),
        "outer": (surprise @ shown).astype(np.float64),
    }


def _rounded(values: NDArray[np.float32]) -> list[float]:
    return [round(float(value), _DIGITS) for value in values]
