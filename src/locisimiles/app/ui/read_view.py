"""Reading: the text with bars in its margin, and the candidates of one segment beside it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from nicegui import ui

from locisimiles.app.results import ResultFigures, ResultFilter
from locisimiles.app.results.passages import side_of
from locisimiles.app.ui import markup
from locisimiles.app.ui.view import View
from locisimiles.corpus.citations import cite
from locisimiles.results import ACCEPTED
from locisimiles.results.passages import joined_loci

if TYPE_CHECKING:
    from collections.abc import Sequence

    from locisimiles.app.results import PairDetails

__all__ = ["ReadView", "rows_beneath", "with_passages"]

_WINDOW = 150
_LIKELY = 0.5
_BARS = 120
_MOST_CANDIDATES = 100
_HERE = "document.querySelectorAll('.segment.here, .candidate.chosen')"
# A page opens at its top; later it follows the keys, which matters on phones.
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
    """The text of the query, and the candidates of a segment."""

    _first = 0
    _range = 0.0, 1.0

    def build(self) -> None:
        """Create the elements, empty."""
        t = self.translate
        with ui.element("div").classes("read-view w-full"):
            with ui.element("section").classes("text-side").props(f'aria-label="{t("text")}"'):
                self._overview = self.html()
                with ui.row().classes("w-full items-center no-wrap pager"):
                    self._earlier = self._pager("chevron_left", "earlier", -_WINDOW)
                    self._where = ui.label().classes("grow meta text-center")
                    self._later = self._pager("chevron_right", "later", _WINDOW)
                self._list = self.html().classes("list")
            with (
                ui.element("section")
                .classes("candidate-side")
                .props(f'aria-label="{t("candidates")}" aria-live="polite"')
            ):
                self._legend = ui.html(sanitize=False).classes("meta legend")
                self._query = self.html()
                self._candidates = self.html().classes("candidate-list")

    def arrive(self) -> None:
        """Show new bars and candidates; neither page nor text moves."""
        self._show_overview()
        self._show_text()
        self._show_candidates()

    def update(self, *, filtered: bool) -> None:
        """Show the current segment and its candidates."""
        workspace = self.workspace
        if filtered:
            self._show_overview()
        if not self._first <= workspace.query < self._first + _WINDOW:
            self._first = workspace.query // _WINDOW * _WINDOW
        self._show_text()
        self._show_candidates()
        ui.run_javascript(_SCROLL_LISTS if filtered else _SCROLL_PAGE)

    def _pager(self, icon: str, name: str, step: int) -> ui.button:
        def turn() -> None:
            total = self.workspace.texts.count("query")
            self._first = min(max(self._first + step, 0), max(total - 1, 0) // _WINDOW * _WINDOW)
            self._show_text()

        return ui.button(icon=icon, on_click=turn).props(
            f'flat round dense aria-label="{self.translate(name)}"'
        )

    def _show_overview(self) -> None:
        workspace = self.workspace
        total = workspace.texts.count("query")
        number = min(_BARS, total)
        figures = ResultFigures(workspace.project.database, workspace.reader, workspace.search)
        bars = figures.bars(number, total, workspace.wanted) if total else {}
        if workspace.has_probabilities:
            self._range = 0.0, 1.0
        else:  # scores have no zero; the weakest segment gets a short bar
            low = min((bar.least for bar in bars.values()), default=0.0)
            high = max((bar.best for bar in bars.values()), default=1.0)
            self._range = low - 0.1 * (high - low or 1.0), high
        shares = [
            (-(-at * total // number), markup.share_of(bars[at].best, self._range))
            if at in bars
            else (-(-at * total // number), 0.0)
            for at in range(number)
        ]
        self._overview.set_content(markup.overview(shares, translate=self.translate))

    def _show_text(self) -> None:
        workspace = self.workspace
        segments = workspace.texts.segments("query", self._first, _WINDOW)
        counts = workspace.results.by_query(workspace.wanted, first=self._first, count=_WINDOW)
        total = workspace.texts.count("query")
        last = min(self._first + _WINDOW, total)
        self._where.set_text(
            self.translate("segments_shown", first=self._first + 1, last=last, total=total)
        )
        self._earlier.set_visibility(total > _WINDOW)
        self._later.set_visibility(total > _WINDOW)
        self._list.set_content(
            markup.reading_list(
                segments,
                counts,
                current=workspace.query,
                values=self._range,
                translate=self.translate,
                hits=self.hits(*(segment.text for segment in segments)),
            )
        )

    def _show_candidates(self) -> None:
        workspace = self.workspace
        wanted = replace(workspace.wanted, query=workspace.query)
        rows = workspace.results.page(wanted, limit=_MOST_CANDIDATES, texts=True).rows
        if workspace.row is not None and all(row["row"] != workspace.row for row in rows):
            # A pair that was just judged stays in view, although the filter hides it now.
            whole = ResultFilter(query=workspace.results.pair(workspace.row).row["query"])
            rows = [
                row
                for row in workspace.results.page(whole, limit=1000, texts=True).rows
                if row["row"] == workspace.row or row in rows
            ]
        pair = None if workspace.row is None else workspace.results.pair(workspace.row)
        segment = workspace.texts.segment("query", workspace.query)
        own, *hits = self.hits(segment.text, *(row["source_text"] for row in rows))
        self._query.set_content(
            markup.segment_card(
                segment,
                pair,
                self.context("query", workspace.query),
                translate=self.translate,
                hits=own,
            )
        )
        self.show_legend(self._legend)
        rows = with_passages(rows)
        beneath = rows_beneath(rows, workspace.row)
        cards = [
            self._card(row, pair, found, beneath.get(row["source_id"], ()))
            for row, found in zip(rows, hits, strict=True)
            if row not in beneath.get(row["parallel_to"], ())
        ]
        nothing = f'<p class="meta">{self.translate("no_candidates")}</p>'
        self._candidates.set_content(
            f'<ol class="candidates">{"".join(cards)}</ol>' if cards else nothing
        )

    def _card(
        self,
        row: dict[str, Any],
        pair: PairDetails | None,
        hits: Sequence[Sequence[int]],
        beneath: Sequence[dict[str, Any]],
    ) -> str:
        if pair is None or row["row"] != pair.row["row"]:
            return markup.candidate(row, translate=self.translate, hits=hits, beneath=beneath)
        return markup.candidate(
            row,
            translate=self.translate,
            pair=pair,
            context=self.context("source", row["source"]),
            glosses=self.glosses(row["shared"]),
            hits=hits,
            beneath=beneath,
        )


def rows_beneath(
    rows: Sequence[dict[str, Any]], chosen: int | None
) -> dict[str, list[dict[str, Any]]]:
    """Return by source id the candidates that are named beneath another; the chosen is not.

    That other one stands for itself. A project from elsewhere may say of two that each is beneath
    the other, and none must vanish.

    Examples
    --------
    >>> rows = [
    ...     {"row": n, "source_id": id, "parallel_to": to}
    ...     for n, (id, to) in enumerate([("a", ""), ("b", "a"), ("c", "d"), ("d", "c")])
    ... ]
    >>> {id: [row["source_id"] for row in some] for id, some in rows_beneath(rows, 0).items()}
    {'a': ['b']}
    """
    heads = {row["source_id"] for row in rows if not row["parallel_to"]}
    beneath: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        if row["parallel_to"] in heads and row["row"] != chosen:
            beneath.setdefault(row["parallel_to"], []).append(row)
    return beneath


def with_passages(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the candidates of a segment with consecutive verses of the Bible cited as one."""
    if not all(cite(side_of(row, "source")).startswith("Vulg.") for row in rows):
        return list(rows)
    loci = joined_loci(
        [
            (
                f"{row['source_author']}\0{row['source_work']}",
                row["source_locus"],
                (row["probability"] or 0) >= _LIKELY or row["verdict"] in ACCEPTED,
            )
            for row in rows
        ]
    )
    return [
        row if locus == row["source_locus"] else {**row, "passage_locus": locus}
        for row, locus in zip(rows, loci, strict=True)
    ]
