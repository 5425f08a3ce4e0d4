"""``locisimiles app``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from locisimiles.cli.console import run_safely, say
from locisimiles.errors import ParameterError

if TYPE_CHECKING:
    from locisimiles.app.access.logins import Logins

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
        typer.Option(
            envvar="LOCISIMILES_TOKEN",
            help="The token of the only user; a new one by default. Put it into LOCISIMILES_TOKEN: "
            "other users of the machine can see command lines.",
        ),
    ] = None,
    no_token: Annotated[
        bool,
        typer.Option(
            "--no-token",
            envvar="LOCISIMILES_NO_TOKEN",
            help="Ask for no token. Every user and program of this machine can then open the app.",
        ),
    ] = False,
    users: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="The users of a server: a name, a token and, if it expires, a day per line.",
        ),
    ] = None,
) -> None:
    """Open the app: search, read, judge and export in the browser.

    Examples:

    - `locisimiles app`: on this machine, in a browser

    - `locisimiles app --port 8765 --no-browser`: only the server

    - `locisimiles app --no-browser --no-token`: for programs of this machine, without a token

    - `locisimiles app --host 0.0.0.0 --users users.txt`: for several users

    - `locisimiles app --database postgresql://reader@db.example.org/loci`: projects in PostgreSQL
    """
    from locisimiles.app.access.audit import Audit
    from locisimiles.app.access.tokens import LOOPBACK
    from locisimiles.app.context import AppContext
    from locisimiles.app.server import check_address, serve
    from locisimiles.app.storage import default_folder, open_storage

    outside = host not in LOOPBACK
    logins = _logins(token, users, needed=outside, refused=no_token)
    check_address(host, port)
    storage = open_storage(projects, database)
    address = f"http://{_in_address(host)}:{port}/"

    def ready() -> None:
        # The app is of no use without its address, so even `--quiet` prints it.
        say(f"locisimiles runs at {address}", needed=True)
        if logins is not None and users is None:
            once = f"{address}?token={logins.one_time_secret()}"
            say(f"open {once} (once, within ten minutes)", needed=True)
            if token is None:
                secret = logins.tokens[0].secret
                say(f"token for other browsers and programs: {secret}", needed=True)
        say("stop it with Ctrl+C")

    shown = browser and not outside
    folder = projects or default_folder()
    serve(
        AppContext(
            folder,
            tuple(known.user for known in logins.tokens) if logins else ("",),
            storage=storage,
        ),
        logins=logins,
        audit=Audit(folder / "audit.log") if outside else None,
        host=host,
        port=port,
        show=f"/?token={logins.one_time_secret()}" if shown and logins else "/" if shown else "",
        ready=ready,
    )


def _logins(token: str | None, users: Path | None, *, needed: bool, refused: bool) -> Logins | None:
    """Return who may come in; None if nobody is asked."""
    from locisimiles.app.access.logins import Logins
    from locisimiles.app.access.tokens import Token, check_secret, new_secret, read_users
    from locisimiles.app.storage.signing import signature

    if refused:
        if needed or token or users:
            raise ParameterError("app.no_token_here")
        return None
    if users is not None:
        if not needed or token:
            raise ParameterError("app.needless_users")
        return Logins(read_users(users))
    if token is not None:
        return Logins([Token(check_secret(token), "reader" if needed else "")])
    # The browser stays logged in when the app starts again with another token.
    return Logins([Token(new_secret(), "reader" if needed else "")], key=signature("app sessions"))


def _in_address(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def main() -> None:
    """Run ``locisimiles-gui``, which opens the app."""
    program = typer.Typer(
        add_completion=False, pretty_exceptions_enable=False, rich_markup_mode="markdown"
    )
    program.command()(open_app)
    sys.exit(run_safely(lambda: program(standalone_mode=False)))
