"""``locisimiles project``."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path
from typing import Annotated

import typer

from locisimiles.cli.console import ProgressBar, say, write_line
from locisimiles.cli.options import JsonOption  # noqa: TC001 - typer reads it
from locisimiles.cli.tables import print_table
from locisimiles.errors import LocisimilesError, OutputError, ParameterError

__all__ = ["project"]

project = typer.Typer(
    help="Back up, restore and check the projects of the app, and bring results into them.",
    no_args_is_help=True,
)

_SUFFIX = ".sqlite"
_FolderOption = Annotated[
    Path | None, typer.Option("--projects", metavar="FOLDER", help="The folder of the projects.")
]
_UserOption = Annotated[
    str, typer.Option(metavar="NAME", help="The user of a server, to whom the project belongs.")
]
_NameArgument = Annotated[
    str, typer.Argument(metavar="NAME", help="The project, as 'project list' names it; or a file.")
]
_OverwriteOption = Annotated[bool, typer.Option("--overwrite", help="Replace what is there.")]


@project.command("list")
def list_projects(
    folder: _FolderOption = None, user: _UserOption = "", as_json: JsonOption = False
) -> None:
    """List the projects of the app, with their sizes.

    Examples:

    - `locisimiles project list`

    - `locisimiles project list --json`
    """
    from locisimiles.app.projects.collection import ProjectCollection

    place = _folder(folder)
    rows = [
        [entry.id, entry.title, f"{_file(entry.id, place, user).stat().st_size / 1e6:,.1f} MB",
         datetime.fromtimestamp(entry.changed, UTC).date().isoformat()]
        for entry in ProjectCollection(place, user).all()
    ]  # fmt: skip
    print_table(["name", "title", "size", "changed"], rows, as_json=as_json)


@project.command()
def backup(
    name: _NameArgument,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE", help="The copy; NAME-DATE.sqlite here."),
    ] = None,
    folder: _FolderOption = None,
    user: _UserOption = "",
    overwrite: _OverwriteOption = False,
) -> None:
    """Copy a project into one file: texts, results, and all judgements up to now.

    The app may be running. The copy is checked before it gets its name.

    Examples:

    - `locisimiles project backup jerome`

    - `locisimiles project backup jerome -o /media/stick/jerome.sqlite`
    """
    from locisimiles.app.storage.backups import back_up

    source = _file(name, _folder(folder), user)
    target = output or Path(f"{source.stem}-{date.today().isoformat()}{_SUFFIX}")  # noqa: DTZ011
    back_up(source, target, overwrite=overwrite)
    say(f"wrote {target} ({target.stat().st_size / 1e6:,.1f} MB)")


@project.command()
def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A backup, or a project received.")],
    name: Annotated[
        str | None,
        typer.Option("--as", metavar="NAME", help="The name of the project; that of the file."),
    ] = None,
    folder: _FolderOption = None,
    user: _UserOption = "",
    overwrite: _OverwriteOption = False,
) -> None:
    """Make a project of a backup, or of a file that a colleague sent.

    The file is checked first. A project of the same name is replaced only with --overwrite, and its
    judgements are then lost.

    Examples:

    - `locisimiles project restore jerome-2026-05-01.sqlite --as jerome-in-may`

    - `locisimiles project restore jerome.sqlite --overwrite`
    """
    from locisimiles.app.projects.collection import ProjectCollection
    from locisimiles.app.storage.backups import restore as put_back
    from locisimiles.app.storage.sqlite import SqliteStorage

    storage = SqliteStorage(_folder(folder))
    wanted = ProjectCollection(storage, user).checked_id(name or file.stem)
    put_back(file, storage, user, wanted, overwrite=overwrite)
    title = ProjectCollection(storage, user).open(wanted).title
    say(f"restored the project {wanted} ({title})")


@project.command()
def check(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[NAME...]", help="Projects or files; all projects by default."),
    ] = None,
    folder: _FolderOption = None,
    user: _UserOption = "",
) -> None:
    """Read projects or backups from end to end, and name those that are damaged.

    Examples:

    - `locisimiles project check`: all projects

    - `locisimiles project check jerome-2026-05-01.sqlite`
    """
    from locisimiles.app.storage.backups import check_file

    place = _folder(folder)
    files = (
        [_file(name, place, user) for name in names]
        if names
        else sorted((place / user).glob(f"*{_SUFFIX}"))
    )
    damaged = 0
    for path in files:
        try:
            check_file(path)
        except LocisimilesError as error:
            damaged += 1
            write_line(str(error))
    if damaged:
        raise OutputError("cli.projects_damaged", count=damaged, total=len(files))
    say(f"no damage in {len(files)} {'project' if len(files) == 1 else 'projects'}")


@project.command("import-results")
def import_results(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The project.")],
    file: Annotated[
        Path | None,
        typer.Argument(metavar="[FILE]", help="Results as 'job merge --compact' writes them."),
    ] = None,
    job: Annotated[
        Path | None,
        typer.Option(metavar="JOB", help="The job that found them; a new project gets its texts."),
    ] = None,
    title: Annotated[str, typer.Option(help="The name of the search in the project.")] = "",
    folder: _FolderOption = None,
    user: _UserOption = "",
) -> None:
    """Make millions of pairs that a job found a search of a project, to read and judge in the app.

    The pairs are copied. The texts of the project must have all their segments, by their ids; with
    --job, a project that is not there yet gets the texts of the job. Without FILE, all pairs of
    the job are merged.

    Examples:

    - `locisimiles project import-results letters --job letters-job`: all pairs of a job

    - `locisimiles project import-results letters all.parquet`: into a project with the same texts
    """
    from locisimiles.cli.imported_results import import_into

    with ProgressBar() as progress:
        done = import_into(
            name, file, job, title=title, folder=folder, user=user, progress=progress
        )
    say(f"imported {done.pairs:,} pairs into the project {done.project}, as search {done.search}")


def _folder(folder: Path | None) -> Path:
    import os

    from locisimiles.app.storage import default_folder

    if folder is None and os.environ.get("LOCISIMILES_DATABASE"):
        raise ParameterError("cli.projects_in_database")
    return folder or default_folder()


def _file(name: str, folder: Path, user: str) -> Path:
    """Return the file of a project, or the file of that name."""
    from locisimiles.app.projects.collection import ProjectCollection
    from locisimiles.app.storage.sqlite import SqliteStorage

    path = Path(name)
    if path.suffix == _SUFFIX or len(path.parts) > 1:
        return path
    storage = SqliteStorage(folder)
    return storage.path(user, ProjectCollection(storage, user).checked_id(name))
