"""The server: pages and API in one process, on this machine by default."""

from __future__ import annotations

import logging
import os
import socket
import threading
from typing import TYPE_CHECKING

from locisimiles.app.access.logs import OneLine
from locisimiles.app.access.tokens import LOOPBACK
from locisimiles.errors import DatabaseError, MissingDependencyError, ParameterError
from locisimiles.installation import install_command

if TYPE_CHECKING:
    from collections.abc import Callable

    from locisimiles.app.access.audit import Audit
    from locisimiles.app.access.logins import Logins
    from locisimiles.app.context import AppContext

__all__ = ["check_address", "serve"]


def check_address(host: str, port: int) -> None:
    """Raise a ParameterError if the app cannot listen on an address."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        with socket.socket(family) as trial:
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            trial.bind((host, port))
    except OSError as error:
        reason = error.strerror or str(error)
        raise ParameterError(
            "app.cannot_listen", host=host, port=str(port), reason=reason
        ) from error


def serve(
    context: AppContext,
    *,
    logins: Logins | None = None,
    audit: Audit | None = None,
    host: str = "127.0.0.1",
    port: int = 8765,
    show: str = "",
    ready: Callable[[], None] = lambda: None,
) -> None:
    """Serve until the process ends; `ready` is called when the app can answer.

    A browser opens the path `show`, unless it is empty. Other machines need `logins`.
    """
    if host not in LOOPBACK and logins is None:
        raise ParameterError("app.needs_tokens", host=host)
    # Pages store nothing, but NiceGUI creates this folder, by default in the current one.
    os.environ.setdefault("NICEGUI_STORAGE_PATH", str(context.folder / ".nicegui"))
    try:
        from nicegui import app, ui
    except ImportError as error:
        raise MissingDependencyError(
            "app.needs_nicegui", install=install_command(extra="app")
        ) from error
    from locisimiles.app.access.connections import MOST_CONNECTIONS, ImpatientProtocol
    from locisimiles.app.access.middleware import Access
    from locisimiles.app.api import make_api
    from locisimiles.app.ui.routes import register_pages, show_errors

    app.mount("/api/v1", make_api(context))
    app.add_middleware(Access, logins=logins, only_here=host in LOOPBACK, audit=audit)
    register_pages(context)
    show_errors()
    logging.getLogger("nicegui").addFilter(_OneSentence())
    for name in ("nicegui", "uvicorn.error", "uvicorn.access"):
        logging.getLogger(name).addFilter(OneLine())
    # Migrating old projects can take a while; the app starts before.
    resuming = threading.Thread(target=context.resume_interrupted, daemon=True)
    app.on_startup(resuming.start)
    app.on_startup(ready)
    app.on_shutdown(context.close)
    ui.run(
        host=host,
        port=port,
        title="locisimiles",
        favicon="📜",
        show=show or False,
        reload=False,
        show_welcome_message=False,
        dark=None,
        reconnect_timeout=30,
        http=ImpatientProtocol,
        limit_concurrency=MOST_CONNECTIONS,
    )


class _OneSentence(logging.Filter):
    """Logs a missing database as one sentence per minute, without a traceback.

    Every open page asks several times a second.
    """

    _EVERY_S = 60.0

    def __init__(self) -> None:
        super().__init__()
        self._logged: dict[str, float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Shorten a record; return whether to log it."""
        error = record.exc_info[1] if record.exc_info else None
        if not isinstance(error, DatabaseError):
            return True
        record.msg, record.args, record.exc_info = str(error), (), None
        new = record.created - self._logged.get(record.msg, 0.0) > self._EVERY_S
        if new:
            self._logged[record.msg] = record.created
        return new
