"""``locisimiles library``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from locisimiles.cli.console import ProgressBar, say, write_json, write_line
from locisimiles.cli.options import JsonOption  # noqa: TC001 - typer reads it
from locisimiles.cli.tables import print_table
from locisimiles.corpus import Document
from locisimiles.corpus.cutting import cut_report
from locisimiles.corpus.library import Library, TextChoice
from locisimiles.corpus.library.authors import AUTHORITIES
from locisimiles.corpus.library.catalogue import SOURCES
from locisimiles.corpus.verses import read_verses
from locisimiles.errors import ParameterError, TextNotInstalledError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from locisimiles.corpus.cutting import CutReport
    from locisimiles.corpus.library import Text, Work

__all__ = ["library"]

library = typer.Typer(
    help="Install public texts on this machine, to search them by name.", no_args_is_help=True
)

_HEADER = ["name", "text", "ids begin", "date", "genre", "edition", ""]
AuthorOption = Annotated[
    str, typer.Option("--author", metavar="NAME", help="Only of this author, by any name.")
]
GenreOption = Annotated[
    str,
    typer.Option("--genre", metavar="GENRE", help="Only this genre: epic, letters, verse, prose …"),
]
BeforeOption = Annotated[
    int | None,
    typer.Option("--before", metavar="YEAR", help="Only what is older; years BC are negative."),
]
AfterOption = Annotated[
    int | None, typer.Option("--after", metavar="YEAR", help="Only what is later.")
]


@library.command("list")
def list_texts(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[NAME]...", help="Authors or works (author.work)."),
    ] = None,
    author: AuthorOption = "",
    genre: GenreOption = "",
    before: BeforeOption = None,
    after: AfterOption = None,
    installed: Annotated[
        bool, typer.Option("--installed", help="Only texts on this machine.")
    ] = False,
    preferred: Annotated[
        bool,
        typer.Option(
            "--preferred", help="One line for each work: the edition that its name alone means."
        ),
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """List the texts: name, author and title, date, genre, edition, whether installed.

    A text is a work in one of its editions. Dates of authors, in brackets, stand for those of
    works that are not known.

    Examples:

    - `locisimiles library list vergil`

    - `locisimiles library list --genre epic --before 100 --preferred`

    - `locisimiles library list --installed --json`
    """
    shelf = Library()
    chosen = TextChoice(author, genre, before, after).of(shelf.catalogue, *(names or []))
    works = {text.work for text in chosen}
    texts = shelf.catalogue.preferred() if preferred else list(shelf.catalogue)
    wanted = [text for text in texts if text.work in works]
    _print(shelf, [t for t in wanted if not installed or shelf.is_installed(t)], as_json=as_json)


@library.command()
def search(
    words: Annotated[
        list[str],
        typer.Argument(metavar="WORD...", help="Beginnings of words of an author or title."),
    ],
    as_json: JsonOption = False,
) -> None:
    """Find works by the beginnings of words in any of their names.

    Examples:

    - `locisimiles library search virg aen`

    - `locisimiles library search city god --json`
    """
    shelf = Library()
    _print(shelf, shelf.catalogue.search(" ".join(words)), as_json=as_json)


@library.command()
def info(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A work (author.work).")],
    as_json: JsonOption = False,
) -> None:
    """Print what the catalogue knows of a work: names, dates, editions, addresses, licences.

    Examples:

    - `locisimiles library info vergil.aeneid`

    - `locisimiles library info "City of God" --json`
    """
    shelf = Library()
    works = list(dict.fromkeys(text.work for text in shelf.catalogue.find(name)))
    if as_json:
        write_json([_facts(shelf, work) for work in works])
        return
    for work in works:
        for fact, value in _facts(shelf, work).items():
            if isinstance(value, list):
                for edition in value:
                    for key, cell in edition.items():
                        write_line(f"  {key}" if key != "name" else "edition", cell)
            else:
                write_line(fact, value)


@library.command()
def add(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[NAME]...",
            help="Authors or works, as in 'library list', or a file with your Vulgate.",
        ),
    ] = None,
    author: AuthorOption = "",
    genre: GenreOption = "",
    before: BeforeOption = None,
    after: AfterOption = None,
    mirror: Annotated[
        Path | None,
        typer.Option("--from", metavar="FOLDER", help="Copy the files from a local folder."),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only say what would be installed, and how large.")
    ] = False,
) -> None:
    """Install texts on this machine.

    Files come several at a time and are compared with the catalogue's hashes. What a broken
    connection leaves resumes at the next call. Where there is no internet, `--from` copies from a
    folder; the environment variable LOCISIMILES_MIRROR names one for all calls.

    Examples:

    - `locisimiles library add vergil ovid.metamorphoses`

    - `locisimiles library add --author "Silius"`

    - `locisimiles library add --genre epic --before 100 --dry-run`

    - `locisimiles library add cicero@perseus --from ~/texts`

    - `locisimiles library add clementine.txt`: your own Vulgate, then found as `vulgate` and
      `vulgate.matthew`
    """
    shelf, chosen = Library(), TextChoice(author, genre, before, after)
    if not names and not chosen:
        raise ParameterError("corpus.nothing_named")
    for own in [name for name in names or [] if Path(name).is_file()]:
        books = shelf.add_vulgate(read_verses(Path(own)))
        verses = f"{sum(books.values()):,} verses of {len(books)} books"
        say(f"{verses} in {shelf.vulgate_folder}; name them 'vulgate' or 'vulgate.matthew'")
    names = [name for name in names or [] if not Path(name).is_file()]
    if not names and not chosen:
        return
    texts = chosen.of(shelf.catalogue, *(names or []))
    if dry_run:
        _print(shelf, texts)
    else:
        with ProgressBar() as progress:
            shelf.install(*texts, mirror=mirror, progress=progress)
    say(f"{_count(texts)} in {shelf.root}" if not dry_run else f"{_count(texts)}; none installed")


@library.command()
def remove(
    names: Annotated[
        list[str],
        typer.Argument(metavar="NAME...", help="Authors or works that are on this machine."),
    ],
) -> None:
    """Delete texts from this machine, in all editions unless the name says one.

    Examples:

    - `locisimiles library remove ovid.metamorphoses`

    - `locisimiles library remove vergil@tesserae`
    """
    shelf = Library()
    texts = []
    for name in names:
        found = shelf.installed(name)
        if not found:
            raise TextNotInstalledError("corpus.nothing_to_remove", texts=[name])
        texts += [text for text in found if text not in texts]
    shelf.remove(*texts)
    say(f"removed {_count(texts)} from {shelf.root}")


@library.command()
def report(
    inputs: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[INPUT]...", help="Files or library texts; by default all on this machine."
        ),
    ] = None,
    odd: Annotated[
        bool, typer.Option("--odd", help="List each odd segment with the reason, not the texts.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Report how texts are cut into segments: their lengths in words, and odd segments.

    Odd are segments of no word or one, of more than a hundred, without a stop at the end, or that
    begin with a sign. For most there is a reason in the text; 'unexplained' counts the rest.

    Examples:

    - `locisimiles library report`: all installed texts

    - `locisimiles library report vergil.tess --odd`
    """
    shelf = Library()
    named = inputs or [text.name for text in shelf.catalogue if shelf.is_installed(text)]
    with ProgressBar() as progress:
        reports = []
        for done, name in enumerate(named):
            progress("texts", done, len(named))
            reports.append(cut_report(Document(name), name))
    if odd:
        rows = [[one.id, one.kind, one.reason, one.text] for of in reports for one in of.odd]
        print_table(["id", "kind", "reason", "text"], rows, as_json=as_json)
        return
    header = ["text", "segments", "shortest", "median", "longest", "odd", "unexplained"]
    rows = [[str(cell) for cell in _measured(of)] for of in reports]
    print_table(header, rows, as_json=as_json)


