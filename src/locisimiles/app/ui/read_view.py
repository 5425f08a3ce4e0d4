"""Reading: the text with its margin, the candidates of one segment beside it."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from nicegui import ui

from locisimiles.app.ui import markup
from locisimiles.app.ui.view import CLICK, View

if TYPE_CHECKING:
    from nicegui.events import GenericEventArguments

    from locisimiles.app.results.table import FoundPair

__all__ = ["ReadView"]

_WINDOW = 150
_BARS = 120
_MOST_CANDIDATES = 100
_HERE = "document.querySelectorAll('.segment.here, .candidate.chosen')"
# When a page is opened it stays at its top; later it follows the keys, which matters on telephones.
_SCROLL_PAGE = (
    f"requestAnimationFrame(() => {_HERE}.forEach((e) => e.scrollIntoView({{block: 'nearest'}})))"
)
_SCROLL_LISTS = f"""requestAnimationFrame(() => {_HERE}.forEach((e) => {{
  const box = e.closest('.list, .candidate-list');
  const below = e.getBoundingClientRect().bottom - box.getBoundingClientRect().bottom;
  const above = e.getBoundingClientRect().top - box.getBoundingClientRect().top;
  if (above < 0 || below > 0) box.scrollTop += above < 0 ? above : below;
}}))"""


class ReadView(View):
    """The text of the query, and what it may refer to."""

    _first = 0
    _range = 0.0, 1.0

    def build(self) -> None:
        """Make its elements, empty."""
        t = self.messages
        with ui.element("div").classes("read-view w-full"):
            with ui.element("section").classes("text-side").props(f'aria-label="{t("text")}"'):
                self._overview = self._html()
                with ui.row().classes("w-full items-center no-wrap pager"):
                    self._earlier = self._pager("chevron_left", "earlier", -_WINDOW)
                    self._where = ui.label().classes("grow meta text-center")
                    self._later = self._pager("chevron_right", "later", _WINDOW)
                self._list = self._html().classes("list")
            with (
                ui.element("section")
                .classes("candidate-side")
                .props(f'aria-label="{t("candidates")}" aria-live="polite"')
            ):
                self._query = self._html()
                self._candidates = self._html().classes("candidate-list")

    def update(self, *, filtered: bool) -> None:
        """Show the segment that is read, and its candidates."""
        workspace = self.workspace
        if filtered:
            self._show_overview()
        if not self._first <= workspace.query < self._first + _WINDOW:
            self._first = workspace.query // _WINDOW * _WINDOW
        self._show_text()
        self._show_candidates()
        ui.run_javascript(_SCROLL_LISTS if filtered else _SCROLL_PAGE)

    def _html(self) -> ui.html:
        def clicked(event: GenericEventArguments) -> None:
            values: dict[str, Any] = dict(event.args)
            self.page.act(str(values.pop("do")), **{k: str(v) for k, v in values.items()})

        return ui.html(sanitize=False).on("click", clicked, js_handler=CLICK)

    def _pager(self, icon: str, name: str, step: int) -> ui.button:
        def turn() -> None:
            total = self.page.project.count_segments("query")
            self._first = min(max(self._first + step, 0), max(total - 1, 0) // _WINDOW * _WINDOW)
            self._show_text()

        return ui.button(icon=icon, on_click=turn).props(
            f'flat round dense aria-label="{self.messages(name)}"'
        )

    def _show_overview(self) -> None:
        counts = self.workspace.found.by_query(self.workspace.selection)
        total = self.page.project.count_segments("query")
        values = [value for _, _, value in counts.values()]
        if self.page.bar.has_probabilities:
            self._range = 0.0, 1.0
        else:  # scores have no zero of their own; the weakest segment gets a short bar
            low, high = min(values, default=0.0), max(values, default=1.0)
            self._range = low - 0.1 * (high - low or 1.0), high
        bars = min(_BARS, total)
        edges = [number * total // bars for number in range(bars + 1)] if bars else []
        shares = []
        for begin, end in pairwise(edges):
            best = max((counts[at][2] for at in range(begin, end) if at in counts), default=None)
            shares.append((begin, 0.0 if best is None else markup.share_of(best, self._range)))
        self._overview.set_content(markup.overview(shares, messages=self.messages))

    def _show_text(self) -> None:
        project, workspace = self.page.project, self.workspace
        segments = project.segments("query", self._first, _WINDOW)
        counts = workspace.found.by_query(workspace.selection, first=self._first, count=_WINDOW)
        total = project.count_segments("query")
        last = min(self._first + _WINDOW, total)
        self._where.set_text(
            self.messages(
                "segments_shown", first=str(self._first + 1), last=str(last), total=str(total)
            )
        )
        self._earlier.set_visibility(total > _WINDOW)
        self._later.set_visibility(total > _WINDOW)
        self._list.set_content(
            markup.reading_list(
                segments,
                counts,
                current=workspace.query,
                values=self._range,
                messages=self.messages,
            )
        )

    def _show_candidates(self) -> None:
        project, workspace = self.page.project, self.workspace
        selection = replace(workspace.selection, query=workspace.query)
        rows = workspace.found.page(selection, limit=_MOST_CANDIDATES, texts=True).rows
        if workspace.row is not None and all(row["row"] != workspace.row for row in rows):
            # A pair that has just been judged stays in view although the filter hides it now.
            pair_row = workspace.found.pair(workspace.row).row
            whole = replace(selection, **dict.fromkeys(workspace.selection.as_dict()))
            whole = replace(whole, query=int(str(pair_row["query"])))
            rows = [
                row
                for row in workspace.found.page(whole, limit=1000, texts=True).rows
                if row["row"] == workspace.row or row in rows
            ]
        pair = None if workspace.row is None else workspace.found.pair(workspace.row)
        segment = project.segment("query", workspace.query)
        self._query.set_content(
            markup.query_heading(segment, pair, self.beside("query", workspace.query))
        )
        cards = [self._card(row, pair) for row in rows]
        nothing = f'<p class="meta">{self.messages("no_candidates")}</p>'
        self._candidates.set_content(
            f'<ol class="candidates">{"".join(cards)}</ol>' if cards else nothing
        )

    def _card(self, row: dict[str, Any], pair: FoundPair | None) -> str:
        if pair is None or row["row"] != pair.row["row"]:
            return markup.candidate(row, messages=self.messages)
        return markup.candidate(
            row,
            messages=self.messages,
            pair=pair,
            beside=self.beside("source", int(row["source"])),
            glosses=self.glosses(row["shared"]),
        )
