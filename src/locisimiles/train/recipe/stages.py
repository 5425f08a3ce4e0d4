"""The stages of a recipe, as a TOML file lists them.

A stage is a command of ``locisimiles`` with the files it writes. What it reads follows from its
arguments: every other argument below ``{data}`` (the raw texts) or ``{run}`` (what earlier stages
wrote). Models of the package that it reads besides are listed as ``uses``.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from locisimiles.errors import MalformedInputError, ParameterError
from locisimiles.files.hashing import sha256_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["DATA", "PACKAGE", "RUN", "Figure", "Output", "Recipe", "Stage"]

DATA, RUN = "{data}", "{run}"
PACKAGE = Path(str(files("locisimiles")))
_STAGE_ENTRIES = {"name", "command", "uses", "outputs", "figures", "gpu"}


@dataclass(frozen=True, slots=True)
class Output:
    """A file that a stage writes.

    Attributes
    ----------
    file
        Its path in the folder of the run.
    shipped
        Its path in the package; None if it is no model that ships.
    """

    file: str
    shipped: str | None = None


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure that a stage reports, and how far two runs may differ in it.

    Attributes
    ----------
    name
        What is measured.
    pattern
        A regular expression whose first group finds the number in what the stage prints.
    tolerance
        The largest difference between two runs that agree.
    """

    name: str
    pattern: str
    tolerance: float = 0.0

    def find(self, lines: Sequence[str]) -> float | None:
        """Return the figure in the lines that a stage printed; the last one counts.

        Examples
        --------
        >>> Figure("loss", r"loss ([0-9.]+)").find(["loss 3.1", "held out: loss 2.73, accuracy"])
        2.73
        """
        found = [match for line in lines for match in re.findall(self.pattern, line)]
        return float(found[-1].replace(",", "")) if found else None


@dataclass(frozen=True, slots=True)
class Stage:
    """A command, what it reads and what it writes.

    Attributes
    ----------
    name
        What the stage is called.
    command
        The arguments of ``locisimiles``, with ``{data}`` and ``{run}`` in place of folders.
    outputs, figures
        The files it writes and the figures it prints.
    uses
        Files of the package that it reads.
    gpu
        Whether it takes hours without a GPU.
    """

    name: str
    command: tuple[str, ...]
    outputs: tuple[Output, ...]
    figures: tuple[Figure, ...] = ()
    uses: tuple[str, ...] = ()
    gpu: bool = False

    @property
    def inputs(self) -> tuple[str, ...]:
        """The arguments that name what the stage reads."""
        written = {f"{RUN}/{output.file}" for output in self.outputs}
        return tuple(
            argument
            for argument in self.command
            if argument.startswith((f"{DATA}/", f"{RUN}/"))
            and argument not in written
            and not any(path.startswith(f"{argument}/") for path in written)
        )

    def arguments(self, data: Path, run: Path) -> list[str]:
        """Return the arguments of the command, with the folders in their places."""
        return [part.replace(DATA, str(data)).replace(RUN, str(run)) for part in self.command]


@dataclass(frozen=True, slots=True)
class Recipe:
    """Stages in their order, and the SHA-256 of the file that lists them."""

    stages: tuple[Stage, ...]
    sha256: str

    @classmethod
    def shipped(cls) -> Recipe:
        """Return the recipe of the models in the package."""
        return cls.read(PACKAGE / "train" / "data" / "shipped.toml")

    @classmethod
    def read(cls, path: Path) -> Recipe:
        """Read a recipe.

        Raises
        ------
        MalformedInputError
            If the file is not TOML, lacks entries, or a stage reads what only a later one writes.
        """
        try:
            content = path.read_text(encoding="utf-8")
            stages = tuple(map(_read_stage, tomllib.loads(content)["stage"]))
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise MalformedInputError(
                "train.bad_recipe", file=str(path), reason=str(error)
            ) from error
        _check_order(stages, path)
        return cls(stages, sha256_of(content))

    def stage(self, name: str) -> Stage:
        """Return a stage by name; a ParameterError lists the names there are."""
        for stage in self.stages:
            if stage.name == name:
                return stage
        names = ", ".join(stage.name for stage in self.stages)
        raise ParameterError("train.unknown_stage", name=name, names=names)


def _read_stage(entry: Mapping[str, Any]) -> Stage:
    unknown = set(entry) - _STAGE_ENTRIES
    if unknown:
        raise ValueError(f"unknown entries: {', '.join(sorted(unknown))}")
    return Stage(
        name=entry["name"],
        command=tuple(entry["command"]),
        outputs=tuple(Output(**output) for output in entry["outputs"]),
        figures=tuple(Figure(**figure) for figure in entry.get("figures", ())),
        uses=tuple(entry.get("uses", ())),
        gpu=bool(entry.get("gpu", False)),
    )


def _check_order(stages: Sequence[Stage], path: Path) -> None:
    written: set[str] = set()
    names: set[str] = set()
    for stage in stages:
        for read in stage.inputs:
            known = any(place == read or place.startswith(f"{read}/") for place in written)
            if read.startswith(f"{RUN}/") and not known:
                reason = f"{stage.name} reads {read}, which no earlier stage writes"
                raise MalformedInputError("train.bad_recipe", file=str(path), reason=reason)
        if stage.name in names:
            reason = f"two stages are called {stage.name}"
            raise MalformedInputError("train.bad_recipe", file=str(path), reason=reason)
        names.add(stage.name)
        written |= {f"{RUN}/{output.file}" for output in stage.outputs}
