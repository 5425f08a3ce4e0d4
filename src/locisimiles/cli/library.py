"""``locisimiles library``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from locisimiles.cli.console import ProgressBar, say, write_line
from locisimiles.cli.tables import print_table
from locisimiles.corpus.library import Library

if TYPE_CHECKING:
    from locisimiles.corpus.library import Text, Work

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
    preferred: Annotated[
        bool,
        typer.Option(
            "--preferred", help="One line for each work: the edition that its name alone means."
        ),
    ] = False,
) -> None:
    """List the texts: name, author and title, date, genre, edition, whether installed.

    A text is a work in one of its editions. Dates of authors, in brackets, stand for those of
    works that are not known.

    Examples:

    - `locisimiles library list vergil`

    - `locisimiles library list --installed`
    """
    shelf = Library()
    first = {text.work.name: text for text in reversed(list(shelf.catalogue))}
    wanted = {text.work.name for text in shelf.catalogue.find(name)} if name else set(first)
    rows = []
    for text in shelf.catalogue:
        is_first = text == first[text.work.name]
        here = shelf.is_installed(text)
        if text.work.name in wanted and (here or not installed) and (is_first or not preferred):
            rows.append(_row(text, is_first=is_first, here=here))
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


def _row(text: Text, *, is_first: bool, here: bool) -> list[str]:
    work = text.work
    return [
        work.name if is_first else text.name,
        f"{work.author}, {work.title}",
        work.abbreviation,
        _date(work),
        work.genre,
        text.label,
        "here" if here else "",
    ]


def _date(work: Work) -> str:
    if work.year is not None:
        return _year(work.year)
    return f"({_year(work.by.first)} – {_year(work.by.last)})" if work.by else ""


def _year(year: int) -> str:
    return f"{-year} BC" if year < 0 else f"AD {year}"
