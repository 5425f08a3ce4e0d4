"""The button with the reader's name, and its dialog: the name, older judgements, reading blind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nicegui import ui

from locisimiles.app.judging.verdicts import Judging
from locisimiles.app.ui.cookies import remember
from locisimiles.app.ui.notices import notify
from locisimiles.errors import LocisimilesError

if TYPE_CHECKING:
    from locisimiles.app.judging.verdicts import Renamed
    from locisimiles.app.ui.view import Page

__all__ = ["ReaderDialog"]


class ReaderDialog:
    """The reader's name, what is taken over under it, and whether the reader reads blind.

    On a server with users, the name is that of the user.
    """

    def __init__(self, page: Page) -> None:
        self._page, self._t, self._shell = page, page.translate, page.shell
        self._judging = Judging(page.project)

    def build(self) -> None:
        """Create the button, and the dialog that it opens."""
        self._button = ui.button(on_click=self._open).props("flat color=white").classes("reader")
        with ui.dialog() as self._dialog, ui.card().classes("reader-card"):
            self._dialog.props["aria-label"] = self._t("reader")
            self._body = ui.column().classes("w-full")
        self.show()

    def show(self) -> None:
        """Show the name at the button, and that the reader reads blind."""
        t, name = self._t, self._shell.reader
        blind = self._judging.is_blind(name)
        self._button.set_text(name or t("reader_nameless"))
        self._button.set_icon("visibility_off" if blind else "person")
        label = f"{t('reader')}: {name}" if name else t("reader")
        self._button.props["aria-label"] = f"{label} ({t('blind_on')})" if blind else label

    def _open(self) -> None:
        self._body.clear()
        with self._body:
            self._fill()
        self._dialog.open()

    def _fill(self) -> None:
        t, reader = self._t, self._shell.reader
        nameless, own = self._judging.count(""), self._judging.count(reader) if reader else 0
        ui.label(t("reader_why"))
        self._name = ui.input(t("reader"), value=reader).props("autofocus maxlength=100")
        self._name.classes("w-full").on("keydown.enter", self._save)
        self._name.set_visibility(not self._shell.user)
        # Whoever has judged under a name already may not be the one who judged without.
        self._takes_over = ui.checkbox(t("take_over", count=nameless), value=own == 0)
        self._takes_over.set_visibility(nameless > 0)
        self._renames = ui.checkbox(t("rename_judgements", count=own, reader=reader), value=False)
        self._renames.set_visibility(False)
        self._blind = ui.switch(t("blind"), value=self._judging.is_blind(reader))
        ui.label(t("blind_why")).classes("meta")
        self._name.on_value_change(lambda: self._named(judged=own > 0))
        with ui.row():
            ui.button(t("save"), on_click=self._save)
            ui.button(t("close"), on_click=self._dialog.close).props("flat")

    def _new_name(self) -> str:
        return self._shell.user or str(self._name.value or "").strip()

    def _named(self, *, judged: bool) -> None:
        """Offer what fits the name that is being typed."""
        name = self._new_name()
        self._renames.set_visibility(judged and name not in ("", self._shell.reader))
        if self._judging.is_blind(name):  # a known reader goes on as before
            self._blind.set_value(True)

    def _save(self) -> None:
        name, reader = self._new_name(), self._shell.reader
        try:
            if name and self._takes_over.visible and self._takes_over.value:
                self._tell(self._judging.rename("", name), name)
            if self._renames.visible and self._renames.value:
                self._tell(self._judging.rename(reader, name), name)
            self._judging.set_blind(name, on=bool(self._blind.value))
        except LocisimilesError as error:
            notify(self._t.show(error), "negative")
            return
        if name != reader:
            remember("reader", name, reload=False)
        self._dialog.close()
        self._page.reader_changed(name)

    def _tell(self, renamed: Renamed, name: str) -> None:
        t = self._t
        if renamed.moved:
            notify(t("taken_over", count=renamed.moved, reader=name), "positive")
        if renamed.kept:
            notify(t("judged_by_both", count=renamed.kept, reader=name), "warning")
