"""``locisimiles library``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from locisimiles.cli.console import ProgressBar, say, write_line
from locisimiles.cli.tables import print_table
from locisimiles.corpus.library import Library

__all__ = ["library"]

library = typer.Typer(
    help="Install public texts on this machine, to search them by name.", no_args_is_help=True
)


@library.command("list")
def list_texts(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="An author, or a work (author.work).")
    ] = None,
    installed: Annotated[
        bool, typer.Option("--installed", help="Only texts on this machine.")
    ] = False,
    editions: Annotated[
        bool, typer.Option("--editions", help="All editions, not only the preferred ones.")
    ] = False,
) -> None:
    """List the texts: name, author and title, date, genre, edition, whether installed.

    Examples:

    - `locisimiles library list vergil`

    - `locisimiles library list --installed`
    """
    shelf = Library()
    preferred = {text.work.name: text for text in reversed(list(shelf.catalogue))}
    wanted = {text.work.name for text in shelf.catalogue.find(name)} if name else set(preferred)
    rows = []
    for text in shelf.catalogue:
        is_preferred = text == preferred[text.work.name]
        here = shelf.is_installed(text)
        if text.work.name not in wanted or (installed and not here):
            continue
        if is_preferred or editions or here:
            rows.append(
                [
                    text.work.name if is_preferred else f"{text.work.name}@{text.source}",
                    f"{text.work.author}, {text.work.title}",
                    text.work.abbreviation,
                    _year(text.work.year),
                    text.work.genre,
                    text.source,
                    "here" if here else "",
                ]
            )
    print_table(["name", "text", "ids begin", "date", "genre", "edition", ""], rows)


@library.command()
def add(
    names: Annotated[
        list[str],
        typer.Argument(metavar="NAME...", help="Authors or works, as in 'library list'."),
    ],
    mirror: Annotated[
        Path | None,
        typer.Option("--from", metavar="FOLDER", help="Copy the files from a local folder."),
    ] = None,
) -> None:
    """Install texts on this machine.

    Examples:

    - `locisimiles library add vergil ovid.metamorphoses`

    - `locisimiles library add cicero@perseus --from ~/texts`
    """
    shelf = Library()
    for name in names:
        shelf.catalogue.find(name)  # report an unknown name before downloading anything
    with ProgressBar() as progress:
        texts = [t for name in names for t in shelf.add(name, mirror=mirror, progress=progress)]
    size = sum(text.size for text in texts) / 1e6
    say(f"{len(texts)} {'text' if len(texts) == 1 else 'texts'} ({size:.1f} MB) in {shelf.root}")


@library.command()
def path(
    name: Annotated[str | None, typer.Argument(metavar="[NAME]", help="An author or work.")] = None,
) -> None:
    """Print the folder of the library, or the files of one text.

    Examples:

    - `locisimiles library path`

    - `locisimiles library path vergil.aeneid`
    """
    shelf = Library()
    for place in shelf.files(name) if name else [shelf.root]:
        write_line(place)


def _year(year: int) -> str:
    return f"{-year} BC" if year < 0 else f"AD {year}"
