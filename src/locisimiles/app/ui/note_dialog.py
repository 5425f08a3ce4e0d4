"""The dialog in which a reader writes a note."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from nicegui import ui

from locisimiles.app.ui.notices import notify
from locisimiles.errors import LocisimilesError

if TYPE_CHECKING:
    from collections.abc import Callable

    from locisimiles.app.ui.translator import Translator

__all__ = ["KeepNote", "NoteDialog"]


class KeepNote(Protocol):
    """Stores a note; what `continues` the one before is undone with it."""

    def __call__(self, note: str, *, continues: bool) -> bool:
        """Return whether the note has changed."""


class NoteDialog:
    """A dialog with a note that is stored with every key."""

    def __init__(self, translate: Translator, closed: Callable[[], None]) -> None:
        self._t = translate
        self._keep: KeepNote | None = None
        self._begun = False  # whether the open note has been changed
        with ui.dialog() as self._dialog, ui.card().classes("note-card"):
            self._dialog.props["aria-label"] = translate("note")
            self._text = (
                # Every key is saved: a delay would lose the last ones when the note is closed.
                ui.textarea(translate("note"), on_change=lambda e: self._store(e.value or ""))
                .props("autofocus outlined")
                .classes("w-full")
            )
            ui.button(translate("close"), on_click=self._dialog.close)
        self._dialog.on_value_change(lambda e: None if e.value else closed())

    def open(self, note: str, keep: KeepNote) -> None:
        """Show a note, and store it with a function as it changes."""
        self._keep = None  # showing it is no change
        self._text.set_value(note)
        self._keep, self._begun = keep, False
        self._dialog.open()

    def _store(self, note: str) -> None:
        if self._keep is None:
            return
        try:
            if self._keep(note, continues=self._begun):
                self._begun = True  # what follows is undone with it
        except LocisimilesError as error:
            notify(self._t.show(error), "negative")
