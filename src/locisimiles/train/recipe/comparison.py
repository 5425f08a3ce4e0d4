"""Compare two runs of a recipe: same bytes, or figures that agree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from locisimiles.train.recipe.manifest import read_manifest

if TYPE_CHECKING:
    from pathlib import Path

    from locisimiles.train.recipe.stages import Recipe

__all__ = ["Difference", "compare_runs"]


@dataclass(frozen=True, slots=True)
class Difference:
    """How a stage of two runs compares.

    Attributes
    ----------
    stage
        The stage.
    what
        An output or a figure.
    first, second
        Its SHA-256 or its value in both runs; None where it is missing.
    agrees
        Whether bytes are equal, or figures within the tolerance. Files of a stage with figures may
        differ: networks that are trained twice never have the same bits on a GPU.
    """

    stage: str
    what: str
    first: str | float | None
    second: str | float | None
    agrees: bool


def compare_runs(recipe: Recipe, first: Path, second: Path) -> list[Difference]:
    """Compare the stages that either of two runs has finished, output by output."""
    one, other = read_manifest(first), read_manifest(second)
    rows = []
    for stage in recipe.stages:
        if stage.name not in one and stage.name not in other:
            continue
        mine, theirs = one.get(stage.name), other.get(stage.name)
        for output in stage.outputs:
            left = mine.outputs.get(output.file) if mine else None
            right = theirs.outputs.get(output.file) if theirs else None
            both = left is not None and right is not None
            agrees = both and (left == right or bool(stage.figures))
            rows.append(Difference(stage.name, output.file, left, right, agrees))
        for figure in stage.figures:
            values = [run.figures.get(figure.name) if run else None for run in (mine, theirs)]
            a, b = values
            close = a is not None and b is not None and abs(a - b) <= figure.tolerance
            rows.append(Difference(stage.name, figure.name, a, b, close))
    return rows
