"""What a browser remembers: language, reader, theme, and that the tour was taken."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

from nicegui import ui

if TYPE_CHECKING:
    from fastapi import Request

__all__ = ["read_cookie", "remember"]

_NAME = "locisimiles_{name}"
_YEAR_S = 31_536_000


def read_cookie(request: Request, name: str) -> str:
    """Return what a browser remembers; empty if nothing."""
    return unquote(request.cookies.get(_NAME.format(name=name), ""))


def remember(name: str, value: str, *, reload: bool = True) -> None:
    """Let the browser remember a choice for a year; reload the page, which follows it."""
    cookie = f"{_NAME.format(name=name)}={quote(value)}"
    follow = "location.reload()" if reload else ""
    ui.run_javascript(
        f"document.cookie = '{cookie}; path=/; max-age={_YEAR_S}; SameSite=Strict'; {follow}"
    )
