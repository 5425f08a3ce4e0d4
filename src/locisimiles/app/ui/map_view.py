"""The map: which works cite whom; a click filters by them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from nicegui import ui

from locisimiles.app.ui import charts
from locisimiles.app.ui.view import View, redraw

if TYPE_CHECKING:
    from nicegui.events import EChartPointClickEventArguments

    from locisimiles.app.results import ResultFilter

__all__ = ["MapView"]

_NARROWING = ("best", "status", "least_probability", "least_score")
_MOST_LISTED = 100
_ROW_HEIGHT, _FRAME_HEIGHT = 46, 240


class MapView(View):
    """Citing works against cited authors or works."""

    _works = False
    _parties: dict[str, Any] = {}  # noqa: RUF012 - replaced, never changed

    def build(self) -> None:
        """Create the elements, empty."""
        t = self.translate
        help_text = t("map_help_probable") if self.workspace.has_probabilities else t("map_help")
        ui.label(help_text).classes("meta")
        ui.toggle(
            {False: t("authors"), True: t("works")},
            value=False,
            on_change=lambda e: self._show_works(e.value),
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

    def update(self, *, filtered: bool) -> None:  # noqa: ARG002 - verdicts may change the counts
        """Count again."""
        links = self.workspace.results.links(self._counted())
        option = charts.heatmap(links, self.translate, dark=self.page.dark, works=self._works)
        self._parties = option.pop("parties")
        height = _FRAME_HEIGHT + _ROW_HEIGHT * len(self._parties["rows"])
        self._heatmap.style(f"height: {height}px")
        redraw(self._heatmap, option)
        self._flowing.set_visibility(bool(links))
        redraw(self._flows, charts.flows(links, self.translate, dark=self.page.dark))
        self._entries.clear()
        with self._entries:
            self._list(links)

    def _show_works(self, works: bool) -> None:  # noqa: FBT001 - the value of the toggle
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
        changes: dict[str, str | None] = {}
        for name in filter(None, names):
            author, work = chosen[name[0]]
            changes |= {author: name[1:], work: None}
        self._read(**changes)

    def _go(self, cited: tuple[str, str], citing: tuple[str, str]) -> None:
        self._read(
            source_author=cited[0],
            source_work=cited[1] if self._works else None,
            query_author=citing[0],
            query_work=citing[1],
        )

    def _read(self, **changes: str | None) -> None:
        """Read the pairs that the map has counted, narrowed further."""
        counted = self._counted()
        self.workspace.narrow(
            best=counted.best, least_probability=counted.least_probability, **changes
        )
        self.page.open("read")

    def _counted(self) -> ResultFilter:
        """Return what counts as a reference: what the filters leave, or else what is likely.

        A search finds candidates for every segment, whether it refers to something or not.
        """
        chosen = self.workspace.wanted
        if any(getattr(chosen, name) is not None for name in _NARROWING):
            return chosen
        if self.workspace.has_probabilities:
            return replace(chosen, least_probability=0.5)
        return replace(chosen, best=1)

    def _list(self, links: list[dict[str, Any]]) -> None:
        """Offer the same to keyboards and screen readers."""
        counts = charts.count_citations(links, works=self._works)
        most = sorted(counts.items(), key=lambda item: -item[1])[:_MOST_LISTED]
        for (cited, citing), count in most:
            names = [
                ", ".join(filter(None, p)) or self.translate("unknown") for p in (citing, cited)
            ]
            ui.button(
                f"{names[0]} → {names[1]}: {count}",
                on_click=lambda _, cited=cited, citing=citing: self._go(cited, citing),
            ).props("flat dense no-caps align=left")
