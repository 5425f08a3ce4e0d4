"""Keys: what each does, the listener for them, and the dialog that explains them."""

from __future__ import annotations

from importlib import resources
from typing import TYPE_CHECKING

from nicegui import ui

from locisimiles.app.workspace import KEYS

if TYPE_CHECKING:
    from collections.abc import Callable

    from nicegui.events import GenericEventArguments

    from locisimiles.app.ui.translator import Translator
    from locisimiles.app.workspace import Workspace

__all__ = ["ACTIONS", "KeysDialog", "add_script", "listen_to_keys"]

ACTIONS = {
    **dict.fromkeys(KEYS, "judge"),
    "n": "note",
    "j": "next",
    "k": "previous",
    "z": "undo",
    "y": "redo",
    "b": "context",
    "g": "glosses",
    "s": "source_text",
    "l": "learn",
    "?": "keys",
}
"""The action of each key, in the order of the dialog."""


def add_script() -> None:
    """Add the scripts of all pages."""
    for name in ("page.js", "reading.js", "table.js", "tour.js"):
        script = (resources.files("locisimiles.app.ui") / name).read_text(encoding="utf-8")
        ui.add_body_html(f"<script>{script}</script>")


def listen_to_keys(act: Callable[[str, str], object]) -> None:
    """Call a function with the action and the key, whenever a key with an action is pressed.

    Keys have no action where somebody types, nor under a dialog or a menu; the script decides.
    """

    def pressed(event: GenericEventArguments) -> object:
        key = str(event.args.get("key", ""))
        return act(ACTIONS[key], key) if key in ACTIONS else None

    ui.add_body_html(f"<script>window.loci.keys = {''.join(ACTIONS)!r};</script>")
    ui.on("loci_key", pressed)


class KeysDialog:
    """The dialog that lists the keys."""

    def __init__(self, translate: Translator, workspace: Workspace) -> None:
        t = translate
        with ui.dialog().props(f'aria-label="{t("keys")}"') as self._dialog, ui.card():
            ui.label(t("keys")).classes("subtitle")
            for key in ACTIONS:
                with ui.row().classes("items-center"):
                    ui.html(f"<kbd>{key}</kbd>", sanitize=False)
                    ui.label(t("key_help" if key == "?" else f"key_{key}"))
            ui.switch(t("advance"), value=workspace.advance).bind_value(workspace, "advance")
            ui.button(t("close"), on_click=self._dialog.close)

    def open(self) -> None:
        """Show it."""
        self._dialog.open()
