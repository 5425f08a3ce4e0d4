"""Numbers: charts of the results, and the agreement of readers."""

from __future__ import annotations

from typing import Any

from nicegui import ui

from locisimiles.app.judging.verdicts import Judging
from locisimiles.app.results.statistics import compute_statistics
from locisimiles.app.ui import charts
from locisimiles.app.ui.agreement_table import agreement_table
from locisimiles.app.ui.view import View, redraw

__all__ = ["NumbersView"]


class NumbersView(View):
    """Charts of the filtered results, and the agreement of readers."""

    def build(self) -> None:
        """Create the elements, empty."""
        self._place = ui.element("div").classes("figures w-full")
        self._figures: dict[str, tuple[ui.label, ui.echart]] = {}
        self._readers = ui.column().classes("w-full")

    def update(self, *, filtered: bool) -> None:  # noqa: ARG002 - verdicts change charts, too
        """Count again."""
        t, dark = self.translate, self.page.dark
        statistics = compute_statistics(
            self.page.project,
            self.workspace.wanted,
            reader=self.workspace.reader,
            search=self.workspace.search,
        )
        options = {"distribution": charts.distribution(statistics, t, dark=dark)}
        if statistics.expected:
            options["yield_expected"] = charts.expected(statistics, t, dark=dark)
        if statistics.yields:
            options["yield"] = charts.yields(statistics, t, dark=dark)
        options["types_by_author"] = charts.types(statistics, t, dark=dark)
        if statistics.calibration:
            options["calibration"] = charts.calibration(statistics, t, dark=dark)
        if list(options) == list(self._figures):
            self._redraw(options)
        else:
            self._draw(options, judged=bool(statistics.yields))
        self._show_readers()

    def _draw(self, options: dict[str, dict[str, Any]], *, judged: bool) -> None:
        self._place.clear()
        self._figures = {}
        with self._place:
            for name, option in options.items():
                title = _title(option)
                with ui.element("figure").classes(f"figure {name}"):
                    label = ui.label(title).classes("figure-title")
                    chart = ui.echart(option).classes("chart").props(f'role="img"{_label(title)}')
                self._figures[name] = label, chart
            if not judged:
                ui.label(self.translate("judge_first")).classes("meta figure")

    def _redraw(self, options: dict[str, dict[str, Any]]) -> None:
        for name, (label, chart) in self._figures.items():
            title = _title(options[name])
            label.set_text(title)
            chart.props(_label(title))
            redraw(chart, options[name])

    def _show_readers(self) -> None:
        t = self.translate
        self._readers.clear()
        blind = self.workspace.is_blind
        agreements = [] if blind else Judging(self.page.project).agreement()
        if not agreements and not blind:
            return
        with self._readers:
            heading = ui.label(t("agreement")).classes("subtitle")
            heading.props('role="heading" aria-level="2"')
            if blind:
                ui.label(t("agreement_blind"))
                return
            ui.html(agreement_table(agreements, t), sanitize=False).classes("w-full")
            ui.label(t("agreement_help")).classes("meta agreement-help")
            with ui.row():
                ui.button(t("adjudicate"), on_click=lambda: self.page.open("adjudication"))
                ui.button(t("show_disagreements"), on_click=self._disagreements).props("outline")

    def _disagreements(self) -> None:
        self.workspace.narrow(status="disagreement")
        self.page.open("table")


def _title(option: dict[str, Any]) -> str:
    title: str = option["aria"]["label"]["description"]
    return title


def _label(title: str) -> str:
    return f' aria-label="{title}"'
