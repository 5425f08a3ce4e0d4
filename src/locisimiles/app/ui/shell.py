"""What all pages share: the bar at the top, the theme, the language."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import resources
from typing import TYPE_CHECKING

from nicegui import ui

from locisimiles.app.ui.cookies import read_cookie, remember
from locisimiles.app.ui.keys import add_script
from locisimiles.app.ui.notices import NoticeBoard
from locisimiles.app.ui.translator import Translator
from locisimiles.messages import LANGUAGES

if TYPE_CHECKING:
    from fastapi import Request

    from locisimiles.app.context import AppContext

__all__ = ["Shell"]

_LONGEST_NAME = 100


@dataclass(slots=True)
class Shell:
    """The user of a page, and the user's choices."""

    context: AppContext
    user: str  # empty if the app serves only this machine
    translate: Translator
    reader: str  # the name for verdicts
    dark: bool | None  # None follows the system
    has_taken_tour: bool = False

    @classmethod
    def of(cls, context: AppContext, request: Request) -> Shell:
        """Return the shell for the browser that sent a request."""
        user = str(getattr(request.state, "user", ""))
        return cls(
            context,
            user,
            Translator.of(request),
            user or read_cookie(request, "reader")[:_LONGEST_NAME],
            {"dark": True, "light": False}.get(read_cookie(request, "theme")),
            bool(read_cookie(request, "tour")),
        )

    def build(self, title: str, *, home: bool = False) -> ui.header:
        """Build the bar at the top, and return it."""
        t = self.translate
        ui.add_css(_style())
        ui.colors(
            primary="#7a2e22",
            secondary="#5b6c8f",
            accent="#7a5c00",
            positive="#1f6b45",
            negative="#a3262e",
            info="#3b4f75",
            warning="#7a5c00",
        )
        ui.menu_item.default_props("role=menuitem")  # Quasar calls them items of a list
        add_script()
        ui.dark_mode(self.dark)
        ui.page_title(f"{title} · locisimiles" if title else "locisimiles")
        ui.query("html").props(f'lang="{t.language}"')
        with ui.header().classes("bar items-center no-wrap") as bar:
            ui.link(t("skip"), "#results").classes("skip")
            if not home:
                ui.button(icon="home", on_click=lambda: ui.navigate.to("/")).props(
                    f'flat round color=white aria-label="{t("home")}"'
                )
            ui.label(title or "locisimiles").classes("title").props('role="heading" aria-level="1"')
            ui.space()
            NoticeBoard(t).build()
            ui.button(icon="help_outline").props(
                f'flat round color=white href=/help aria-label="{t("help")}"'
            )
            self._language_menu()
            ui.button(icon="contrast", on_click=self._switch_theme).props(
                f'flat round color=white aria-label="{t("theme")}"'
            )
        return bar

    def _language_menu(self) -> None:
        code = self.translate.language.upper()
        button = ui.button(code).props("flat color=white")
        button.props["aria-label"] = f"{self.translate('language')}: {code}"
        with button, ui.menu():
            for code, name in LANGUAGES.items():
                ui.menu_item(name, on_click=lambda _, code=code: remember("language", code))

    async def _switch_theme(self) -> None:
        dark = await ui.run_javascript("document.body.classList.contains('body--dark')")
        remember("theme", "light" if dark else "dark")


def _style() -> str:
    return (resources.files("locisimiles.app.ui") / "style.css").read_text(encoding="utf-8")
