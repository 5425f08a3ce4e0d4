"""What the columns of a pair count in the ensemble; learnt once, shipped as a table."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

import numpy as np

from locisimiles.classify.pair_features import PAIR_FEATURES, column_names
from locisimiles.classify.second_opinion import OPINION_COLUMNS, SecondOpinion, revise
from locisimiles.classify.standards import Standards
from locisimiles.classify.thresholds import ReferenceThreshold, Thresholds
from locisimiles.errors import MalformedInputError, OutputError
from locisimiles.retrieve.habits import Habits
from locisimiles.retrieve.late_words import PieceWeights

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

__all__ = ["EnsembleWeights", "Weighing"]

_FORMAT = 2
_WAYS = ("with_priors", "without_priors")


@dataclass(frozen=True, slots=True, eq=False)
class Weighing:
    """What was learnt, with or without priors.

    Attributes
    ----------
    weights
        A row for *cit.* and one for *cf.*; a column for each of `expanded`, and the constant.
    standards
        How the probabilities are read.
    second
        How a cross-encoder changes them; none if nothing was learnt about it.
    """

    weights: NDArray[np.float64]
    standards: Standards
    second: SecondOpinion | None = None

    def revised(
        self,
        first: NDArray[np.float64],
        opinion: NDArray[np.float64] | None,
        sources: int,
    ) -> NDArray[np.float64]:
        """Return what to think of pairs in the end.

        Parameters
        ----------
        first
            What the weights say.
        opinion
            What a cross-encoder says; rows of NaN where it was not asked, None if there is none.
        sources
            How many sources there are.
        """
        if opinion is None or self.second is None:
            return self.standards.applied(first)
        revised = revise(first, opinion, sources, self.second.weights)
        return self.second.standards.applied(revised)


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

    @property
    def asks_for_second_opinion(self) -> bool:
        """Whether it was learnt how much a cross-encoder counts."""
        return any(own.second is not None for own in (self.with_priors, self.without_priors))

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


def _to_text(table: EnsembleWeights) -> str:
    content = {
        "format": _FORMAT,
        "columns": list(PAIR_FEATURES),
        **{
            name: _weighing_content(own)
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


def _weighing_content(own: Weighing) -> dict[str, object]:
    second = own.second
    return {
        "weights": _rounded(own.weights),
        **_standards_content(own.standards),
        "second": None
        if second is None
        else {"weights": _rounded(second.weights), **_standards_content(second.standards)},
    }


def _standards_content(own: Standards) -> dict[str, object]:
    return {
        "thresholds": {"cit": own.thresholds.cit, "cf": own.thresholds.cf},
        "detection": round(own.detection.least, 6),
        "noted": round(own.noted, 6),
        "spread": round(own.spread, 4),
    }


def _rounded(weights: NDArray[np.float64]) -> list[list[float]]:
    return [[float(f"{value:.6g}") for value in row] for row in weights]


# What a file that is something else may give rise to.
_SOMETHING_ELSE = (
    OSError, ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError,
)  # fmt: skip
_LARGEST = 1e6  # of a number; larger ones are no weights, and their products no numbers


def _of_text(text: str) -> EnsembleWeights:
    content = json.loads(text)
    if content["format"] != _FORMAT or tuple(content["columns"]) != PAIR_FEATURES:
        raise ValueError("unknown format")
    with_priors, without_priors = (
        _weighing(content[name], len(column_names(priors=name == _WAYS[0]))) for name in _WAYS
    )
    habits = Habits(*(_table(content["habits"][what]) for what in ("authors", "works")))
    pieces = _pieces(content["pieces"]["counts"], int(content["pieces"]["segments"]))
    return EnsembleWeights(with_priors, without_priors, habits, pieces)


def _weighing(content: Mapping[str, Any], columns: int) -> Weighing:
    second = content["second"]
    return Weighing(
        _weights(content["weights"], columns),
        _standards(content),
        None
        if second is None
        else SecondOpinion(_weights(second["weights"], OPINION_COLUMNS), _standards(second)),
    )


def _weights(content: Sequence[Sequence[float]], columns: int) -> NDArray[np.float64]:
    weights = np.array(content, np.float64)
    if weights.shape != (2, 2 * columns + 2) or not (np.abs(weights) <= _LARGEST).all():
        raise ValueError("unknown columns")
    return weights


def _standards(content: Mapping[str, Any]) -> Standards:
    thresholds = content["thresholds"]
    noted = _number(content["noted"], least=0)
    if noted > 1:
        raise ValueError("more is noted than there is")
    return Standards(
        Thresholds(float(thresholds["cit"]), float(thresholds["cf"])),
        ReferenceThreshold(_number(content["detection"], least=0)),
        noted,
        _number(content["spread"], least=0),
    )


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