def _measured(of: CutReport) -> tuple[object, ...]:
    lengths = (of.shortest, f"{of.median:g}", of.longest)
    return (of.name, of.segments, *lengths, len(of.odd), len(of.unexplained))


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


def _print(shelf: Library, texts: Sequence[Text], *, as_json: bool = False) -> None:
    first = set(shelf.catalogue.preferred())
    rows = [_row(text, is_first=text in first, here=shelf.is_installed(text)) for text in texts]
    if as_json:
        write_json([_edition(shelf, text) | _work_facts(text.work) for text in texts])
    else:
        print_table(_HEADER, rows)


def _count(texts: Sequence[Text]) -> str:
    size = sum(text.size for text in texts) / 1e6
    return f"{len(texts)} {'text' if len(texts) == 1 else 'texts'} ({size:.1f} MB)"


def _facts(shelf: Library, work: Work) -> dict[str, Any]:
    editions = [_edition(shelf, text) for text in shelf.catalogue.editions(work.name)]
    return {"name": work.name, **_work_facts(work), "editions": editions}


def _work_facts(work: Work) -> dict[str, Any]:
    lived = work.by and f"{_year(work.by.first)} – {_year(work.by.last)}"
    return {
        "author": work.author,
        "lived": lived or "",
        "lived, according to": AUTHORITIES[work.by.source] if work.by else "",
        "title": work.title,
        "other titles": ", ".join(work.names),
        "ids begin": work.abbreviation,
        "year": "" if work.year is None else work.year,
        "genre": work.genre,
        "form": work.form,
        "urn": f"urn:cts:latinLit:{work.urn}" if work.urn else "",
    }


def _edition(shelf: Library, text: Text) -> dict[str, Any]:
    source = SOURCES[text.source]
    here = shelf.is_installed(text)
    return {
        "name": text.name,
        "publisher": source.title,
        "licence": source.licence,
        "bytes": text.size,
        "installed": here,
        "addresses": " ".join(one.address for one in text.files),
        "sha256": " ".join(one.sha256 for one in text.files),
        "files": " ".join(str(shelf.path_of(one)) for one in text.files) if here else "",
    }


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
