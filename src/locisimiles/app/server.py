"""The server: pages and API in one process, on this machine unless told otherwise."""

from __future__ import annotations

import logging
import os
import socket
import threading
from contextlib import suppress
from typing import TYPE_CHECKING

from locisimiles.app.access import LOOPBACK, Access
from locisimiles.errors import (
    DatabaseError,
    LocisimilesError,
    MissingDependencyError,
    ParameterError,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from locisimiles.app.context import AppContext

__all__ = ["check_address", "serve"]


def check_address(host: str, port: int) -> None:
    """Make sure that nobody uses an address already.

    Raises
    ------
    ParameterError
        If somebody does, or it is none of this machine.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        with socket.socket(family) as trial:
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            trial.bind((host, port))
    except OSError as error:
        raise ParameterError(
            f"the app cannot listen on {host}, port {port}: {error.strerror or error}",
            hint="is it open already? Choose another with --port",
        ) from error


def serve(
    context: AppContext,
    *,
    host: str = "127.0.0.1",
    port: int = 8765,
    show: bool = True,
    ready: Callable[[], None] = lambda: None,
) -> None:
    """Answer until the process is ended.

    Parameters
    ----------
    context
        Where projects are, and who may use them.
    host, port
        Where to listen. Other machines are let in only with tokens.
    show
        Open a browser.
    ready
        Called when the app can answer.

    Raises
    ------
    ParameterError
        If other machines could ask, but there are no tokens.
    MissingDependencyError
        If NiceGUI is not installed.
    """
    if host not in LOOPBACK and context.tokens is None:
        raise ParameterError(f"{host} lets other machines in", hint="give tokens")
    # Nothing of a page is kept by the framework, least of all in the folder one happens to be in.
    os.environ.setdefault("NICEGUI_STORAGE_PATH", str(context.folder / ".nicegui"))
    try:
        from nicegui import app, ui
    except ImportError as error:
        raise MissingDependencyError(
            "the app needs NiceGUI", hint="install it with pip install 'locisimiles[app]'"
        ) from error
    from locisimiles.app.api import make_api
    from locisimiles.app.ui.pages import register_pages

    app.mount("/api/v1", make_api(context))
    app.add_middleware(Access, tokens=context.tokens)
    register_pages(context)
    _tell_errors()
    # Old projects may have to be brought up, which can take a while; nobody waits for that.
    resuming = threading.Thread(target=context.resume_interrupted, daemon=True)
    app.on_startup(resuming.start)
    app.on_startup(ready)
    app.on_shutdown(context.jobs.close)
    ui.run(
        host=host,
        port=port,
        title="locisimiles",
        favicon="📜",
        show=show,
        reload=False,
        show_welcome_message=False,
        dark=None,
        reconnect_timeout=30,
    )


def _tell_errors() -> None:
    """Make pages say in a sentence what went wrong, whatever they were doing."""
    from nicegui import app, ui

    def notify(error: Exception) -> None:
        if isinstance(error, LocisimilesError):
            with suppress(RuntimeError):  # nobody looks
                ui.notify(str(error), type="negative")

    def show(error: Exception) -> None:
        # What others say may name files of the server.
        ours = isinstance(error, LocisimilesError)
        ui.label(str(error) if ours else "something unexpected happened").classes("q-pa-lg")

    app.on_exception(notify)
    app.on_page_exception(show)
    logging.getLogger("nicegui").addFilter(_OneSentence())


class _OneSentence(logging.Filter):
    """Keeps the log to a sentence, once a minute, while the database is away.

    Every open page asks several times a second, and no trace of our own calls says more.
    """

    _EVERY_S = 60.0

    def __init__(self) -> None:
        super().__init__()
        self._told: dict[str, float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Change a record; return whether it shall be written."""
        error = record.exc_info[1] if record.exc_info else None
        if not isinstance(error, DatabaseError):
            return True
        record.msg, record.args, record.exc_info = str(error), (), None
        new = record.created - self._told.get(record.msg, 0.0) > self._EVERY_S
        if new:
            self._told[record.msg] = record.created
        return new
