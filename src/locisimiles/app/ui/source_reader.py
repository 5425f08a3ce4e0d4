"""The source of a pair in its work: a text to scroll, with the candidates in its margin."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from nicegui import ui

from locisimiles.app.results.passages import passage_of
from locisimiles.app.ui.source_markup import source_passages, source_text, source_title
from locisimiles.corpus.citations import cite, cited_work

if TYPE_CHECKING:
    from nicegui.events import GenericEventArguments

    from locisimiles.app.ui.view import Page

__all__ = ["SourceReader"]

_BEFORE, _AFTER = 25, 40
_STEP = 60
_MOST_PLACES = 400
_CLICK = """(event) => {
  const target = event.target.closest('[data-do=row]');
  if (target) emit(target.dataset.row);
}"""


class SourceReader:
    """A dialog with the work that the selected pair cites, opened at the cited passage.

    Passages are fetched as the reader scrolls, so a work may have any length.
    """

    def __init__(self, page: Page) -> None:
        self._page, self._t = page, page.translate
        self._row: int | None = None
        self._begin = self._end = 0
        with (
            ui.dialog().props("position=right").classes("source-dialog") as self._dialog,
            ui.card().classes("source-card"),
        ):
            with ui.row().classes("w-full items-center no-wrap source-head"):
                self._title = ui.html(sanitize=False).classes("grow")
                ui.button(self._t("source_cited"), icon="my_location", on_click=_to_cited).props(
                    "flat dense"
                )
                close = ui.button(icon="close", on_click=self._dialog.close)
                close.props("flat round dense").props["aria-label"] = self._t("close")
            self._body = ui.html(sanitize=False).classes("source-body")
            self._body.on("click", self._follow, js_handler=_CLICK)
        ui.on("loci_source", self._go_on)

    def open(self) -> None:
        """Show the source of the selected pair."""
        workspace = self._page.workspace
        if workspace.row is None:
            return
        self._row = workspace.row
        position = int(workspace.results.pair(self._row).row["source"])
        self._begin, self._end = workspace.texts.extent("source", position)
        segment = workspace.texts.segment("source", position)
        name = cited_work(segment) or self._t("source_text")
        self._dialog.props["aria-label"] = name
        self._title.set_content(
            source_title(name, self._t.named_beside(name, segment.author, segment.work))
        )
        first, last = max(position - _BEFORE, self._begin), min(position + _AFTER, self._end)
        self._body.set_content(
            source_text(
                self._passages(first, last),
                name=f"{self._t('source_text')}: {cite(passage_of(segment))}",
                extent=(self._begin, self._end),
                translate=self._t,
            )
        )
        self._dialog.open()

    def _passages(self, first: int, last: int) -> str:
        """Return the passages from `first` up to `last`, without it."""
        workspace = self._page.workspace
        pair = None if self._row is None else workspace.results.pair(self._row)
        return source_passages(
            workspace.texts.segments("source", first, last - first),
            workspace.results.by_source(first, last - 1, limit=_MOST_PLACES),
            pair=pair,
            translate=self._t,
        )

    def _go_on(self, event: GenericEventArguments) -> None:
        if not self._dialog.value:
            return
        before, after = event.args.get("before"), event.args.get("after")
        if isinstance(before, int):
            last = min(max(before, self._begin), self._end)
            first = max(last - _STEP, self._begin)
        elif isinstance(after, int):
            first = min(max(after + 1, self._begin), self._end)
            last = min(first + _STEP, self._end)
        else:
            return
        html = json.dumps(self._passages(first, last))
        ui.run_javascript(f"window.loci.source.add({html}, {json.dumps(before is not None)})")

    def _follow(self, event: GenericEventArguments) -> None:
        """Go to a pair in the margin."""
        self._dialog.close()
        self._page.act("row", row=str(event.args))


def _to_cited() -> None:
    ui.run_javascript("window.loci.source.cited()")
