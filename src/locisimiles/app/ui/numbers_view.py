"""Numbers: charts of the results, and the agreement of readers."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from nicegui import ui

from locisimiles.app.judging.verdicts import Judging
from locisimiles.app.results.statistics import compute_statistics
from locisimiles.app.ui import charts
from locisimiles.app.ui.agreement_table import agreement_table
from locisimiles.app.ui.figure import Figure
from locisimiles.app.ui.view import View

if TYPE_CHECKING:
    from locisimiles.app.results.statistics import Statistics
    from locisimiles.app.ui.figure import MakeChart

__all__ = ["NumbersView"]


class NumbersView(View):
    """Charts of the filtered results, and the agreement of readers."""

    _logarithmic = _only_judged = False

    def build(self) -> None:
        """Create the elements, empty."""
        self._place = ui.element("div").classes("figures w-full")
        self._figures: dict[str, Figure] = {}
        self._readers = ui.column().classes("w-full")

    def update(self, *, filtered: bool) -> None:  # noqa: ARG002 - verdicts change charts, too
        """Count again."""
        statistics = compute_statistics(
            self.page.project,
            self.workspace.wanted,
            reader=self.workspace.reader,
            search=self.workspace.search,
        )
        made = self._charts(statistics)
        if made and list(made) == list(self._figures):
            for name, make in made.items():
                self._figures[name].show(make)
        else:
            self._draw(statistics)
        self._show_readers()

    def _charts(self, statistics: Statistics) -> dict[str, MakeChart]:
        """Return the charts that there are numbers for."""
        t = self.translate
        if not statistics.pairs:
            return {}
        made: dict[str, MakeChart] = {
            "distribution": partial(
                charts.distribution, statistics, t, logarithmic=self._logarithmic
            )
        }
        if statistics.expected:
            made["expected"] = partial(charts.expected, statistics, t)
        if statistics.yields:
            made["yield"] = partial(charts.yields, statistics, t)
        made["types"] = partial(charts.types, statistics, t, only_judged=self._only_judged)
        if statistics.calibration:
            made["calibration"] = partial(charts.calibration, statistics, t)
        return made

    def _draw(self, statistics: Statistics) -> None:
        """Create the figures, with the switches as the reader left them, or as it suits."""
        t, workspace = self.translate, self.workspace
        judged = bool(statistics.yields)
        self._logarithmic = (
            charts.prefers_logarithm(statistics)
            if workspace.logarithmic is None
            else workspace.logarithmic
        )
        wanted = workspace.only_judged is None or workspace.only_judged
        self._only_judged = judged and wanted
        self._place.clear()
        with self._place:
            made = self._charts(statistics)
            self._figures = {name: Figure(self.page, make) for name, make in made.items()}
            if not made:
                ui.label(t("no_candidates")).classes("meta figure")
            elif not judged:
                ui.label(t("judge_first")).classes("meta figure")
        if not made:
            return
        with self._figures["distribution"].controls:
            ui.switch(
                t("logarithmic"),
                value=self._logarithmic,
                on_change=lambda e: self._count_logarithmically(e.value),
            ).props("dense")
        with self._figures["types"].controls:
            ui.switch(
                t("only_judged"),
                value=self._only_judged,
                on_change=lambda e: self._show_only_judged(e.value),
            ).props("dense").set_enabled(judged)

    def _count_logarithmically(self, wanted: bool) -> None:  # noqa: FBT001 - of the switch
        self.workspace.logarithmic = self._logarithmic = wanted
        self.update(filtered=False)

    def _show_only_judged(self, wanted: bool) -> None:  # noqa: FBT001 - of the switch
        self.workspace.only_judged = self._only_judged = wanted
        self.update(filtered=False)

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
