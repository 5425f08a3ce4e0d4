"""Inputs of a project: files of any format, texts of the library, the example."""

from __future__ import annotations

import json
import re
import tempfile
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path, PureWindowsPath
from typing import TYPE_CHECKING

from locisimiles.app.projects.facts import TextFacts, facts_of, keep_facts, with_facts
from locisimiles.app.projects.library_list import edition_name
from locisimiles.app.projects.project import SIDES, Input
from locisimiles.app.storage.stored_values import stored_value
from locisimiles.corpus import Document, ReadOptions
from locisimiles.corpus.library import Library
from locisimiles.errors import (
    DatabaseError,
    InputError,
    LocisimilesError,
    ParameterError,
    UnsafeInputError,
)
from locisimiles.examples import example_path
from locisimiles.files.confined import confined
from locisimiles.files.limits import VARIABLE, Limits, current_limits
from locisimiles.files.raw import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from locisimiles.app.projects.project import Project, Side
    from locisimiles.messages import Message

__all__ = [
    "LARGEST_FILE",
    "LARGEST_SIDE",
    "add_file",
    "add_library_texts",
    "paste_text",
    "reading_options",
    "remove_input",
    "set_facts",
    "set_reading_options",
    "use_example",
]

LARGEST_FILE = 64 * 1024**2
"""Maximum size of a file, in bytes."""
LARGEST_SIDE = 256 * 1024**2
"""Maximum size of all files of a side, in bytes."""
# A server has many users: a text of the largest side, with some columns, and nothing beyond.
_LIMITS = Limits(
    bytes=LARGEST_SIDE, unpacked=LARGEST_SIDE, cells=2 * 10**6, letters=10**6, seconds=120
)
_MOST_INPUTS = 1000
_ATTEMPTS = 5
_LONGEST_NAME = 150
_LONGEST_TITLE = 100


