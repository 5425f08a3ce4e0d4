"""The map: which works cite whom; a click filters by them."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from nicegui import ui

from locisimiles.app.results.places import find_places
from locisimiles.app.ui import charts
from locisimiles.app.ui.figure import Figure
from locisimiles.app.ui.view import View

if TYPE_CHECKING:
    from nicegui.events import EChartPointClickEventArguments

    from locisimiles.app.results import ResultFilter
    from locisimiles.app.results.places import Likely

__all__ = ["MapView"]

_NARROWING = ("best", "status", "least_probability", "least_score")
_MOST_LISTED = 100


class MapView(View):
    """Citing works against cited authors or works, and pairs by their places."""

    _works = False

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
        self._nothing = ui.label(t("no_candidates")).classes("meta")
        self._place = ui.column().classes("w-full map-figures")
        self._figures: list[Figure] = []
        with ui.expansion(t("as_list")).classes("w-full"):
            self._entries = ui.column().classes("w-full")

    def update(self, *, filtered: bool) -> None:  # noqa: ARG002 - verdicts may change the counts
        """Count again."""
        t, workspace = self.translate, self.workspace
        links = workspace.results.links(self._counted())
        self._links = links
        places = find_places(
            self.page.project,
            workspace.wanted,
            likely=self._likely(),
            reader=workspace.reader,
            search=workspace.search,
        )
        made = (
            partial(charts.heatmap, links, t, works=self._works),
            partial(charts.dot_plot, places, t),
            partial(charts.flows, links, t),
        )
        if self._figures:
            for figure, make in zip(self._figures, made, strict=True):
                figure.show(make)
        else:
            with self._place:
                self._figures = [
                    Figure(self.page, made[0], on_point_click=self._clicked),
                    Figure(
                        self.page, made[1], on_point_click=self._pointed, on_link=self._read_pair
                    ),
                    Figure(self.page, made[2], on_point_click=self._followed),
                ]
        for figure, filled in zip(self._figures, (links, places.points, links), strict=True):
            figure.set_visibility(bool(filled))
        self._nothing.set_visibility(not links and not places.points)
        self._entries.clear()
        with self._entries:
            self._list(links)

    def _show_works(self, works: bool) -> None:  # noqa: FBT001 - the value of the toggle
        self._works = works
        self.update(filtered=False)

    def _clicked(self, event: EChartPointClickEventArguments) -> None:
        data: dict[str, Any] = event.data if isinstance(event.data, dict) else {}
        counts = list(charts.count_citations(self._links, works=self._works))
        if 0 <= int(data.get("link", -1)) < len(counts):
            self._go(*counts[int(data["link"])])

    def _pointed(self, event: EChartPointClickEventArguments) -> None:
        if isinstance(event.data, dict) and "row" in event.data:
            self._read_pair(int(event.data["row"]))

    def _read_pair(self, row: int) -> None:
        """Read a pair, with the filters as they are."""
        self.workspace.go_to(row)
        self.page.open("read")

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

    def _likely(self) -> Likely | None:
        """Return what counts besides judged pairs; None if the filters say it."""
        chosen = self.workspace.wanted
        if any(getattr(chosen, name) is not None for name in _NARROWING):
            return None
        return "probable" if self.workspace.has_probabilities else "best"

    def _counted(self) -> ResultFilter:
        """Return what counts as a reference: what the filters leave, or else what is likely.

        A search finds candidates for every segment, whether it refers to something or not.
        """
        narrowed: dict[Likely | None, dict[str, Any]] = {
            "probable": {"least_probability": 0.5},
            "best": {"best": 1},
            None: {},
        }
        return replace(self.workspace.wanted, **narrowed[self._likely()])

    def _list(self, links: list[dict[str, Any]]) -> None:
        """Offer the same to keyboards and screen readers."""
        counts = charts.count_citations(links, works=self._works)
        most = sorted(counts.items(), key=lambda item: -item[1])[:_MOST_LISTED]
        for (cited, citing), count in most:
            names = [
                self.translate.author_and_work(*party) or self.translate("unknown")
                for party in (citing, cited)
            ]
            ui.button(
                f"{names[0]} → {names[1]}: {count}",
                on_click=lambda _, cited=cited, citing=citing: self._go(cited, citing),
            ).props("flat dense no-caps align=left")
