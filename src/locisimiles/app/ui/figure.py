"""A chart on a page: its title, how to read it, its numbers, and a menu to save it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from nicegui import ui

from locisimiles.app.ui.chart_files import PICTURES, save_numbers, save_picture
from locisimiles.app.ui.number_table import number_table
from locisimiles.app.ui.view import redraw

if TYPE_CHECKING:
    from collections.abc import Callable

    from nicegui.events import EChartPointClickEventArguments, GenericEventArguments

    from locisimiles.app.ui.charts import Chart
    from locisimiles.app.ui.view import Page

__all__ = ["Figure", "MakeChart"]

_OPENED = "(event) => emit(event.target.open)"
_CLICKED = """(event) => {
  const target = event.target.closest('[data-link]');
  if (target) emit(Number(target.dataset.link));
}"""


class MakeChart(Protocol):
    """Makes a chart, for a dark page or a light one; on paper it is light."""

    def __call__(self, *, dark: bool) -> Chart:
        """Return the chart."""


class Figure:
    """A chart that is drawn again in place; `controls` has room for its switches."""

    def __init__(
        self,
        page: Page,
        make: MakeChart,
        *,
        on_point_click: Callable[[EChartPointClickEventArguments], None] | None = None,
        on_link: Callable[[int], None] | None = None,
    ) -> None:
        self._page, self._t, self._make = page, page.translate, make
        self._open = False  # whether the numbers are shown
        chart = make(dark=page.dark)
        with ui.element("figure").classes(f"figure figure-of-{chart.name}") as self._figure:
            with ui.row().classes("figure-head w-full items-center no-wrap"):
                self._title = ui.label().classes("figure-title grow")
                self._build_menu()
            self.controls = ui.row().classes("figure-controls items-center")
            self._chart = ui.echart(_with_description(chart), on_point_click=on_point_click)
            self._chart.classes("chart")
            self._chart.props('role="img"')
            with ui.element("figcaption").classes("meta"):
                self._caption = ui.label()
            with ui.element("details").classes("figure-numbers") as details:
                with ui.element("summary"):
                    ui.label(self._t("chart_numbers"))
                self._table = ui.html(sanitize=False)
            details.on("toggle", self._show_numbers, js_handler=_OPENED)
            if on_link is not None:
                chosen: Callable[[int], None] = on_link
                self._table.on("click", lambda e: chosen(int(e.args)), js_handler=_CLICKED)
        self._describe(chart)

    def show(self, make: MakeChart) -> None:
        """Draw another chart, or the same with other numbers."""
        self._make = make
        chart = make(dark=self._page.dark)
        redraw(self._chart, _with_description(chart))
        self._describe(chart)

    def set_visibility(self, visible: bool) -> None:  # noqa: FBT001 - as NiceGUI names it
        """Show the figure, or hide it."""
        self._figure.set_visibility(visible)

    def _describe(self, chart: Chart) -> None:
        self._title.set_text(chart.title)
        self._caption.set_text(chart.caption)
        self._caption.set_visibility(bool(chart.caption))
        self._chart.style(f"height: {chart.height}px")
        self._chart.props["aria-label"] = _description(chart)
        self._menu.props["aria-label"] = self._menu.props["title"] = self._t(
            "chart_save", chart=chart.title
        )
        if self._open:
            self._table.set_content(number_table(chart, self._t))

    def _build_menu(self) -> None:
        t = self._t
        with ui.button(icon="download").props("flat round dense") as self._menu, ui.menu():
            for kind in PICTURES:
                ui.menu_item(
                    t(f"chart_{kind}"),
                    on_click=lambda _, kind=kind: save_picture(
                        self._make(dark=False), kind, self._page.project.id
                    ),
                )
            ui.menu_item(
                t("chart_csv"),
                on_click=lambda: save_numbers(self._make(dark=False), self._page.project.id),
            )

    def _show_numbers(self, event: GenericEventArguments) -> None:
        self._open = bool(event.args)
        if self._open:  # they are not sent to a page that does not show them
            self._table.set_content(number_table(self._make(dark=self._page.dark), self._t))


def _description(chart: Chart) -> str:
    return f"{chart.title}. {chart.caption}" if chart.caption else chart.title


def _with_description(chart: Chart) -> dict[str, Any]:
    """Return the options of a chart with what screen readers say; ECharts makes up English."""
    return {
        **chart.option,
        "aria": {"enabled": True, "label": {"description": _description(chart)}},
    }
