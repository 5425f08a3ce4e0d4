"""Run the stages of a recipe in a folder; what is done already is not done again."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from dataclasses import dataclass, field
from enum import Enum
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

from locisimiles.errors import InputError, OutputError
from locisimiles.files.writing import atomic_binary, make_folder
from locisimiles.train.recipe.manifest import (
    StageRecord,
    path_sha256,
    read_manifest,
    record_key,
    write_manifest,
)
from locisimiles.train.recipe.stages import DATA, PACKAGE, RUN, Stage

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from locisimiles.train.recipe.stages import Recipe

__all__ = ["RecipeRun", "State", "run_program"]

_LIBRARIES = ("locisimiles", "numpy", "onnxruntime", "tokenizers", "torch", "gensim", "simplemma")


class State(Enum):
    """How far a stage is."""

    DONE = "done"
    OUTDATED = "outdated"
    TO_DO = "to do"


@dataclass(slots=True)
class RecipeRun:
    """A run of a recipe: the raw texts, the folder it writes to, and its manifest.

    Parameters
    ----------
    recipe
        The stages.
    data
        The folder of the raw texts.
    folder
        The folder of the run; `manifest.MANIFEST` in it records finished stages.
    """

    recipe: Recipe
    data: Path
    folder: Path
    records: dict[str, StageRecord] = field(init=False)
    _hashes: dict[tuple[str, float, int], str] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.records = read_manifest(self.folder)

    def state(self, stage: Stage) -> State:
        """Return whether a stage is done, and whether that still holds.

        It is outdated if its command, what it reads or what it wrote has changed since.
        """
        record = self.records.get(stage.name)
        if record is None:
            return State.TO_DO
        try:
            same = record.key == self._key(stage) and record.outputs == self._outputs(stage)
        except InputError:
            same = False
        return State.DONE if same else State.OUTDATED

    def run_stage(
        self,
        stage: Stage,
        *,
        program: Callable[[Sequence[str]], Sequence[str]] | None = None,
    ) -> bool:
        """Run a stage and record it; return False if it wants to be resumed.

        `program` runs ``locisimiles`` with arguments and returns the lines it printed; by default
        in a process of its own.

        Raises
        ------
        InputError
            If something that the stage reads is missing, or the command fails.
        """
        make_folder(self.folder)
        inputs, uses = self._inputs(stage), self._uses(stage)
        start = time.monotonic()
        arguments = stage.arguments(self.data, self.folder)
        lines = (program or run_program)(arguments)
        missing = [one for one in stage.outputs if not (self.folder / one.file).exists()]
        if missing:
            return False
        found = {figure.name: figure.find(lines) for figure in stage.figures}
        self.records[stage.name] = StageRecord(
            command=stage.command,
            inputs=inputs,
            uses=uses,
            outputs=self._outputs(stage),
            figures={name: value for name, value in found.items() if value is not None},
            seconds=round(time.monotonic() - start, 1),
            gpu=_gpu() if stage.gpu else None,
            versions=_versions(),
        )
        write_manifest(self.folder, self.recipe.sha256, self.records)
        return True

    def install(self, stage: Stage, package: Path = PACKAGE) -> list[str]:
        """Copy what a stage wrote over the files of the package; return those that changed."""
        changed = []
        for output in stage.outputs:
            if output.shipped is None:
                continue
            new, place = self.folder / output.file, package / output.shipped
            if place.exists() and path_sha256(place) == path_sha256(new):
                continue
            make_folder(place.parent)
            try:
                with new.open("rb") as stream, atomic_binary(place) as copy:
                    shutil.copyfileobj(stream, copy)
            except OSError as error:
                reason = error.strerror or str(error)
                raise OutputError("files.unwritable", path=str(place), reason=reason) from error
            changed.append(output.shipped)
        return changed

    def _key(self, stage: Stage) -> str:
        return record_key(stage.command, self._inputs(stage), self._uses(stage))

    def _inputs(self, stage: Stage) -> dict[str, str]:
        return {name: self._sha256(self._place(name)) for name in stage.inputs}

    def _uses(self, stage: Stage) -> dict[str, str]:
        return {name: self._sha256(PACKAGE / name) for name in stage.uses}

    def _outputs(self, stage: Stage) -> dict[str, str]:
        return {one.file: self._sha256(self.folder / one.file) for one in stage.outputs}

    def _place(self, name: str) -> Path:
        if name.startswith(f"{DATA}/"):
            return self.data / name.removeprefix(f"{DATA}/")
        return self.folder / name.removeprefix(f"{RUN}/")

    def _sha256(self, path: Path) -> str:
        if path.is_dir():
            return path_sha256(path)
        try:
            status = path.stat()
        except OSError as error:
            raise InputError("files.unreadable", file=str(path), reason=error.strerror) from error
        known = (str(path), status.st_mtime, status.st_size)
        if known not in self._hashes:
            self._hashes[known] = path_sha256(path)
        return self._hashes[known]


def run_program(arguments: Sequence[str]) -> list[str]:
    """Run ``locisimiles`` in a process of its own; pass on and return what it prints.

    Raises
    ------
    InputError
        If it fails.
    """
    lines = []
    with subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, "-m", "locisimiles", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
    ) as process:
        assert process.stdout is not None  # noqa: S101 - for the type checker
        for line in process.stdout:
            sys.stderr.write(line)
            sys.stderr.flush()
            lines.append(line.rstrip("\n"))
    if process.returncode:
        command = " ".join(["locisimiles", *arguments[:2]])
        raise InputError("train.stage_failed", command=command, code=process.returncode)
    return lines


def _versions() -> dict[str, str]:
    found = {}
    for name in _LIBRARIES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def _gpu() -> str | None:
    try:
        import torch
    except ImportError:
        return None
    return str(torch.cuda.get_device_name()) if torch.cuda.is_available() else None
