"""Texts that users give: files of any format, texts of the library, the example."""

from __future__ import annotations

import json
import tempfile
from dataclasses import asdict
from pathlib import Path, PureWindowsPath
from typing import TYPE_CHECKING

from locisimiles.app.projects.project import SIDES, Input
from locisimiles.corpus import Document, ReadOptions
from locisimiles.corpus.library import Library
from locisimiles.errors import InputError, LocisimilesError, ParameterError, UnsafeInputError
from locisimiles.examples import example_path

if TYPE_CHECKING:
    from collections.abc import Sequence

    from locisimiles.app.projects.project import Project, Side

__all__ = [
    "LARGEST_FILE",
    "LARGEST_SIDE",
    "add_file",
    "add_library_text",
    "installed_texts",
    "reading_options",
    "remove_input",
    "set_reading_options",
    "use_example",
]

LARGEST_FILE = 64 * 1024**2
"""How many bytes one file may have."""
LARGEST_SIDE = 256 * 1024**2
"""How many bytes all files of one side may have."""
_MOST_INPUTS = 1000
_LONGEST_NAME = 150


def add_file(project: Project, side: Side, name: str, content: bytes) -> None:
    """Add a file to one side of a project; one of the same name is replaced.

    Raises
    ------
    InputError
        If it is too large or cannot be read; then the project stays as it was.
    """
    name = _plain_name(name)
    if len(content) > LARGEST_FILE:
        raise UnsafeInputError(
            f"the file has more than {LARGEST_FILE // 1024**2} MB", file=name, hint="split it"
        )
    others = [one for one in project.inputs(side) if one.name != name]
    if sum(len(one.content) for one in others) + len(content) > LARGEST_SIDE:
        raise UnsafeInputError(
            f"all files together have more than {LARGEST_SIDE // 1024**2} MB", file=name
        )
    if len(others) >= _MOST_INPUTS:
        raise UnsafeInputError(f"there are more than {_MOST_INPUTS} files", file=name)
    _keep(project, side, [*others, Input("file", name, content)])


def add_library_text(project: Project, side: Side, name: str) -> None:
    """Add a text of the library that is on this machine.

    Raises
    ------
    LocisimilesError
        If there is no such text here.
    """
    Library().files(name)
    others = [one for one in project.inputs(side) if one.name != name]
    _keep(project, side, [*others, Input("library", name)])


def remove_input(project: Project, side: Side, name: str) -> None:
    """Take an input away from one side of a project."""
    _keep(project, side, [one for one in project.inputs(side) if one.name != name])


def use_example(project: Project) -> None:
    """Fill both sides with the example texts."""
    for side in SIDES:
        path = example_path(f"{side}.csv")
        _keep(project, side, [Input("file", f"example-{side}.csv", path.read_bytes())])


def installed_texts() -> list[tuple[str, str]]:
    """Return name and title of the texts that are on this machine."""
    library = Library()
    return sorted(
        (
            f"{text.work.name}@{text.source}",
            f"{text.work.author}, {text.work.title} ({text.source})",
        )
        for text in library.catalogue
        if library.is_installed(text)
    )


def reading_options(project: Project) -> ReadOptions:
    """Return how the texts of a project are read."""
    stored = json.loads(project.setting("reading") or "{}")
    if "cut" in stored:  # its name in projects of earlier versions
        stored["segmentation"] = stored.pop("cut")
    return ReadOptions(**stored)


def set_reading_options(project: Project, options: ReadOptions) -> None:
    """Read all texts of a project in another way."""
    before = project.setting("reading")
    project.set_setting("reading", json.dumps(asdict(options)))
    try:
        for side in SIDES:
            _keep(project, side, project.inputs(side))
    except LocisimilesError:
        project.set_setting("reading", before)
        raise


def _keep(project: Project, side: Side, inputs: Sequence[Input]) -> None:
    if not inputs:
        project.set_texts(side, (), None)
        return
    document, remarks = _read(inputs, reading_options(project))
    project.set_texts(side, inputs, document, remarks)


def _read(inputs: Sequence[Input], options: ReadOptions) -> tuple[Document, list[str]]:
    """Read inputs; what is said about them names files as users know them, no folder of ours."""
    with tempfile.TemporaryDirectory() as folder:
        paths: list[Path] = []
        for one in inputs:
            if one.kind == "library":
                paths += Library().files(one.name)
                continue
            path = Path(folder) / one.name
            path.write_bytes(one.content)
            paths.append(path)
        folders = [folder, str(Library().root)]
        try:
            document = Document(*paths, options=options)
        except InputError as error:
            error.change_words(lambda words: _without(folders, words))
            raise
        return document, [_without(folders, line) for line in document.report.messages()]


def _without(folders: Sequence[str], message: str) -> str:
    for folder in folders:
        message = message.replace(f"{folder}/", "").replace(f"{folder}\\", "")
    return message


def _plain_name(name: str) -> str:
    """Return the last part of a name that a browser sent, whatever system it comes from."""
    plain = PureWindowsPath(name).name.strip()
    plain = "".join(letter for letter in plain if letter.isprintable())
    if not plain or plain in (".", "..") or plain.startswith("."):
        raise ParameterError("the file has no name that we can use", hint="rename it")
    if len(plain) > _LONGEST_NAME:
        stem, dot, suffix = plain.rpartition(".")
        plain = f"{stem[: _LONGEST_NAME - 20]}{dot}{suffix[:19]}"
    return plain
