"""Model cards from the manifest of a run: facts only; what a model is for stands in its README."""

from __future__ import annotations

from typing import TYPE_CHECKING

from locisimiles.train.recipe.manifest import read_manifest

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from locisimiles.train.recipe.manifest import StageRecord
    from locisimiles.train.recipe.stages import Recipe, Stage

__all__ = ["model_card"]

_SHORT = 16


def model_card(recipe: Recipe, folder: Path) -> str:
    """Return how the models of a run were made, in Markdown: one section for each stage."""
    records = read_manifest(folder)
    sections = [
        "\n".join(_section(stage, records[stage.name], folder))
        for stage in recipe.stages
        if stage.name in records
    ]
    return "\n\n".join(["# How these models were made", *sections]) + "\n"


def _section(stage: Stage, record: StageRecord, folder: Path) -> Iterator[str]:
    yield f"## {stage.name}\n"
    yield f"```\nlocisimiles {' '.join(record.command)}\n```\n"
    machine = record.gpu or "CPU"
    yield f"{record.seconds:,.0f} seconds on {machine}; {_named(record.versions)}.\n"
    if record.figures:
        yield "| figure | value |\n|---|---|"
        yield from (f"| {name} | {value:g} |" for name, value in record.figures.items())
        yield ""
    yield "| | file | bytes | SHA-256 |\n|---|---|---|---|"
    for name, sha256 in {**record.inputs, **record.uses}.items():
        yield f"| read | `{name}` | | `{sha256[:_SHORT]}…` |"
    for name, sha256 in record.outputs.items():
        place = folder / name
        size = f"{place.stat().st_size:,}" if place.is_file() else ""
        yield f"| written | `{name}` | {size} | `{sha256}` |"


def _named(versions: Mapping[str, str]) -> str:
    return ", ".join(f"{name} {version}" for name, version in versions.items())
