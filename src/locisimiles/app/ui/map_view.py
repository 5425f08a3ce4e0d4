"""The map: who is cited where; a click leads there."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from nicegui import ui

from locisimiles.app.ui import charts
from locisimiles.app.ui.view import View, redraw

if TYPE_CHECKING:
    from nicegui.events import EChartPointClickEventArguments

    from locisimiles.app.results.filters import ResultFilter

__all__ = ["MapView"]

_CHOSEN_BY = ("best", "status", "least_probability", "least_score")
_ROW_HEIGHT, _FRAME_HEIGHT = 46, 240


class MapView(View):
    """Citing works against cited authors or works."""

    _works = False
    _parties: dict[str, Any] = {}  # noqa: RUF012 - replaced, never changed

    def build(self) -> None:
        """Make its elements, empty."""
        t = self.messages
        help_text = t("map_help_probable") if self.page.bar.has_probabilities else t("map_help")
        ui.label(help_text).classes("meta")
        ui.toggle(
            {False: t("authors"), True: t("works")},
            value=False,
            on_change=lambda e: self._turn(e.value),
        ).props(f'aria-label="{t("map")}"')
        self._heatmap = ui.echart({}, on_point_click=self._clicked).props(
            f'role="img" aria-label="{t("map_label")}"'
        )
        with ui.element("div").classes("w-full") as self._flowing:
            ui.label(t("flows")).classes("figure-title")
            self._flows = (
                ui.echart({}, on_point_click=self._followed)
                .classes("flows")
                .props(f'role="img" aria-label="{t("flows")}"')
            )
        with ui.expansion(t("as_list")).classes("w-full"):
            self._entries = ui.column().classes("w-full")

    def update(self, *, filtered: bool) -> None:  # noqa: ARG002 - a status may be filtered by
        """Count again."""
        links = self.workspace.found.links(self._counted())
        option = charts.heatmap(links, self.messages, dark=self.page.dark, works=self._works)
        self._parties = option.pop("parties")
        height = _FRAME_HEIGHT + _ROW_HEIGHT * len(self._parties["rows"])
        self._heatmap.style(f"height: {height}px")
        redraw(self._heatmap, option)
        self._flowing.set_visibility(bool(links))
        redraw(self._flows, charts.flows(links, self.messages, dark=self.page.dark))
        self._entries.clear()
        with self._entries:
            self._list(links)

    def _turn(self, works: bool) -> None:  # noqa: FBT001 - what the toggle says
        self._works = works
        self.update(filtered=False)

    def _clicked(self, event: EChartPointClickEventArguments) -> None:
        column, row = (int(number) for number in cast("list[float]", event.value)[:2])
        cited, citing = self._parties["columns"][column], self._parties["rows"][row]
        self._go(cited, citing)

    def _followed(self, event: EChartPointClickEventArguments) -> None:
        data: dict[str, object] = event.data if isinstance(event.data, dict) else {}
        names = [str(data.get(key, "")) for key in ("name", "source", "target")]
        chosen = {
            charts.CITED: ("source_author", "source_work"),
            charts.CITING: ("query_author", "query_work"),
        }
        counted = self._counted()
        changes: dict[str, object] = {
            "best": counted.best,
            "least_probability": counted.least_probability,
        }
        for name in filter(None, names):
            author, work = chosen[name[0]]
            changes |= {author: name[1:], work: None}
        self.workspace.narrow(**changes)
        self.page.bar.sync()
        self.page.open("read")

    def _go(self, cited: tuple[str, str], citing: tuple[str, str]) -> None:
        counted = self._counted()
        self.workspace.narrow(
            best=counted.best,
            least_probability=counted.least_probability,
            source_author=cited[0],
            source_work=cited[1] if self._works else None,
            query_author=citing[0],
            query_work=citing[1],
        )
        self.page.bar.sync()
        self.page.open("read")

    def _counted(self) -> ResultFilter:
        """Return what counts as a reference: all that is filtered, else what is likely.

        A search gives every segment candidates, whether it refers to something or not.
        """
        chosen = self.workspace.selection
        if any(getattr(chosen, name) is not None for name in _CHOSEN_BY):
            return chosen
        if self.page.bar.has_probabilities:
            return replace(chosen, least_probability=0.5)
        return replace(chosen, best=1)

    def _list(self, links: list[dict[str, object]]) -> None:
        """Offer the same for keyboards and screen readers."""
        cells: dict[tuple[tuple[str, str], tuple[str, str]], int] = {}
        for link in links:
            cited = str(link["source_author"]), str(link["source_work"]) if self._works else ""
            citing = str(link["query_author"]), str(link["query_work"])
            cells[cited, citing] = cells.get((cited, citing), 0) + int(str(link["count"]))
        most = sorted(cells.items(), key=lambda item: -item[1])[:100]
        for (cited, citing), count in most:
            names = [
                ", ".join(filter(None, p)) or self.messages("unknown") for p in (citing, cited)
            ]
            ui.button(
                f"{names[0]} → {names[1]}: {count}",
                on_click=lambda _, cited=cited, citing=citing: self._go(cited, citing),
            ).props("flat dense no-caps align=left")
