"""What the columns of a pair count in the ensemble; learnt once, shipped as a table."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

import numpy as np

from locisimiles.classify.pair_features import PAIR_FEATURES, PRIORS
from locisimiles.classify.thresholds import ReferenceThreshold, Thresholds
from locisimiles.errors import MalformedInputError, OutputError
from locisimiles.retrieve.habits import Habits
from locisimiles.retrieve.late_words import PieceWeights

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

__all__ = ["EnsembleWeights", "Weighing", "column_names", "expanded"]

_FORMAT = 1
_WAYS = ("with_priors", "without_priors")
_FEWEST, _MOST = 300, 200_000
_MIDDLE, _HALF = np.log(7000.0), 2.5


@dataclass(frozen=True, slots=True, eq=False)
class Weighing:
    """What was learnt, with or without priors.

    Attributes
    ----------
    weights
        A row for *cit.* and one for *cf.*; a column for each of `expanded`, and the constant.
    thresholds
        From which probability on a pair is taken for a reference of a type.
    detection
        From which probability on it is taken for a reference of any type, so that three of four
        references are found.
    spread
        How much the log-odds of whole documents differ from what was expected of them, as a
        standard deviation; for intervals.
    """

    weights: NDArray[np.float64]
    thresholds: Thresholds
    detection: ReferenceThreshold
    spread: float


@dataclass(frozen=True, slots=True, eq=False)
class EnsembleWeights:
    """All that the ensemble has learnt.

    Attributes
    ----------
    with_priors, without_priors
        What columns count, for authors of whose reading something is known, and for others.
    habits
        What is known of authors' reading.
    pieces
        How much pieces of words count in late interaction.
    """

    with_priors: Weighing
    without_priors: Weighing
    habits: Habits
    pieces: PieceWeights
    _text: list[str] = field(default_factory=list, repr=False)

    def weighing(self, *, priors: bool) -> Weighing:
        """Return one of the two."""
        return self.with_priors if priors else self.without_priors

    def fingerprint(self) -> str:
        """Return the SHA-256 of all there is."""
        return hashlib.sha256(self.text().encode()).hexdigest()

    def text(self) -> str:
        """Return what `save` writes."""
        if not self._text:
            self._text.append(_to_text(self))
        return self._text[0]

    def save(self, path: Path) -> None:
        """Write the table.

        Raises
        ------
        OutputError
            If that is not possible.
        """
        try:
            path.write_text(self.text(), encoding="utf-8")
        except OSError as error:
            raise OutputError(f"{path} cannot be written: {error.strerror}") from error

    @classmethod
    def load(cls, path: Path) -> EnsembleWeights:
        """Read what `save` wrote.

        Raises
        ------
        MalformedInputError
            If it is something else.
        """
        try:
            return _of_text(path.read_text(encoding="utf-8"))
        except _SOMETHING_ELSE as error:
            raise MalformedInputError(
                "this is no table of weights for classification",
                file=str(path),
                hint="make one with: locisimiles train classifier",
            ) from error

    @classmethod
    def shipped(cls) -> EnsembleWeights:
        """Return the weights that come with the package."""
        return _shipped()


def column_names(*, priors: bool) -> tuple[str, ...]:
    """Return the names of the columns that are weighed, before they are expanded."""
    return (*PAIR_FEATURES, *(PRIORS if priors else ()))


def expanded(columns: NDArray[np.floating[Any]], sources: int) -> NDArray[np.float64]:
    """Return columns, how many sources there are, and both multiplied.

    The more sources there are, the more of them are alike by chance: what a column says depends on
    their number. It is taken as a logarithm, about -1 for the hundreds of a small document and 1
    for a library of a hundred thousand.

    Examples
    --------
    >>> expanded(np.array([[2.0]]), 90_000).round(2).tolist()
    [[2.0, 1.02, 2.04]]
    """
    size = (np.log(np.clip(sources, _FEWEST, _MOST)) - _MIDDLE) / _HALF
    wide = np.asarray(columns, np.float64)
    return np.column_stack([wide, np.full(len(wide), size), wide * size])


def _to_text(table: EnsembleWeights) -> str:
    content = {
        "format": _FORMAT,
        "columns": list(PAIR_FEATURES),
        **{
            name: {
                "weights": [[float(f"{value:.6g}") for value in row] for row in own.weights],
                "thresholds": {"cit": own.thresholds.cit, "cf": own.thresholds.cf},
                "detection": round(own.detection.least, 6),
                "spread": round(own.spread, 4),
            }
            for name, own in zip(_WAYS, (table.with_priors, table.without_priors), strict=True)
        },
        "habits": {"authors": table.habits.authors, "works": table.habits.works},
        "pieces": {"segments": table.pieces.segments, "counts": table.pieces.counts.tolist()},
    }
    # A line for each thing, so that a change can be read.
    parts = [
        f" {json.dumps(name)}: {json.dumps(own, ensure_ascii=False)}"
        for name, own in content.items()
    ]
    return "{\n" + ",\n".join(parts) + "\n}\n"


# What a file that is something else may give rise to.
_SOMETHING_ELSE = (
    OSError, ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError,
)  # fmt: skip
_LARGEST = 1e6  # of a number; larger ones are no weights, and their products no numbers


def _of_text(text: str) -> EnsembleWeights:
    content = json.loads(text)
    if content["format"] != _FORMAT or tuple(content["columns"]) != PAIR_FEATURES:
        raise ValueError("unknown format")
    weighings = []
    for name in _WAYS:
        own = content[name]
        weights = np.array(own["weights"], np.float64)
        columns = column_names(priors=name == _WAYS[0])
        if weights.shape != (2, 2 * len(columns) + 2) or not (np.abs(weights) <= _LARGEST).all():
            raise ValueError("unknown columns")
        thresholds = Thresholds(float(own["thresholds"]["cit"]), float(own["thresholds"]["cf"]))
        detection = ReferenceThreshold(_number(own["detection"], least=0))
        spread = _number(own["spread"], least=0)
        weighings.append(Weighing(weights, thresholds, detection, spread))
    habits = Habits(*(_table(content["habits"][what]) for what in ("authors", "works")))
    pieces = _pieces(content["pieces"]["counts"], int(content["pieces"]["segments"]))
    with_priors, without_priors = weighings
    return EnsembleWeights(with_priors, without_priors, habits, pieces)


def _table(content: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, float]]:
    return {
        str(reader): {str(name): _number(value) for name, value in names.items()}
        for reader, names in content.items()
    }


def _number(value: object, least: float = -_LARGEST) -> float:
    if not isinstance(value, int | float) or not least <= value <= _LARGEST:
        raise ValueError("this is no number")
    return float(value)


def _pieces(numbers: Sequence[int], segments: int) -> PieceWeights:
    counts = np.array(numbers, np.int64)
    if counts.ndim != 1 or not 0 <= counts.min(initial=0) <= counts.max(initial=0) <= segments:
        raise ValueError("these are no counts")
    return PieceWeights(counts, segments)


@cache
def _shipped() -> EnsembleWeights:
    file = resources.files("locisimiles.classify") / "data" / "ensemble.json"
    return _of_text(file.read_text(encoding="utf-8"))
