"""``locisimiles app``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from locisimiles.cli.console import run_safely, say
from locisimiles.errors import ParameterError

__all__ = ["main", "open_app"]


def open_app(
    port: Annotated[int, typer.Option(min=1, max=65535, help="The port to listen on.")] = 8765,
    host: Annotated[
        str,
        typer.Option(
            help="The address to listen on. Other machines need a token, which is printed."
        ),
    ] = "127.0.0.1",
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open a browser.")] = True,
    projects: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="The folder of the projects.")
    ] = None,
    database: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            help="A PostgreSQL database for the projects, instead of a folder: "
            "postgresql://USER@HOST/NAME. Put a password into LOCISIMILES_DATABASE instead: other "
            "users of the machine can see command lines.",
        ),
    ] = None,
    token: Annotated[
        str | None,
        typer.Option(help="The token of the only user of a server; a new one by default."),
    ] = None,
    users: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The users of a server: a name and a token per line."),
    ] = None,
) -> None:
    """Open the app: search, read, judge and export in the browser.

    Examples:

    - `locisimiles app`: on this machine, in a browser

    - `locisimiles app --port 8765 --no-browser`: only the server

    - `locisimiles app --host 0.0.0.0 --users users.txt`: for several users

    - `locisimiles app --database postgresql://reader@db.example.org/loci`: projects in PostgreSQL
    """
    from locisimiles.app.access.tokens import LOOPBACK, new_token, read_users
    from locisimiles.app.context import AppContext
    from locisimiles.app.server import check_address, serve
    from locisimiles.app.storage import default_folder, open_storage

    outside = host not in LOOPBACK
    if not outside and (token or users):
        raise ParameterError("app.needless_token")
    tokens = None
    if outside:
        tokens = read_users(users) if users else {token or new_token(): "reader"}
    check_address(host, port)
    storage = open_storage(projects, database)

    def ready() -> None:
        say(f"locisimiles runs at http://{_in_address(host)}:{port}/")
        for secret, user in (tokens or {}).items() if not users else ():
            say(f"{user}: http://{_in_address(host)}:{port}/?token={secret}")
        say("stop it with Ctrl+C")

    serve(
        AppContext(projects or default_folder(), tokens, storage=storage),
        host=host,
        port=port,
        show=browser and not outside,
        ready=ready,
    )


def _in_address(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def main() -> None:
    """Run ``locisimiles-gui``, which opens the app."""
    program = typer.Typer(
        add_completion=False, pretty_exceptions_enable=False, rich_markup_mode="markdown"
    )
    program.command()(open_app)
    sys.exit(run_safely(lambda: program(standalone_mode=False)))