def add_file(
    project: Project, side: Side, name: str, content: bytes, facts: TextFacts | None = None
) -> None:
    """Add a file to one side, and what is known about it; one of the same name is replaced.

    If the file is too large or cannot be read, the project is unchanged.
    """
    name = _plain_name(name)
    if len(content) > LARGEST_FILE:
        size, most = (size // 1024**2 for size in (len(content), LARGEST_FILE))
        raise UnsafeInputError(
            "files.too_large", file=name, size=size, most=most, variable=VARIABLE
        )

    def added(inputs: list[Input]) -> list[Input]:
        others = _without(inputs, name)
        if sum(len(one.content) for one in others) + len(content) > LARGEST_SIDE:
            raise UnsafeInputError("app.texts_too_large", file=name, most=LARGEST_SIDE // 1024**2)
        if len(others) >= _MOST_INPUTS:
            raise UnsafeInputError("app.too_many_files", file=name, most=_MOST_INPUTS)
        return [*others, Input("file", name, content)]

    _change(project, side, added, {} if facts is None else {name: facts.tidied()})


def paste_text(project: Project, side: Side, text: str, facts: TextFacts, title: str) -> None:
    """Add a text that a user pasted; it is called by author and work, or else by `title`."""
    called = ", ".join(filter(None, (facts.author, facts.work))) or title
    plain = " ".join(re.sub(r"[\\/:]", " ", called).split()).strip(".")[:_LONGEST_TITLE] or title
    taken = {one.name for one in project.texts.inputs(side, contents=False)}
    numbers = ("", *(f" {number}" for number in range(2, _MOST_INPUTS + 2)))
    name = next(name for n in numbers if (name := f"{plain}{n}.txt") not in taken)
    add_file(project, side, name, text.encode("utf-8", "replace"), facts)


def set_facts(project: Project, side: Side, name: str, facts: TextFacts) -> None:
    """Change what is known about a file, and read the texts of its side again if it is new."""
    facts = facts.tidied()
    if facts_of(project, side).get(name, TextFacts()) != facts:
        _change(project, side, list, {name: facts})


def add_library_texts(project: Project, side: Side, names: Sequence[str]) -> int:
    """Add installed texts of the library, and read the side once; return how many are new.

    A name may stand for several texts, as in `Catalogue.find`.
    """
    library = Library()
    texts = {edition_name(text): text for name in names for text in library.catalogue.find(name)}
    for name in texts:
        library.files(name)  # raises unless it is installed
    count = 0

    def added(inputs: list[Input]) -> list[Input]:
        nonlocal count
        named = [one.name for one in inputs if one.kind == "library"]
        # In projects of earlier versions, one name may stand for several texts.
        there = {edition_name(text) for name in named for text in library.catalogue.find(name)}
        new = [Input("library", name) for name in texts if name not in there]
        count = len(new)
        if len(inputs) + count > _MOST_INPUTS:
            raise UnsafeInputError("app.too_many_files", file=new[-1].name, most=_MOST_INPUTS)
        return [*inputs, *new]

    _change(project, side, added)
    return count


def remove_input(project: Project, side: Side, name: str) -> None:
    """Remove an input from one side of a project."""
    _change(project, side, lambda inputs: _without(inputs, name))


def use_example(project: Project) -> None:
    """Fill both sides with the example texts."""
    for side in SIDES:
        content = example_path(f"{side}.csv").read_bytes()
        example = [Input("file", f"example-{side}.csv", content)]
        _change(project, side, partial(_replaced, example))


def reading_options(project: Project) -> ReadOptions:
    """Return the options that the texts of a project are read with."""
    with stored_value("reading"):
        stored = json.loads(project.setting("reading") or "{}")
        if "cut" in stored:  # its name in projects of earlier versions
            stored["segmentation"] = stored.pop("cut")
        return ReadOptions(**stored)


def set_reading_options(project: Project, options: ReadOptions) -> None:
    """Read all texts of a project again, with other options."""
    before = project.setting("reading")
    project.set_setting("reading", json.dumps(asdict(options)))
    try:
        for side in SIDES:
            _change(project, side, list, again=True)
    except LocisimilesError:
        project.set_setting("reading", before)
        raise


def _replaced(inputs: list[Input], _: list[Input]) -> list[Input]:
    return inputs


def _without(inputs: Sequence[Input], name: str) -> list[Input]:
    return [one for one in inputs if one.name != name]


def _change(
    project: Project,
    side: Side,
    change: Callable[[list[Input]], list[Input]],
    facts: Mapping[str, TextFacts] | None = None,
    *,
    again: bool = False,
) -> None:
    """Change the inputs of a side and what is known about them, and read them once.

    Nothing is read if nothing changes, unless it is to be read `again`. If somebody else changes
    the side meanwhile, their change is kept, and this one made again upon it.
    """
    for _ in range(_ATTEMPTS):
        revision, before = project.texts.revision(side), project.texts.inputs(side)
        inputs = change(before)
        if inputs == before and not facts and not again:
            return
        names = {one.name for one in inputs}
        known = {**facts_of(project, side), **(facts or {})}
        known = {name: one for name, one in known.items() if name in names}
        document, remarks = _read(inputs, reading_options(project), known)
        if project.set_texts(side, inputs, document, remarks, revision):
            keep_facts(project, side, known)
            return
    raise DatabaseError("app.database_busy")


def _read(
    inputs: Sequence[Input], options: ReadOptions, facts: Mapping[str, TextFacts]
) -> tuple[Document | None, list[Message]]:
    """Read inputs; remarks and errors name files as users do, without folders of the server."""
    if not inputs:
        return None, []
    with tempfile.TemporaryDirectory() as folder:
        paths: list[Path] = []
        for one in inputs:
            if one.kind == "library":
                paths += Library().files(one.name)
                continue
            path = Path(folder) / _stored_name(one.name)
            path.write_bytes(one.content)
            paths.append(path)

        def without_folders(words: str) -> str:
            for one in (folder, str(Library().root)):
                words = words.replace(f"{one}/", "").replace(f"{one}\\", "")
            return words

        try:
            limits = replace(_LIMITS, memory=current_limits().memory)
            file = paths[-1].name
            document = confined(Document, *paths, options=options, limits=limits, file=file)
        except InputError as error:
            error.change_words(without_folders)
            raise
        remarks = [one.with_words(without_folders) for one in document.report.remarks()]
        by_path = {str(Path(folder) / name): one for name, one in facts.items()}
        return with_facts(document, by_path), remarks


def _stored_name(name: str) -> str:
    """Return a name from a project, which may be a file of anyone; it must not lead elsewhere."""
    try:
        if _plain_name(name) == name:
            return name
    except ParameterError:
        pass
    raise UnsafeInputError("app.unsafe_name", name=printable(name))


def _plain_name(name: str) -> str:
    """Return the last part of a path that a browser sent, whatever its system."""
    plain = PureWindowsPath(name).name.strip()
    plain = "".join(letter for letter in plain if letter.isprintable())
    if not plain or plain in (".", "..") or plain.startswith("."):
        raise ParameterError("app.unusable_file_name")
    if len(plain) > _LONGEST_NAME:
        stem, dot, suffix = plain.rpartition(".")
        plain = f"{stem[: _LONGEST_NAME - 20]}{dot}{suffix[:19]}"
    return plain
