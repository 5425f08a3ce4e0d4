"""The table: all filtered pairs, fetched while scrolling."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from nicegui import ui

from locisimiles.app.judging.verdicts import VERDICTS
from locisimiles.app.results import ORDERS
from locisimiles.app.ui import markup
from locisimiles.app.ui.view import View

if TYPE_CHECKING:
    from nicegui.events import GenericEventArguments

__all__ = ["TableView"]

_FALLING = ("score", "probability")  # sorted from the greatest by default
_COLUMNS = (
    ("query_id", 170, True), ("source_id", 170, True), ("rank", 80, True), ("score", 95, True),
    ("probability", 120, True), ("shipped", 120, True), ("type", 85, True), ("verdict", 110, True),
    ("shared", 200, True), ("rarity", 95, True), ("source_author", 130, True),
    ("source_work", 150, True), ("query_author", 130, False), ("query_work", 150, False),
    ("query_text", 320, True), ("source_text", 320, True), ("note", 160, False),
)  # fmt: skip
_LEARNT_WIDTH = 190
_DATASOURCE = """{getRows: (wanted) => {
  const table = window.lociTable;
  const query = new URLSearchParams(table.query);
  query.set('offset', wanted.startRow);
  query.set('limit', wanted.endRow - wanted.startRow);
  query.set('texts', 'true');
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
}}""".replace("FALLING", json.dumps(_FALLING))


class TableView(View):
    """All pairs, with the current one below them."""

    def build(self) -> None:
        """Create the elements, empty."""
        t = self.translate
        place = f"/api/v1/projects/{self.page.project.id}/results"
        ui.run_javascript(
            f"window.lociTable = {{place: {json.dumps(place)}, query: {json.dumps(self._wanted())},"
            f" chosen: {json.dumps(self.workspace.row)}}}"
        )
        with (
            ui.row().classes("w-full justify-end"),
            ui.button(t("columns"), icon="view_column").props("flat dense"),
            ui.menu(),
            ui.column().classes("q-pa-md column-choice"),
        ):
            for name, _, shown in _COLUMNS:
                if self._exists(name):
                    ui.checkbox(
                        self._head(name),
                        value=self._shown(name, usual=shown),
                        on_change=lambda e, name=name: self._show_column(name, visible=e.value),
                    ).props("dense")
        self._grid = ui.aggrid(self._options(), auto_size_columns=False).classes("result-table")
        self._grid.on("rowClicked", self._clicked, ["data"])
        ui.on("loci_sorted", self._sorted)
        with ui.element("section").classes("pair").props(f'aria-label="{t("pair")}"'):
            self._query = ui.html(sanitize=False)
            self._pair = self.html()

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
        chosen = self.workspace.row
        ui.run_javascript(
            f"window.lociTable.chosen = {json.dumps(chosen)}; "
            f"window.lociTable.query = {json.dumps(self._wanted())};"
        )
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
        # The score of a pair with a probability is the probability.
        judged = self.workspace.has_probabilities
        return name != "score" if judged else name not in ("probability", "type")

    def _learnt_names(self) -> tuple[str, ...]:
        """Return the columns of a learnt ranking, which have longer heads."""
        return ("probability", "shipped") if self.workspace.learnt else ()

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
                "width": max(width, _LEARNT_WIDTH) if name in self._learnt_names() else width,
                "hide": not self._shown(name, usual=shown),
                "sortable": name in ORDERS,
                "sortingOrder": ["desc", "asc"] if name in _FALLING else ["asc", "desc"],
                **_FORMATS.get(name, {}),
                **(self._verdicts() if name == "verdict" else {}),
            }
            for name, width, shown in _COLUMNS
            if self._exists(name)
        ]
        return {
            "columnDefs": columns,
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
            ":datasource": _DATASOURCE,
            ":getRowId": "(params) => String(params.data.row)",
            "rowClassRules": {
                "chosen-row": "window.lociTable && data && data.row === window.lociTable.chosen"
            },
            "overlayNoRowsTemplate": t("no_candidates"),
        }

    def _verdicts(self) -> dict[str, str]:
        names = {name: self.translate(f"verdict_{name.rstrip('.')}") for name in VERDICTS}
        return {":valueFormatter": f"(p) => ({json.dumps(names)})[p.value] || ''"}

    def _clicked(self, event: GenericEventArguments) -> None:
        data = event.args.get("data")
        if isinstance(data, dict):
            self.page.act("row", row=str(int(data["row"])))

    def _sorted(self, event: GenericEventArguments) -> None:
        self.workspace.order = str(event.args["order"])
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
        self._query.set_content(
            markup.query_heading(
                segment, pair, self.context("query", query), translate=self.translate
            )
        )
        card = markup.candidate(
            row,
            translate=self.translate,
            pair=pair,
            context=self.context("source", source),
            glosses=self.glosses(pair.row["shared"]),
        )
        self._pair.set_content(f'<ol class="candidates">{card}</ol>')


_FORMATS: dict[str, dict[str, Any]] = {
    "score": {":valueFormatter": "(p) => p.value == null ? '' : p.value.toFixed(2)"},
    "probability": {":valueFormatter": "(p) => p.value == null ? '' : p.value.toFixed(3)"},
    "shipped": {":valueFormatter": "(p) => p.value == null ? '' : p.value.toFixed(3)"},
    "query_id": {":valueFormatter": "(p) => p.data ? p.data.query_citation : ''"},
    "source_id": {":valueFormatter": "(p) => p.data ? p.data.source_citation : ''"},
    "query_text": {"cellClass": "latin-cell"},
    "source_text": {"cellClass": "latin-cell"},
}
