"""What the parts of the combined search count; learnt once, shipped as a table."""

from __future__ import annotations

import hashlib
import json
import math
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

from locisimiles.errors import MalformedInputError, OutputError
from locisimiles.retrieve.habits import HABITS, Habits
from locisimiles.retrieve.late_scoring import VIEWS
from locisimiles.retrieve.ranker import Ranker

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

__all__ = ["CHANNELS", "FINAL", "FIRST", "CombinedWeights", "RankingWeights"]

_FORMAT = 1
CHANNELS = ("lemmas", "rules", "word_vectors", "late")
FIRST = CHANNELS
FINAL = (*CHANNELS, *VIEWS, "length")


@dataclass(frozen=True, slots=True)
class RankingWeights:
    """What columns count in the two rounds.

    Attributes
    ----------
    first
        In the first round, which chooses who comes into the second: `FIRST`, and `HABITS` if they
        are used.
    final
        What ranks by the columns of the second: `FINAL`, and the same.
    """

    first: Mapping[str, float]
    final: Ranker


@dataclass(frozen=True, slots=True)
class CombinedWeights:
    """What columns count, with and without habits of reading.

    Attributes
    ----------
    with_priors, without_priors
        The two ways of ranking.
    habits
        What is known of authors' reading.
    """

    with_priors: RankingWeights
    without_priors: RankingWeights
    habits: Habits

    def ranking(self, *, priors: bool) -> RankingWeights:
        """Return one of the two ways."""
        return self.with_priors if priors else self.without_priors

    def fingerprint(self) -> str:
        """Return the SHA-256 of all there is."""
        return hashlib.sha256(self._text().encode()).hexdigest()

    def save(self, path: Path) -> None:
        """Write the table.

        Raises
        ------
        OutputError
            If that is not possible.
        """
        try:
            path.write_text(self._text(), encoding="utf-8")
        except OSError as error:
            raise OutputError(f"{path} cannot be written: {error.strerror}") from error

    @classmethod
    def load(cls, path: Path) -> CombinedWeights:
        """Read what `save` wrote.

        Raises
        ------
        MalformedInputError
            If it is something else.
        """
        try:
            return cls._of_text(path.read_text(encoding="utf-8"))
        except _SOMETHING_ELSE as error:
            raise MalformedInputError(
                "this is no table of weights",
                file=str(path),
                hint="make one with: locisimiles train default",
            ) from error

    @classmethod
    def shipped(cls) -> CombinedWeights:
        """Return the weights that come with the package."""
        return _shipped()

    @classmethod
    def _of_text(cls, text: str) -> CombinedWeights:
        content = json.loads(text)
        if content["format"] != _FORMAT:
            raise ValueError("unknown format")
        ways = {}
        for way in ("with_priors", "without_priors"):
            habits = HABITS if way == "with_priors" else ()
            ways[way] = RankingWeights(
                first={name: _number(content[way]["first"][name]) for name in (*FIRST, *habits)},
                final=Ranker.of_dict(content[way]["final"]),
            )
            if ways[way].final.names != (*FINAL, *habits):
                raise ValueError("unknown columns")
        authors, works = (_table(content["habits"][what]) for what in ("authors", "works"))
        return cls(**ways, habits=Habits(authors, works))

    def _text(self) -> str:
        content = {
            "format": _FORMAT,
            **{
                way: {"first": dict(weights.first), "final": weights.final.as_dict()}
                for way, weights in (
                    ("with_priors", self.with_priors),
                    ("without_priors", self.without_priors),
                )
            },
            "habits": {"authors": self.habits.authors, "works": self.habits.works},
        }
        return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


# What a file that is something else may give rise to.
_SOMETHING_ELSE = (
    OSError, ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError,
)  # fmt: skip


def _number(value: object) -> float:
    if not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError("this is no number")
    return float(value)


def _table(content: Mapping[str, Mapping[str, object]]) -> dict[str, dict[str, float]]:
    return {
        reader: {name: _number(value) for name, value in known.items()}
        for reader, known in content.items()
    }


@cache
def _shipped() -> CombinedWeights:
    path = resources.files("locisimiles.retrieve") / "data" / "default.json"
    return CombinedWeights._of_text(path.read_text(encoding="utf-8"))  # noqa: SLF001 - our own
