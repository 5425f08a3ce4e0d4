"""The weights of the combined search: learnt once, shipped as a file."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

from locisimiles.files.hashing import sha256_of
from locisimiles.files.weights import read_weights, write_weights
from locisimiles.late.scoring import VIEWS
from locisimiles.retrieve.combined.priors import PRIOR_COLUMNS, AuthorPriors
from locisimiles.retrieve.combined.ranker import Ranker

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

__all__ = ["CHANNELS", "SECOND_STAGE", "CombinedWeights", "StageWeights"]

_FORMAT = 2
CHANNELS = ("lemmas", "rules", "word_vectors", "late")
"""The features of the first stage: the standardised scores of the four retrievers."""
SECOND_STAGE = (*CHANNELS, *VIEWS, "length")
"""The features of the second stage."""


@dataclass(frozen=True, slots=True)
class StageWeights:
    """The weights of features in the two stages, with or without priors.

    Attributes
    ----------
    first
        Of the first stage, which chooses the candidates of the second.
    second
        The ranker of the second stage.
    """

    first: Mapping[str, float]
    second: Ranker


@dataclass(frozen=True, slots=True)
class CombinedWeights:
    """All that the combined search has learnt.

    Attributes
    ----------
    with_priors, without_priors
        The weights for authors with priors, and for others.
    priors
        The author priors.
    encoder_sha256
        The encoder they were learnt with; empty if they fit any, as untrained weights do.
    """

    with_priors: StageWeights
    without_priors: StageWeights
    priors: AuthorPriors
    encoder_sha256: str = ""

    def stages(self, *, priors: bool) -> StageWeights:
        """Return the weights with or without priors."""
        return self.with_priors if priors else self.without_priors

    def fingerprint(self) -> str:
        """Return the SHA-256 of all weights."""
        return sha256_of(self._text())

    def save(self, path: Path) -> None:
        """Write the weights to a file."""
        write_weights(path, self._text())

    @classmethod
    def load(cls, path: Path) -> CombinedWeights:
        """Read weights that `save` wrote.

        Raises
        ------
        MalformedInputError
            If the file holds something else.
        """
        return read_weights(path, cls._from_text, command="train default")

    @classmethod
    def shipped(cls) -> CombinedWeights:
        """Return the weights that come with the package."""
        return _shipped()

    @classmethod
    def _from_text(cls, text: str) -> CombinedWeights:
        content = json.loads(text)
        if content["format"] != _FORMAT:
            raise ValueError("unknown format")
        return cls(
            _stages(content["with_priors"], PRIOR_COLUMNS),
            _stages(content["without_priors"], ()),
            AuthorPriors(*(_ratios(content["priors"][kind]) for kind in ("authors", "works"))),
            str(content["encoder_sha256"]),
        )

    def _text(self) -> str:
        content = {
            "format": _FORMAT,
            "encoder_sha256": self.encoder_sha256,
            **{
                name: {"first": dict(stages.first), "second": stages.second.as_dict()}
                for name, stages in (
                    ("with_priors", self.with_priors),
                    ("without_priors", self.without_priors),
                )
            },
            "priors": {"authors": self.priors.authors, "works": self.priors.works},
        }
        return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def _stages(content: Mapping[str, Mapping[str, object]], priors: tuple[str, ...]) -> StageWeights:
    stages = StageWeights(
        first={name: _number(content["first"][name]) for name in (*CHANNELS, *priors)},
        second=Ranker.from_dict(content["second"]),  # type: ignore[arg-type]
    )
    if stages.second.names != (*SECOND_STAGE, *priors):
        raise ValueError("unknown columns")
    return stages


def _number(value: object) -> float:
    if not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError("a weight is no number")
    return float(value)


def _ratios(content: Mapping[str, Mapping[str, object]]) -> dict[str, dict[str, float]]:
    return {
        author: {name: _number(value) for name, value in ratios.items()}
        for author, ratios in content.items()
    }


@cache
def _shipped() -> CombinedWeights:
    path = resources.files("locisimiles.retrieve.combined") / "data" / "default.json"
    return CombinedWeights._from_text(path.read_text(encoding="utf-8"))  # noqa: SLF001 - our own
