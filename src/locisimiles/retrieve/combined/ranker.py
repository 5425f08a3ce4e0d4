"""A small network that ranks candidates by their features: linear terms and a hidden layer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from locisimiles.candidates import Features

__all__ = ["DIGITS", "INPUT_SCALE", "Ranker"]

INPUT_SCALE = np.float32(1 / 3)
"""Scales standardised features to about -1 to 1 for the hidden layer."""
DIGITS = 4
"""Decimals of weights in files."""


@dataclass(frozen=True, slots=True, eq=False)
class Ranker:
    r"""Scores candidates by their features.

    .. math:: w x + v \tanh(A x / 3 + b)

    Attributes
    ----------
    names
        The features.
    linear
        Their weights (w).
    inner, shift, outer
        The hidden layer: input weights (A, a row per feature), biases (b) and output weights (v).
    """

    names: tuple[str, ...]
    linear: NDArray[np.float32]
    inner: NDArray[np.float32]
    shift: NDArray[np.float32]
    outer: NDArray[np.float32]

    def scores(self, features: Features) -> NDArray[np.float32]:
        """Return the score of each row."""
        columns = features.select(self.names)
        hidden = np.tanh((columns * INPUT_SCALE) @ self.inner + self.shift)
        return (columns @ self.linear + hidden @ self.outer).astype(np.float32)

    def as_dict(self) -> dict[str, object]:
        """Return names and weights, for files."""
        return {
            "linear": dict(zip(self.names, _rounded(self.linear), strict=True)),
            "inner": dict(zip(self.names, map(_rounded, self.inner), strict=True)),
            "shift": _rounded(self.shift),
            "outer": _rounded(self.outer),
        }

    @classmethod
    def from_dict(cls, content: Mapping[str, Mapping[str, object]]) -> Ranker:
        """Return the ranker that `as_dict` wrote.

        Raises
        ------
        KeyError, ValueError, TypeError
            If the content is not a ranker.
        """
        names = tuple(content["linear"])
        ranker = cls(
            names,
            linear=np.array([content["linear"][name] for name in names], np.float32),
            inner=np.array([content["inner"][name] for name in names], np.float32),
            shift=np.array(content["shift"], np.float32),
            outer=np.array(content["outer"], np.float32),
        )
        units = len(ranker.shift)
        parts = (ranker.linear, ranker.inner, ranker.shift, ranker.outer)
        shapes = [(len(names),), (len(names), units), (units,), (units,)]
        if [part.shape for part in parts] != shapes or not all(np.isfinite(p).all() for p in parts):
            raise ValueError("the parts of the network do not fit together")
        return ranker


def _rounded(values: NDArray[np.float32]) -> list[float]:
    return [round(float(value), DIGITS) for value in values]
