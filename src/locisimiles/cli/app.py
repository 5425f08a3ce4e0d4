"""``locisimiles app``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from locisimiles.cli.console import run_safely, say
from locisimiles.errors import InputError, ParameterError

__all__ = ["main", "open_app"]


def open_app(
    port: Annotated[int, typer.Option(min=1, max=65535, help="Where it listens.")] = 8765,
    host: Annotated[
        str,
        typer.Option(
            help="The address it listens on. Other machines are let in only with a token, which is "
            "printed."
        ),
    ] = "127.0.0.1",
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Whether a browser is opened.")
    ] = True,
    projects: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Where projects are kept.")
    ] = None,
    database: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            help="A PostgreSQL database that projects are kept in instead of a folder: "
            "postgresql://USER@HOST/NAME. With a password, better in LOCISIMILES_DATABASE: others "
            "see what is written here.",
        ),
    ] = None,
    token: Annotated[
        str | None,
        typer.Option(help="The token of the only user of a server, instead of a new one."),
    ] = None,
    users: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="The users of a server: a line each, with a name and a token."
        ),
    ] = None,
) -> None:
    """Open the app: search, read, judge and export in the browser.

    Examples:

    - `locisimiles app`: on this machine, with a browser

    - `locisimiles app --port 8765 --no-browser`: only the server

    - `locisimiles app --host 0.0.0.0 --users users.txt`: for several users

    - `locisimiles app --database postgresql://reader@db.example.org/loci`: projects in PostgreSQL
    """
    from locisimiles.app.access import LOOPBACK, new_token
    from locisimiles.app.context import AppContext
    from locisimiles.app.server import check_address, serve
    from locisimiles.app.storage import chosen_storage, default_folder

    outside = host not in LOOPBACK
    if not outside and (token or users):
        raise ParameterError(
            "on this machine alone no token is needed", hint="add --host, or leave the token out"
        )
    tokens = None
    if outside:
        tokens = _read_users(users) if users else {token or new_token(): "reader"}
    check_address(host, port)
    storage = chosen_storage(projects, database)

    def ready() -> None:
        say(f"locisimiles answers at http://{_in_address(host)}:{port}/")
        for secret, user in (tokens or {}).items() if not users else ():
            say(f"{user}: http://{_in_address(host)}:{port}/?token={secret}")
        say("end it with Ctrl+C")

    serve(
        AppContext(projects or default_folder(), tokens, storage=storage),
        host=host,
        port=port,
        show=browser and not outside,
        ready=ready,
    )


def _in_address(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _read_users(path: Path) -> dict[str, str]:
    """Read lines with the name and the token of a user."""
    shortest = 16
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"it cannot be read: {error}", file=str(path)) from error
    tokens: dict[str, str] = {}
    for row, line in enumerate(lines, start=1):
        if not line.strip() or line.startswith("#"):
            continue
        name, _, secret = line.strip().partition(" ")
        if len(secret.strip()) < shortest or secret.strip() in tokens or not name.isalnum():
            raise InputError(
                "a line needs a name and a token of its own",
                file=str(path),
                row=row,
                hint=f"write NAME TOKEN, with at least {shortest} letters in the token",
            )
        tokens[secret.strip()] = name.lower()
    if not tokens:
        raise InputError("there are no users", file=str(path), hint="write NAME TOKEN lines")
    return tokens


def main() -> None:
    """Open the app as a program of its own, ``locisimiles-gui``."""
    program = typer.Typer(
        add_completion=False, pretty_exceptions_enable=False, rich_markup_mode="markdown"
    )
    program.command()(open_app)
    sys.exit(run_safely(lambda: program(standalone_mode=False)))
