"""What all pages share: the bar at the top, the looks, the language."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import resources
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

from nicegui import ui

from locisimiles.app.ui.catalogue import LANGUAGES, Messages, best_language

if TYPE_CHECKING:
    from fastapi import Request

    from locisimiles.app.context import AppContext

__all__ = ["Shell", "remember"]

_COOKIE = "locisimiles_{name}"


@dataclass(slots=True)
class Shell:
    """Who looks at a page, and how.

    Attributes
    ----------
    context
        What all parts of the app share.
    user
        Who it is on a server; empty on one's own machine.
    messages
        The words of the chosen language.
    reader
        In whose name verdicts are given.
    dark
        Whether the page is dark; None follows the system.
    """

    context: AppContext
    user: str
    messages: Messages
    reader: str
    dark: bool | None

    @classmethod
    def of(cls, context: AppContext, request: Request) -> Shell:
        """Read what a browser has told."""
        cookies = {
            name: unquote(request.cookies.get(_COOKIE.format(name=name), ""))
            for name in ("language", "reader", "theme")
        }
        accepted = request.headers.get("accept-language", "")
        user = str(getattr(request.state, "user", ""))
        return cls(
            context,
            user,
            Messages(cookies["language"] or best_language(accepted)),
            user or cookies["reader"][:100],
            {"dark": True, "light": False}.get(cookies["theme"]),
        )

    def build(self, title: str, *, home: bool = False) -> ui.header:
        """Make the bar at the top; return it, to add to it."""
        t = self.messages
        ui.add_css(_style())
        ui.colors(primary="#7a2e22", secondary="#5b6c8f", accent="#7a5c00")
        ui.dark_mode(self.dark)
        ui.page_title(f"{title} · locisimiles" if title else "locisimiles")
        ui.query("html").props(f'lang="{t.language}"')
        with ui.header().classes("bar items-center no-wrap") as bar:
            if not home:
                ui.button(icon="home", on_click=lambda: ui.navigate.to("/")).props(
                    f'flat round color=white aria-label="{t("home")}"'
                )
            ui.label(title or "locisimiles").classes("title").props('role="heading" aria-level="1"')
            ui.space()
            self._language()
            ui.button(icon="contrast", on_click=self._turn_theme).props(
                f'flat round color=white aria-label="{t("theme")}"'
            )
        return bar

    def _language(self) -> None:
        code = self.messages.language.upper()
        button = ui.button(code).props("flat color=white")
        button.props["aria-label"] = f"{self.messages('language')}: {code}"
        with button, ui.menu():
            for code, name in LANGUAGES.items():
                ui.menu_item(name, on_click=lambda _, code=code: remember("language", code))

    async def _turn_theme(self) -> None:
        dark = await ui.run_javascript("document.body.classList.contains('body--dark')")
        remember("theme", "light" if dark else "dark")


def remember(name: str, value: str, *, reload: bool = True) -> None:
    """Keep something in the browser for a year."""
    cookie = f"{_COOKIE.format(name=name)}={quote(value)}"
    then = "location.reload()" if reload else ""
    ui.run_javascript(
        f"document.cookie = '{cookie}; path=/; max-age=31536000; SameSite=Strict'; {then}"
    )


def _style() -> str:
    return (resources.files("locisimiles.app.ui") / "style.css").read_text(encoding="utf-8")
