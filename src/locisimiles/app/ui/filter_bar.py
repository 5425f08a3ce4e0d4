"""The bar above the views: filters, order, counts, export."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from nicegui import ui

from locisimiles.app.judging.learning import Learning
from locisimiles.app.results import STATUSES, ResultFilter
from locisimiles.app.search.status import search_status
from locisimiles.app.ui.export_menu import ExportMenu
from locisimiles.app.ui.markup import expected_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from locisimiles.app.ui.view import Page

__all__ = ["FilterBar"]

_ANY = ""
_CHOICES = ("source_author", "source_work", "query_work", "type", "status")
_NUMBERS: dict[str, tuple[type, str]] = {
    "least_probability": (float, "step=0.05 min=0 max=1"),
    "least_score": (float, "step=any"),
    "best": (int, "step=1 min=1"),
    "most_rarity": (int, "step=1 min=1"),
}
_ALWAYS = ("best", "most_rarity")
_ORDERS = ("reading", "unjudged", "rarity")
_MOST_WITHOUT_TYPING = 12


class FilterBar:
    """The bar above the views of a project."""

    def __init__(self, page: Page) -> None:
        self._page, self._t, self._workspace = page, page.translate, page.workspace
        self._silent = False
        self._fields: dict[str, Any] = {}
        self._options: dict[str, list[str]] = {}
        self._bar = ui.column().classes("filters w-full")
        self.fill()

    def fill(self) -> None:
        """Offer the filters that fit the results."""
        results = self._workspace.results
        links = results.links()
        options = {
            name: sorted({str(link[name]) for link in links})
            for name in ("source_author", "source_work", "query_work")
        }
        learnt = Learning(self._page.project, self._workspace.search).state().report is not None
        offered = results.count(ResultFilter(least_probability=0.0)) > 0, learnt, options
        if self._fields and offered == (
            self._workspace.has_probabilities,
            self._workspace.learnt,
            self._options,
        ):
            self.count()  # the reader may be typing while a search runs
            return
        self._workspace.has_probabilities, self._workspace.learnt, self._options = offered
        self._bar.clear()
        self._fields = {}
        with self._bar:
            self._build()
        # A filter that cannot be seen must not apply.
        gone = {name: None for name in ("type", *_NUMBERS) if name not in self._fields}
        workspace = self._workspace
        workspace.wanted = replace(workspace.wanted, **gone)
        self.count()

    def show(self, *, visible: bool) -> None:
        """Show the bar, or hide it."""
        self._bar.set_visibility(visible)

    def count(self) -> None:
        """Show the number of pairs."""
        workspace, results = self._workspace, self._workspace.results
        parts = [
            self._t("count", shown=results.count(workspace.wanted), total=results.count()),
            self._t("judged_count", count=results.count(ResultFilter(status="judged"))),
        ]
        self._compared.set_visibility(workspace.wanted.not_in is not None)
        status = search_status(self._page.project, workspace.searched)
        if status is not None and status.is_provisional:
            parts.append(self._t("provisional"))
        elif status is not None:
            parts.append(expected_text(status.references, self._t))
        self._count.set_text(" · ".join(filter(None, parts)))

    def sync(self) -> None:
        """Show the filters as they are."""
        workspace = self._workspace
        with self._quietly():
            for name, field in self._fields.items():
                value = getattr(workspace.wanted, name)
                field.set_value(_UNKNOWN if value == "" else value)
            self._order.set_value(self._shown_order())

    @contextmanager
    def _quietly(self) -> Iterator[None]:
        self._silent = True
        try:
            yield
        finally:
            self._silent = False

    def _build(self) -> None:
        t = self._t
        with ui.row().classes("w-full items-center filter-row"):
            self._field("words", ui.input(t("words")).props("clearable debounce=200"))
            for name in _CHOICES:
                if name != "type" or self._workspace.has_probabilities:
                    self._choice(name)
            with ui.row().classes("items-center filter-row more-filters"):
                for name, (_, props) in _NUMBERS.items():
                    # The score of a pair with a probability is the probability.
                    if (
                        name == "least_score"
                    ) != self._workspace.has_probabilities or name in _ALWAYS:
                        field = ui.number(t(name)).props(f"clearable debounce=200 {props}")
                        self._field(name, field)
        with ui.row().classes("w-full items-center"):
            self._order = (
                ui.select(
                    self._orders(),
                    label=t("order"),
                    value=self._shown_order(),
                    on_change=lambda e: self._reorder(e.value),
                )
                .props("dense outlined options-dense")
                .classes("order")
            )
            self._count = ui.label().classes("meta count").props('role="status"')
            # A comparison of searches is a filter, too, and must be seen.
            self._compared = ui.button(
                t("show_all_pairs"), icon="compare_arrows", on_click=self._end_comparison
            ).props("flat dense")
            if self._workspace.learnt:
                ui.label(t("learnt_here")).classes("chip learnt")
                ui.button(
                    t("learn_restore"), icon="history", on_click=self._page.restore_ranking
                ).props("flat dense")
            self._tools()

    def _end_comparison(self) -> None:
        self._workspace.narrow(not_in=None)
        self._page.refresh(filtered=True)

    def _orders(self) -> dict[str, str]:
        by_value = (
            ("probability", "informative") if self._workspace.has_probabilities else ("score",)
        )
        return {name: self._t(f"order_{name}") for name in (*_ORDERS, *by_value)}

    def _shown_order(self) -> str | None:
        order = self._workspace.order  # heads of the table know more orders
        return order if order in self._orders() else None

    def _choice(self, name: str) -> None:
        t = self._t
        if name == "status":
            options = {status: t(f"status_{status.rstrip('.')}") for status in STATUSES}
        elif name == "type":
            options = {"cit.": "cit.", "cf.": "cf."}
        else:
            options = {value or _UNKNOWN: value or t("unknown") for value in self._options[name]}
        field = ui.select(
            options,
            label=t(f"filter_{name}"),
            clearable=True,
            with_input=len(options) > _MOST_WITHOUT_TYPING,
        )
        self._field(name, field.props("options-dense"))

    def _field(self, name: str, field: Any) -> None:  # noqa: ANN401 - any element with a value
        field.props("dense outlined").classes("filter")
        value = getattr(self._workspace.wanted, name)
        with self._quietly():
            field.set_value(_UNKNOWN if value == "" else value)
        field.on_value_change(lambda e: self._changed(name, e.value))
        self._fields[name] = field

    def _changed(self, name: str, value: object) -> None:
        if self._silent:
            return
        if value in (None, _ANY):
            wanted: object = None
        elif name in _NUMBERS:
            wanted = _NUMBERS[name][0](value)
        else:
            wanted = "" if value == _UNKNOWN else value
        self._workspace.narrow(**{name: wanted})
        self._page.refresh(filtered=True)

    def _reorder(self, order: str | None) -> None:
        if self._silent or order is None:
            return
        self._workspace.order, self._workspace.backwards = order, False
        self._workspace.begin()
        self._page.refresh(filtered=True)

    def _clear(self) -> None:
        self._workspace.wanted = ResultFilter()
        self._workspace.stay_or_begin()
        self._page.refresh(filtered=True)

    def _tools(self) -> None:
        t = self._t
        ui.button(t("clear"), icon="filter_alt_off", on_click=self._clear).props("flat dense")
        for action in ("undo", "redo"):
            ui.button(
                t(action), icon=action, on_click=lambda _, action=action: self._page.act(action)
            ).props("flat dense")
        if self._workspace.has_probabilities:
            ui.button(t("learn"), icon="school", on_click=self._page.learn).props("flat dense")
        ExportMenu(self._page).build()
        ui.button(t("keys"), icon="keyboard", on_click=self._page.show_keys).props("flat dense")


_UNKNOWN = "\u2400"  # offered for authors and works without a name
