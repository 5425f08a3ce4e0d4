"""The table: all filtered pairs, fetched while scrolling."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from nicegui import ui

from locisimiles.app.judging.verdicts import VERDICTS, Judging
from locisimiles.app.results import ORDERS
from locisimiles.app.ui import markup
from locisimiles.app.ui.batch_bar import BatchBar
from locisimiles.app.ui.view import View
from locisimiles.messages import author_names

if TYPE_CHECKING:
    from collections.abc import Mapping

    from nicegui.events import GenericEventArguments

    from locisimiles.app.ui.batch_bar import ChosenRows

__all__ = ["TableView"]

_FALLING = ("score", "probability")  # sorted from the greatest by default
_COLUMNS = (
    ("query_id", 160, True), ("query_text", 330, True), ("source_id", 150, True),
    ("source_text", 330, True), ("verdict", 90, True), ("decision", 140, True),
    ("score", 75, True), ("probability", 110, True), ("shipped", 120, True), ("type", 70, True),
    ("rank", 70, True), ("shared", 200, True), ("rarity", 95, True), ("source_author", 130, True),
    ("source_work", 150, True), ("query_author", 130, False), ("query_work", 150, False),
    ("note", 160, False),
)  # fmt: skip
_LETTER_WIDTH, _ROOM_FOR_ARROW = 8, 42  # of the heads, in pixels
_DATASOURCE = """(Object.assign(window.lociTable, TABLE), {getRows: (wanted) => {
  const table = window.lociTable;
  const query = new URLSearchParams(table.query);
  query.set('offset', wanted.startRow);
  query.set('limit', wanted.endRow - wanted.startRow);
  query.set('kwic', 'true');
  const sorted = wanted.sortModel[0];
  if (sorted) {
    const falling = FALLING.includes(sorted.colId);
    query.set('order', sorted.colId);
    const backwards = (sorted.sort === 'desc') !== falling;
    query.set('backwards', backwards);
    const now = sorted.colId + sorted.sort;
    if (table.sorted !== now) {
      table.sorted = now;
      emitEvent('loci_sorted', {order: sorted.colId, backwards});
    }
  }
  fetch(table.place + '?' + query)
    .then((answer) => answer.json())
    .then((found) => wanted.successCallback(found.rows, found.total))
    .catch(() => wanted.failCallback());
}})""".replace("FALLING", json.dumps(_FALLING))


class TableView(View):
    """All pairs, with the current one below them."""

    _head_order: str | None = None  # the order of the column by whose head the table is sorted

    def build(self) -> None:
        """Create the elements, empty."""
        t = self.translate
        with ui.row().classes("w-full items-center table-tools"):
            self._batch = BatchBar(self.page, self._show_selection)
            self._legend = ui.html(sanitize=False).classes("meta legend")
            ui.space()
            self._column_menu()
        self._grid = ui.aggrid(self._options(), auto_size_columns=False).classes("result-table")
        self._grid.on("rowClicked", self._clicked, ["data"])
        ui.on("loci_sorted", self._sorted)
        with ui.element("section").classes("pair").props(f'aria-label="{t("pair")}"'):
            self._query = ui.html(sanitize=False)
            self._pair = self.html()

    def choose(self, values: Mapping[str, Any]) -> None:
        """Select pairs, as keys or clicks ask for."""
        self._batch.choose(values)

    async def judge_selection(self, verdict: str) -> bool:
        """Judge the selected pairs; return whether there are any."""
        return await self._batch.judge(verdict)

    def _tell(self) -> None:
        """Tell the script what to fetch and what to show."""
        values = {"query": self._wanted(), "chosen": self.workspace.row}
        ui.run_javascript(f"Object.assign(window.lociTable, {json.dumps(values)})")

    def _show_selection(self, selection: ChosenRows) -> None:
        shown = f"{json.dumps(selection.is_all)}, {json.dumps(sorted(selection.rows))}"
        ui.run_javascript(f"window.lociTable.select({shown})")

    def _column_menu(self) -> None:
        with (
            ui.button(self.translate("columns"), icon="view_column").props("flat dense"),
            ui.menu().props("role=dialog") as menu,
            ui.column().classes("q-pa-md column-choice"),
        ):
            menu.props["aria-label"] = self.translate("columns")
            for name, _, shown in _COLUMNS:
                if self._exists(name):
                    ui.checkbox(
                        self._head(name),
                        value=self._shown(name, usual=shown),
                        on_change=lambda e, name=name: self._show_column(name, visible=e.value),
                    ).props("dense")

    def update(self, *, filtered: bool) -> None:
        """Fetch the rows again, and show the current pair."""
        if filtered:
            self.page.freeze_lists()
        self._fetch(filtered=filtered)
        if not filtered and (position := self.workspace.position()) is not None:
            self._grid.run_grid_method("ensureIndexVisible", position)

    def arrive(self) -> None:
        """Show verdicts of others; what a running search adds, when the reader asks for it."""
        self._fetch(filtered=False)

    def _fetch(self, *, filtered: bool) -> None:
        self._show_pair()
        self.show_legend(self._legend)
        self._batch.update()
        self._tell()
        if self._head_order not in (None, self.workspace.order):  # the bar has changed the order
            self._head_order = None
            ui.run_javascript("window.lociTable.sorted = null")
            self._grid.run_grid_method("applyColumnState", {"defaultState": {"sort": None}})
        if filtered:
            self._grid.run_grid_method("purgeInfiniteCache")
            return
        self._grid.run_grid_method("refreshInfiniteCache")
        self._grid.run_grid_method("redrawRows")

    def _shown(self, name: str, *, usual: bool) -> bool:
        columns = self.workspace.columns
        return usual if columns is None else name in columns

    def _show_column(self, name: str, *, visible: bool) -> None:
        self.workspace.columns = tuple(
            one
            for one, _, usual in _COLUMNS
            if (visible if one == name else self._shown(one, usual=usual))
        )
        self.page.remember_place()
        self._grid.run_grid_method("setColumnsVisible", [name], visible)

    def _wanted(self) -> str:
        workspace = self.workspace
        return urlencode(
            {
                **workspace.address,
                "order": workspace.order,
                "backwards": str(workspace.backwards).lower(),
                **({} if workspace.until is None else {"until": workspace.until}),
            }
        )

    def _exists(self, name: str) -> bool:
        if name == "shipped":
            return self.workspace.learnt
        if name == "decision":
            return not self.workspace.is_blind and bool(Judging(self.page.project).decisions())
        # The score of a pair with a probability is the probability.
        judged = self.workspace.has_probabilities
        return name != "score" if judged else name not in ("probability", "type")

    def _head(self, name: str) -> str:
        if name == "probability" and self.workspace.learnt:
            return self.translate("column_learnt_probability")
        return self.translate(f"column_{name}")

    def _options(self) -> dict[str, Any]:
        t = self.translate
        columns = [
            {
                "field": name,
                "colId": name,
                "headerName": self._head(name),
                "width": max(width, _least_width(self._head(name))),
                "hide": not self._shown(name, usual=shown),
                "wrapHeaderText": True,
                "autoHeaderHeight": True,
                "sortable": name in ORDERS,
                "sortingOrder": ["desc", "asc"] if name in _FALLING else ["asc", "desc"],
                **_FORMATS.get(name, {}),
                **(self._authors() if name.endswith("_author") else {}),
                **(self._verdicts() if name == "verdict" else {}),
                **(self._decisions() if name == "decision" else {}),
            }
            for name, width, shown in _COLUMNS
            if self._exists(name)
        ]
        choice = {
            "colId": "choice",
            "headerName": "✓",
            "width": 38,
            "sortable": False,
            "resizable": False,
            ":cellRenderer": "window.lociTable.check",
        }
        return {
            "columnDefs": [choice, *columns],
            "rowModelType": "infinite",
            "cacheBlockSize": 100,
            "maxBlocksInCache": 30,
            "rowBuffer": 4,
            "animateRows": False,
            "suppressRowHoverHighlight": True,
            "suppressColumnMoveAnimation": True,
            "infiniteInitialRowCount": 100,
            "rowHeight": 34,
            "suppressMultiSort": True,
            ":datasource": self._datasource(),
            ":getRowId": "(params) => String(params.data.row)",
            ":onColumnResized": "(event) => event.finished && window.lociTable.fit(event.api)",
            "rowClassRules": {
                "selected-row": "window.lociTable && data && window.lociTable.has(data.row)",
                "chosen-row": "window.lociTable && data && data.row === window.lociTable.chosen",
            },
            "overlayNoRowsTemplate": t("no_candidates"),
        }

    def _datasource(self) -> str:
        """Return the script that fetches rows; it has what it needs before the first are asked."""
        table = {
            "place": f"/api/v1/projects/{self.page.project.id}/results",
            "query": self._wanted(),
            "chosen": self.workspace.row,
            "label": self.translate("choose_pair"),
            "also": self.translate("also_in"),
        }
        return _DATASOURCE.replace("TABLE", json.dumps(table))

    def _authors(self) -> dict[str, str]:
        names = json.dumps(dict(author_names(self.translate.language)))
        return {":valueFormatter": f"(p) => ({names})[p.value] || p.value || ''"}

    def _verdicts(self) -> dict[str, str]:
        names = {name: self.translate(f"verdict_{name.rstrip('.')}") for name in VERDICTS}
        return {":valueFormatter": f"(p) => ({json.dumps(names)})[p.value] || ''"}

    def _decisions(self) -> dict[str, str]:
        names = json.dumps({n: self.translate(f"verdict_{n.rstrip('.')}") for n in VERDICTS})
        said = f"`${{({names})[p.value]}} (${{p.data.decided_by}})`"
        return {":valueFormatter": f"(p) => p.value ? {said} : ''"}

    def _clicked(self, event: GenericEventArguments) -> None:
        data = event.args.get("data")
        if isinstance(data, dict):
            self.page.act("row", row=str(int(data["row"])))

    def _sorted(self, event: GenericEventArguments) -> None:
        self.workspace.order = self._head_order = str(event.args["order"])
        self.workspace.backwards = bool(event.args["backwards"])
        self.page.show_filters()

    def _show_pair(self) -> None:
        workspace = self.workspace
        if workspace.row is None:
            self._query.set_content("")
            self._pair.set_content("")
            return
        pair = workspace.results.pair(workspace.row)
        row = {
            **pair.row,
            "source_text": pair.source_text,
            "source_locus": pair.source_locus,
            "alignment": pair.alignment,
        }
        query, source = pair.row["query"], pair.row["source"]
        segment = self.workspace.texts.segment("query", query)
        own, found = self.hits(segment.text, pair.source_text)
        self._query.set_content(
            markup.segment_card(
                segment, pair, self.context("query", query), translate=self.translate, hits=own
            )
        )
        card = markup.candidate(
            row,
            translate=self.translate,
            pair=pair,
            context=self.context("source", source),
            glosses=self.glosses(pair.row["shared"]),
            hits=found,
        )
        self._pair.set_content(f'<ol class="candidates">{card}</ol>')


def _least_width(head: str) -> int:
    """Return the width that the longest word of a head needs: heads break between words only."""
    return _LETTER_WIDTH * max(map(len, head.split())) + _ROOM_FOR_ARROW


_TEXT = {
    ":cellRenderer": "window.lociTable.kwic",
    "flex": 1,
    ":minWidth": "Math.min(330, innerWidth - 90)",
}
_FORMATS: dict[str, dict[str, Any]] = {
    "score": {":valueFormatter": "(p) => window.lociTable.decimal(p.value, 2)"},
    "probability": {":valueFormatter": "(p) => window.lociTable.decimal(p.value, 3)"},
    "shipped": {":valueFormatter": "(p) => window.lociTable.decimal(p.value, 3)"},
    "query_id": {":cellRenderer": "window.lociTable.citation"},
    "source_id": {":cellRenderer": "window.lociTable.citation"},
    "query_text": _TEXT,
    "source_text": _TEXT,
}
