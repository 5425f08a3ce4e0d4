"""Dialogs that ask for a pasted text, and for author, work and date of a text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nicegui import ui

from locisimiles.app.projects.facts import TextFacts, read_year
from locisimiles.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from locisimiles.app.ui.translator import Translator

__all__ = ["ask_for_facts", "ask_for_text", "shown_facts"]


def ask_for_text(
    translate: Translator, title: str, add: Callable[[str, TextFacts], Awaitable[bool]]
) -> None:
    """Open a dialog for a text; with a text in it, it stays open until `add` succeeds."""
    with ui.dialog(value=True) as dialog, _card(dialog, title):
        text = ui.textarea(translate("paste_here")).props('autofocus outlined input-class="paste"')
        text.classes("w-full latin")
        text.on_value_change(lambda event: dialog.props.set_bool("persistent", bool(event.value)))
        fields = _FactFields(translate, TextFacts())

        async def save() -> None:
            facts = fields.read()
            if not (text.value or "").strip():
                text.props["error"] = True
                text.props["error-message"] = translate("paste_empty")
                text.update()
            elif facts is not None and await add(text.value, facts):
                dialog.close()

        _buttons(translate, translate("paste_add"), save, dialog)
    dialog.on("hide", dialog.delete)


def ask_for_facts(
    translate: Translator,
    name: str,
    known: TextFacts,
    save: Callable[[TextFacts], Awaitable[bool]],
) -> None:
    """Open a dialog for author, work and date of a text; it stays open until `save` succeeds."""
    title = translate("facts_title", text=name)
    with ui.dialog(value=True) as dialog, _card(dialog, title):
        ui.label(translate("facts_help")).classes("meta")
        fields = _FactFields(translate, known)

        async def keep() -> None:
            facts = fields.read()
            if facts is not None and await save(facts):
                dialog.close()

        _buttons(translate, translate("save"), keep, dialog)
    dialog.on("hide", dialog.delete)


def shown_facts(translate: Translator, facts: TextFacts) -> str:
    """Return author, work and year as one line."""
    year = ""
    if facts.year is not None:
        era = "year_before" if facts.year < 0 else "year_after"
        year = translate(era, year=str(abs(facts.year)))
    return ", ".join(filter(None, (translate.author(facts.author), facts.work, year)))


class _FactFields:
    """Fields for author, work and date."""

    def __init__(self, translate: Translator, known: TextFacts) -> None:
        self._translate = translate
        with ui.row().classes("w-full"):
            self._author = ui.input(translate("facts_author"), value=known.author).classes("grow")
            self._work = ui.input(translate("facts_work"), value=known.work).classes("grow")
            year = shown_facts(translate, TextFacts(year=known.year))
            self._year = ui.input(translate("facts_year"), value=year).classes("grow")
        self._year.props["hint"] = translate("facts_year_help")

    def read(self) -> TextFacts | None:
        """Return what was entered; None, with the reason at the field, if the date is none."""
        try:
            year = read_year(self._year.value or "")
        except ParameterError as error:
            self._year.props["error"] = True
            self._year.props["error-message"] = self._translate.show(error)
            self._year.update()
            return None
        return TextFacts(self._author.value or "", self._work.value or "", year).tidied()


def _card(dialog: ui.dialog, title: str) -> ui.card:
    card = ui.card().classes("text-card")
    dialog.props["aria-label"] = title
    with card:
        ui.label(title).classes("subtitle").props('role="heading" aria-level="2"')
    return card


def _buttons(
    translate: Translator, label: str, save: Callable[[], Awaitable[None]], dialog: ui.dialog
) -> None:
    with ui.row().classes("w-full justify-end"):
        ui.button(translate("cancel"), on_click=dialog.close).props("flat")
        ui.button(label, on_click=save)
