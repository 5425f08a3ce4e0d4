"""Chips for the filters that are set: each names one in words, and has a button that removes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nicegui import ui

from locisimiles.app.search.stored_searches import StoredSearches

if TYPE_CHECKING:
    from collections.abc import Callable

    from locisimiles.app.projects.project import Project
    from locisimiles.app.results import ResultFilter
    from locisimiles.app.ui.translator import Translator

__all__ = ["FilterChips", "chip_text", "search_name"]

_CHOICES = ("query_author", "query_work", "source_author", "source_work")
_AUTHORS = ("query_author", "source_author")
_HAS_FIELD = ("words", "query")  # words are read in their field; a segment is a place, no filter


def chip_text(name: str, value: object, translate: Translator, *, search: str = "") -> str:
    """Return a filter and its value in words; `search` is the name of the search it refers to.

    Examples
    --------
    >>> from locisimiles.app.ui.translator import Translator
    >>> chip_text("least_probability", 0.8, Translator("de"))
    'Mindestwahrscheinlichkeit: 0,80'
    >>> chip_text("status", "cf.", Translator("en"))
    'Status: allusion (cf.)'
    >>> chip_text("source_author", "Horace", Translator("de"))
    'Zitierter Autor: Horaz'
    """
    if name == "not_in":
        return translate("chip_not_in", search=search)
    if name in (*_CHOICES, "type", "status", "parallels"):
        label = translate(f"filter_{name}")
    else:
        label = translate(name)
    return translate("chip", filter=label, value=_value(name, value, translate))


def _value(name: str, value: object, translate: Translator) -> str:
    if name == "parallels":
        return translate("parallels_once")
    if name == "status":
        return translate(f"status_{str(value).rstrip('.')}")
    if isinstance(value, (int, float)):
        return translate.number(value)
    shown = translate.author(str(value)) if name in _AUTHORS else str(value)
    return shown or translate("unknown")


def search_name(project: Project, number: int | None, translate: Translator) -> str:
    """Return the name of a search; its number if it has none."""
    for search in StoredSearches(project).all() if number is not None else ():
        if search.number == number and search.name:
            return search.name
    return translate("search_without_name", number=number)


class FilterChips:
    """A list of chips, and a button that removes all."""

    def __init__(
        self, project: Project, translate: Translator, remove: Callable[[str | None], None]
    ) -> None:
        self._project, self._t, self._remove = project, translate, remove
        self._shown: dict[str, object] = {}
        self._list = ui.element("ul").classes("chips")
        self._list.props["aria-label"] = translate("filters_set")
        self._clear = ui.button(translate("clear"), icon="filter_alt_off")
        self._clear.on_click(lambda: remove(None)).props("flat dense")
        self._show({})

    def show(self, wanted: ResultFilter) -> int:
        """Show the filters that are set, and return their number."""
        values = wanted.as_dict()
        chips = {name: value for name, value in values.items() if name not in _HAS_FIELD}
        self._clear.set_visibility(bool(values))
        if chips != self._shown:  # else the focus would get lost
            self._show(chips)
        return len(chips)

    def _show(self, chips: dict[str, object]) -> None:
        self._shown = chips
        self._list.clear()
        self._list.set_visibility(bool(chips))
        with self._list:
            for name, value in chips.items():
                number = value if name == "not_in" and isinstance(value, int) else None
                search = search_name(self._project, number, self._t)
                self._chip(name, chip_text(name, value, self._t, search=search))

    def _take(self, name: str) -> None:
        with self._list:  # the chip that was clicked is gone when the page is drawn again
            self._remove(name)

    def _chip(self, name: str, text: str) -> None:
        with ui.element("li").classes("filter-chip"):
            ui.label(text)
            button = ui.button(icon="close", on_click=lambda: self._take(name))
            button.props("flat round dense size=sm")
            button.props["aria-label"] = button.props["title"] = self._t("chip_remove", chip=text)
