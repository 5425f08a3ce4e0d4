"""The bar above the views: words, filters that are set, order, counts, export."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from nicegui import ui

from locisimiles.app.judging.learning import Learning
from locisimiles.app.results import ResultFilter
from locisimiles.app.search.status import search_status
from locisimiles.app.ui.export_menu import ExportMenu
from locisimiles.app.ui.filter_chips import FilterChips
from locisimiles.app.ui.filter_panel import NUMBERS, FilterPanel
from locisimiles.app.ui.markup import expected_text, progress_text

if TYPE_CHECKING:
    from locisimiles.app.ui.view import Page

__all__ = ["FilterBar"]

_FROM_RESULTS = ("source_author", "source_work", "query_author", "query_work")
_ORDERS = ("reading", "unjudged", "rarity")


class FilterBar:
    """The bar above the views of a project."""

    def __init__(self, page: Page) -> None:
        self._page, self._t, self._workspace = page, page.translate, page.workspace
        self._silent = False
        self._offered: tuple[bool, ...] = ()
        self._options: dict[str, list[str]] = {}
        self._panel = FilterPanel(page.translate, self._narrow)
        self._bar = ui.column().classes("filters w-full")
        self.fill()

    def fill(self) -> None:
        """Offer the filters that fit the results."""
        results = self._workspace.results
        links = results.links()
        options = {name: sorted({str(link[name]) for link in links}) for name in _FROM_RESULTS}
        probabilities, blind = results.has_probabilities(), self._workspace.is_blind
        # A ranking learnt from the verdicts of all is hidden from blind readers.
        state = Learning(self._page.project, self._workspace.search).state()
        learnt = state.report is not None and not blind
        offered = probabilities, learnt, blind
        if offered == self._offered:
            if options != self._options:
                self._panel.offer(options)  # the reader may be typing while a search runs
            self._options = options
            self.count()
            return
        self._offered, self._options = offered, options
        self._workspace.has_probabilities, self._workspace.learnt = probabilities, learnt
        self._panel.fill(options, probabilities=probabilities, blind=blind)
        # A condition that these results cannot meet must not apply.
        gone = {name: None for name in ("type", *NUMBERS) if name not in self._panel.names}
        self._workspace.wanted = replace(self._workspace.wanted, **gone)
        self._bar.clear()
        with self._bar:
            self._build()
        self.sync()
        self.count()

    def show(self, *, visible: bool) -> None:
        """Show the bar, or hide it."""
        self._bar.set_visibility(visible)

    def count(self) -> None:
        """Show the number of pairs."""
        workspace, results = self._workspace, self._workspace.results
        shown = self._t("count", shown=results.count(workspace.wanted), total=results.count())
        judged = results.count(ResultFilter(status="judged"))
        parts = [shown, self._t("judged_count", count=judged)]
        status = search_status(self._page.project, workspace.searched)
        if status is not None:
            parts.append(progress_text(status, self._t))
            parts.append(expected_text(status.references, self._t))
        self._count.set_text(" · ".join(filter(None, parts)))
        self.count_new()
        self._panel.show(workspace.wanted, shown)
        self._show_chips()

    def count_new(self) -> None:
        """Offer the pairs that a search has added since the list was made."""
        new = self._workspace.count_new()
        self._new.set_text(self._t("show_new", count=new))
        self._new.set_visibility(new > 0)

    def sync(self) -> None:
        """Show the filters as they are."""
        self._silent = True
        self._words.set_value(self._workspace.wanted.words)
        self._order.set_value(self._shown_order())
        self._silent = False
        self._show_chips()

    def _show_chips(self) -> None:
        number = self._chips.show(self._workspace.wanted)
        self._badge.set_text(str(number))
        self._badge.set_visibility(number > 0)

    def _build(self) -> None:
        t = self._t
        with ui.row().classes("w-full items-center filter-row"):
            self._words = ui.input(t("words"), on_change=lambda e: self._changed_words(e.value))
            self._words.props("dense outlined clearable debounce=200").classes("filter words")
            self._order = ui.select(
                self._orders(),
                label=t("order"),
                value=self._shown_order(),
                on_change=lambda e: self._reorder(e.value),
            )
            self._order.props("dense outlined options-dense").classes("order")
            # When the last chip goes, the focus goes to the button before it.
            with ui.row().classes("items-center filter-set"):
                with ui.button(t("filters"), icon="filter_list", on_click=self._panel.open) as more:
                    self._badge = ui.badge("0").props("color=accent").classes("filter-count")
                more.props('outline aria-haspopup="dialog"').classes("open-filters")
                self._chips = FilterChips(self._page.project, t, self._remove)
        with ui.row().classes("w-full items-center"):
            self._count = ui.label().classes("meta count").props('role="status"')
            self._new = ui.button(icon="expand_more", on_click=self._show_new)
            self._new.props("outline dense no-caps").classes("show-new")
            if self._workspace.learnt:
                ui.label(t("learnt_here")).classes("chip learnt")
                ui.button(
                    t("learn_restore"), icon="history", on_click=self._page.restore_ranking
                ).props("flat dense")
            blind = self._workspace.is_blind
            if blind:
                ui.label(self._t("blind_on")).classes("chip blind")
            with ui.row().classes("items-center tools"):
                self._tools(blind=blind)

    def _orders(self) -> dict[str, str]:
        by_value = (
            ("probability", "informative") if self._workspace.has_probabilities else ("score",)
        )
        return {name: self._t(f"order_{name}") for name in (*_ORDERS, *by_value)}

    def _shown_order(self) -> str | None:
        order = self._workspace.order  # heads of the table know more orders
        return order if order in self._orders() else None

    def _changed_words(self, words: str | None) -> None:
        if not self._silent:
            self._narrow("words", words or None)

    def _narrow(self, name: str, value: object) -> None:
        self._workspace.narrow(**{name: value})
        self._page.refresh(filtered=True)

    def _remove(self, name: str | None) -> None:
        if name is not None:
            self._narrow(name, None)
            return
        self._workspace.wanted = ResultFilter()
        self._workspace.stay_or_begin()
        self._page.refresh(filtered=True)

    def _reorder(self, order: str | None) -> None:
        if self._silent or order is None:
            return
        self._workspace.order, self._workspace.backwards = order, False
        self._workspace.begin()
        self._page.refresh(filtered=True)

    def _show_new(self) -> None:
        self._page.refresh(filtered=True)
        self._order.run_method("focus")  # the button is gone

    def _tools(self, *, blind: bool) -> None:
        t = self._t
        for action in ("undo", "redo"):
            ui.button(
                t(action), icon=action, on_click=lambda _, action=action: self._page.act(action)
            ).props("flat dense")
        if self._workspace.has_probabilities and not blind:
            ui.button(t("learn"), icon="school", on_click=self._page.learn).props("flat dense")
        ExportMenu(self._page).build(blind=blind)
        ui.button(t("keys"), icon="keyboard", on_click=self._page.show_keys).props("flat dense")
