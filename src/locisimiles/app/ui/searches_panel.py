"""The searches of a project: chosen, resumed, named, compared, deleted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nicegui import ui

from locisimiles.app.results import ResultFilter, ResultTable
from locisimiles.app.search.stored_searches import StoredSearches
from locisimiles.app.ui.notices import notify
from locisimiles.errors import LocisimilesError

if TYPE_CHECKING:
    from collections.abc import Callable

    from locisimiles.app.search.stored_searches import StoredSearch
    from locisimiles.app.ui.view import Page

__all__ = ["SearchesPanel"]

_POLL_S = 1.5


class SearchesPanel:
    """A list of all searches, the newest first."""

    def __init__(self, page: Page) -> None:
        self._page, self._t = page, page.translate
        self._searches = StoredSearches(page.project)
        self._shown: object = None
        self._busy = False  # whether a search waits or runs

    def build(self) -> None:
        """Create the list, empty."""
        with ui.card().classes("w-full searches") as self._card:
            heading = ui.label(self._t("searches")).classes("subtitle")
            heading.props('role="heading" aria-level="2"')
            self._list = ui.column().classes("w-full")
        self.update()
        ui.timer(_POLL_S, self.update)

    def update(self) -> None:
        """Show the searches if they have changed."""
        if not self._page.project.exists():
            return
        found, chosen = self._searches.all(), self._page.workspace.searched
        if (found, chosen) == self._shown:
            return
        self._shown = found, chosen
        self._busy = any(one.is_busy for one in found)
        self._card.set_visibility(bool(found))
        self._list.clear()
        with self._list:
            for one in found:
                others = {other.number: self._name(other) for other in found if other != one}
                self._line(one, others, chosen=one.number == chosen)

    def _name(self, search: StoredSearch) -> str:
        return search.name or self._t("search_without_name", number=search.number)

    def _line(self, search: StoredSearch, others: dict[int, str], *, chosen: bool) -> None:
        t = self._t
        with ui.row().classes("w-full items-center search-line"):
            with ui.column().classes("grow gap-0"):
                ui.label(self._name(search)).classes("text-weight-medium search-name")
                ui.label(" · ".join(self._described(search, chosen=chosen))).classes("meta")
            ui.button(
                t("read_search"), on_click=lambda: self._page.choose_search(search.number)
            ).props("flat dense").set_enabled(search.pairs > 0 and not search.is_missing)
            if search.can_resume:
                self._resume_button(search)
            if others:
                ui.select(
                    others,
                    label=t("compare_with"),
                    on_change=lambda e: self._compare(search, e.value, others),
                ).props("dense outlined options-dense").classes("compare")
            self._icon("edit", t("rename_search"), lambda: self._rename(search))
            self._icon("delete", t("delete_search"), lambda: self._ask_to_delete(search))

    def _resume_button(self, search: StoredSearch) -> None:
        label = self._t("resume_search", search=self._name(search))
        button = ui.button(
            self._t("resume"), icon="play_arrow", on_click=lambda: self._resume(search)
        ).props("flat dense")
        button.props["aria-label"] = label
        button.props["title"] = self._t("resume_waits") if self._busy else label
        button.set_enabled(not self._busy)

    def _resume(self, search: StoredSearch) -> None:
        self._change(
            lambda: self._page.shell.context.jobs.resume(self._page.project, search.number)
        )

    def _described(self, search: StoredSearch, *, chosen: bool) -> list[str]:
        t = self._t
        parts = [
            t.moment(search.created),
            t("search_pairs", count=search.pairs),
            " + ".join(search.query_names) + " → " + " + ".join(search.source_names),
        ]
        if search.state != "done":
            parts.insert(1, t(f"state_{search.state}"))
        if search.is_missing:
            parts.append(t("search_without_pairs"))
        if not search.is_current:
            parts.append(t("search_of_earlier_texts"))
        return [*parts, t("search_chosen")] if chosen else parts

    def _icon(self, icon: str, label: str, on_click: Callable[[], None]) -> None:
        button = ui.button(icon=icon, on_click=on_click).props("flat round dense")
        button.props["aria-label"] = label

    def _compare(self, search: StoredSearch, other: int, others: dict[int, str]) -> None:
        found = ResultTable(self._page.project.database, search=search.number)
        count, name = found.count(ResultFilter(not_in=other)), self._name(search)
        # The other view takes the place of this list, so the notice comes first.
        notify(self._t("searches_compared", count=count, search=name, other=others[other]))
        self._page.choose_search(search.number, not_in=other)

    def _rename(self, search: StoredSearch) -> None:
        t = self._t
        # Not in the list, which is built again when a search changes.
        with self._card, ui.dialog() as dialog, ui.card():
            dialog.props["aria-label"] = t("rename_search")
            name = ui.input(t("rename_search"), value=search.name).props("autofocus maxlength=200")

            def save() -> None:
                dialog.close()
                self._change(lambda: self._searches.rename(search.number, str(name.value or "")))

            name.on("keydown.enter", save)
            with ui.row():
                ui.button(t("save"), on_click=save)
                ui.button(t("close"), on_click=dialog.close).props("flat")
        dialog.on("hide", dialog.delete)
        dialog.open()

    def _ask_to_delete(self, search: StoredSearch) -> None:
        t = self._t
        # Not in the list, which is built again when a search changes.
        with self._card, ui.dialog() as dialog, ui.card():
            dialog.props["aria-label"] = t("delete_search")
            ui.label(t("delete_search_sure", search=self._name(search), count=search.pairs))

            def delete() -> None:
                dialog.close()
                self._change(lambda: self._searches.delete(search.number))

            with ui.row():
                ui.button(t("delete"), on_click=delete, color="negative")
                ui.button(t("close"), on_click=dialog.close).props("flat")
        dialog.on("hide", dialog.delete)
        dialog.open()

    def _change(self, doing: Callable[[], object]) -> None:
        try:
            doing()
        except LocisimilesError as error:
            notify(self._t.show(error), "negative")
            return
        workspace = self._page.workspace
        numbers = {one.number for one in self._searches.all()}
        if workspace.search is not None and workspace.search not in numbers:
            workspace.choose_search(None)
        elif workspace.wanted.not_in is not None and workspace.wanted.not_in not in numbers:
            workspace.narrow(not_in=None)
        else:
            workspace.stay_if_there()
        self._page.fill_filters()
        self.update()
