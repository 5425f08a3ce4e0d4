"""The weights of the ensemble, and their file."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

import numpy as np

from locisimiles.classify.calibration import Calibration
from locisimiles.classify.pair_features import PAIR_FEATURES, column_names
from locisimiles.classify.reranking import RERANKING_COLUMNS, Reranking, rerank
from locisimiles.classify.thresholds import ReferenceThreshold, Thresholds
from locisimiles.files.hashing import sha256_of
from locisimiles.files.weights import read_weights, write_weights
from locisimiles.late.pieces import PieceWeights
from locisimiles.retrieve.combined.priors import AuthorPriors

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

__all__ = ["EnsembleWeights", "PairModel"]

_FORMAT = 3
_LARGEST = 1e6  # products of larger weights overflow


@dataclass(frozen=True, slots=True, eq=False)
class PairModel:
    """A logistic regression over the features of pairs, with or without priors.

    Attributes
    ----------
    weights
        A row for *cit.* and one for *cf.*; a column per expanded feature, and the intercept.
    calibration
        The calibration of its probabilities.
    reranking
        How to combine them with those of a cross-encoder; None if not learnt.
    """

    weights: NDArray[np.float64]
    calibration: Calibration
    reranking: Reranking | None = None

    def final(
        self, first: NDArray[np.float64], second: NDArray[np.float64] | None, sources: int
    ) -> NDArray[np.float64]:
        """Return calibrated probabilities.

        `first` are the probabilities by the weights, `second` those by a cross-encoder: NaN for
        pairs it did not judge, None without a cross-encoder.
        """
        if second is None or self.reranking is None:
            return self.calibration.applied(first)
        reranked = rerank(first, second, sources, self.reranking.weights)
        return self.reranking.calibration.applied(reranked)


@dataclass(frozen=True, slots=True, eq=False)
class EnsembleWeights:
    """Everything the ensemble has learnt.

    Attributes
    ----------
    with_priors, without_priors
        The models for authors with priors, and for others.
    priors
        The author priors.
    pieces
        The weights of pieces in late interaction.
    encoder_sha256, cross_encoder_sha256
        The encoder and cross-encoder they were learnt with; empty if they fit any.
    """

    with_priors: PairModel
    without_priors: PairModel
    priors: AuthorPriors
    pieces: PieceWeights
    encoder_sha256: str = ""
    cross_encoder_sha256: str = ""

    def model(self, *, priors: bool) -> PairModel:
        """Return the model with or without priors."""
        return self.with_priors if priors else self.without_priors

    @property
    def reranks(self) -> bool:
        """Whether the weight of a cross-encoder was learnt."""
        models = self.with_priors, self.without_priors
        return any(model.reranking is not None for model in models)

    def fingerprint(self) -> str:
        """Return the SHA-256 of all weights."""
        return sha256_of(self.text())

    def save(self, path: Path) -> None:
        """Write the weights to a file."""
        write_weights(path, self.text())

    @classmethod
    def load(cls, path: Path) -> EnsembleWeights:
        """Read weights that `save` wrote.

        Raises
        ------
        MalformedInputError
            If the file holds something else.
        """
        return read_weights(path, _from_text, command="train classifier")

    @staticmethod
    @cache
    def shipped() -> EnsembleWeights:
        """Return the weights that come with the package."""
        file = resources.files("locisimiles.classify") / "data" / "ensemble.json"
        return _from_text(file.read_text(encoding="utf-8"))

    def text(self) -> str:
        """Return the content of the file, a line per part, to keep diffs readable."""
        content = {
            "format": _FORMAT,
            "encoder_sha256": self.encoder_sha256,
            "cross_encoder_sha256": self.cross_encoder_sha256,
            "columns": list(PAIR_FEATURES),
            "with_priors": _model_content(self.with_priors),
            "without_priors": _model_content(self.without_priors),
            "priors": {"authors": self.priors.authors, "works": self.priors.works},
            "pieces": {"segments": self.pieces.segments, "counts": self.pieces.counts.tolist()},
        }
        lines = [
            f" {json.dumps(name)}: {json.dumps(part, ensure_ascii=False)}"
            for name, part in content.items()
        ]
        return "{\n" + ",\n".join(lines) + "\n}\n"


def _model_content(model: PairModel) -> dict[str, object]:
    second = model.reranking
    return {
        **_calibrated_content(model.weights, model.calibration),
        "reranking": second and _calibrated_content(second.weights, second.calibration),
    }


def _calibrated_content(
    weights: NDArray[np.float64], calibration: Calibration
) -> dict[str, object]:
    thresholds, detection = calibration.thresholds, calibration.detection
    if thresholds is None or detection is None:
        raise ValueError("a calibration without thresholds cannot be written")
    return {
        "weights": [[float(f"{value:.6g}") for value in row] for row in weights],
        "thresholds": {"cit": thresholds.cit, "cf": thresholds.cf},
        "detection": round(detection.least, 6),
        "coverage": round(calibration.coverage, 6),
        "spread": round(calibration.spread, 4),
    }


def _from_text(text: str) -> EnsembleWeights:
    content = json.loads(text)
    if content["format"] != _FORMAT or tuple(content["columns"]) != PAIR_FEATURES:
        raise ValueError("unknown format")
    return EnsembleWeights(
        _model(content["with_priors"], len(column_names(priors=True))),
        _model(content["without_priors"], len(column_names(priors=False))),
        AuthorPriors(*(_ratios(content["priors"][kind]) for kind in ("authors", "works"))),
        _pieces(content["pieces"]["counts"], int(content["pieces"]["segments"])),
        str(content["encoder_sha256"]),
        str(content["cross_encoder_sha256"]),
    )


def _model(content: Mapping[str, Any], columns: int) -> PairModel:
    reranking, second = None, content["reranking"]
    if second is not None:
        reranking = Reranking(_weights(second["weights"], RERANKING_COLUMNS), _calibration(second))
    return PairModel(_weights(content["weights"], columns), _calibration(content), reranking)


def _weights(content: Sequence[Sequence[float]], columns: int) -> NDArray[np.float64]:
    weights = np.array(content, np.float64)
    if weights.shape != (2, 2 * columns + 2) or not (np.abs(weights) <= _LARGEST).all():
        raise ValueError("unknown columns")
    return weights


def _calibration(content: Mapping[str, Any]) -> Calibration:
    thresholds = content["thresholds"]
    coverage = _number(content["coverage"], least=0)
    if coverage > 1:
        raise ValueError("coverage is above 1")
    return Calibration(
        Thresholds(float(thresholds["cit"]), float(thresholds["cf"])),
        ReferenceThreshold(_number(content["detection"], least=0)),
        coverage,
        _number(content["spread"], least=0),
    )


def _ratios(content: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, float]]:
    return {
        str(author): {str(name): _number(value) for name, value in ratios.items()}
        for author, ratios in content.items()
    }


def _number(value: object, least: float = -_LARGEST) -> float:
    if not isinstance(value, int | float) or not least <= value <= _LARGEST:
        raise ValueError("not a number")
    return float(value)


def _pieces(numbers: Sequence[int], segments: int) -> PieceWeights:
    counts = np.array(numbers, np.int64)
    if counts.ndim != 1 or not 0 <= counts.min(initial=0) <= counts.max(initial=0) <= segments:
        raise ValueError("wrong counts of pieces")
    return PieceWeights(counts, segments)
