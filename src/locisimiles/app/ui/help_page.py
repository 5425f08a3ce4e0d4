"""The help page: what the views do, the keys, how to read probabilities, how to cite."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nicegui import ui

from locisimiles.app.ui.keys import ACTIONS
from locisimiles.app.ui.tour import tour_button

if TYPE_CHECKING:
    from locisimiles.app.ui.shell import Shell

__all__ = ["HELP_VIEWS", "HelpPage"]

HELP_VIEWS = ("texts", "read", "table", "numbers", "map", "adjudication")
"""The views, in the order of a project's tabs."""


class HelpPage:
    """Everything a reader needs to know, on one page."""

    def __init__(self, shell: Shell) -> None:
        self._shell, self._t = shell, shell.translate

    def build(self) -> None:
        """Build the page."""
        t = self._t
        with ui.element("main").classes("start help").props('id="results" tabindex="-1"'):
            ui.label(t("help_lead")).classes("lead")
            tour_button(self._shell)
            self._head(t("help_views"))
            with ui.element("dl"):
                for name in HELP_VIEWS:
                    self._entry(t(name), t(f"help_{name}"))
            self._head(t("keys"))
            ui.label(t("help_keys"))
            with ui.element("dl").classes("help-keys"):
                for key in ACTIONS:
                    self._entry(key, t("key_help" if key == "?" else f"key_{key}"), key=True)
            self._head(t("help_readers"))
            ui.label(t("help_readers_text"))
            ui.label(t("agreement_help"))
            self._head(t("help_probabilities"))
            ui.label(t("help_probabilities_text"))
            ui.label(t("help_scores"))
            self._head(t("help_citing"))
            ui.label(t("help_citing_text", entry=t("format_bib")))
            ui.label(t("help_links"))

    def _head(self, text: str) -> None:
        ui.label(text).classes("subtitle").props('role="heading" aria-level="2"')

    def _entry(self, name: str, text: str, *, key: bool = False) -> None:
        with ui.element("dt"), ui.element("kbd" if key else "span"):
            ui.label(name)
        with ui.element("dd"):
            ui.label(text)
