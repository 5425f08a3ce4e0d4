"""What a search has found, in a few sentences, with ways into the results."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nicegui import ui

from locisimiles.app.judging.expected import judged_expectation
from locisimiles.app.results import ResultFilter
from locisimiles.app.results.summary import compute_summary
from locisimiles.app.search.status import search_status
from locisimiles.app.ui import markup
from locisimiles.app.ui.export_menu import ExportMenu

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from nicegui.events import GenericEventArguments

    from locisimiles.app.judging.expected import JudgedExpectation
    from locisimiles.app.results import CitedWork
    from locisimiles.app.results.summary import Summary
    from locisimiles.app.search.status import SearchStatus
    from locisimiles.app.ui.translator import Translator
    from locisimiles.app.ui.view import Page

__all__ = ["SummaryCard", "SummaryPanel", "summary_sentences"]

_FEW = 10  # smaller numbers than this have decimals
_CLICK = """(event) => {
  const target = event.target.closest('[data-query]');
  if (target) emit(target.dataset.query);
}"""


def summary_sentences(
    summary: Summary,
    status: SearchStatus,
    translate: Translator,
    *,
    learnt: bool,
    judged: JudgedExpectation | None = None,
) -> list[str]:
    """Return what can be said of the results: what to expect, or why that is not known.

    `judged` is what to expect given readers' verdicts.
    """
    t = translate
    numbers: dict[str, Any] = {"pairs": summary.pairs, "segments": status.queries}
    if not summary.has_probabilities:
        counted = t("summary_counted", count=summary.counted)
        return [t("summary_scores", found=summary.segments, **numbers), counted]
    numbers["passages"] = _about(summary.passages, t)
    known = status.references if judged is None else judged.references
    if known is None or learnt:  # the interval is that of the shipped probabilities
        return [t("summary_expected_only", expected=_about(summary.expected, t), **numbers)]
    expected = t(
        "summary_expected",
        expected=_about(known.expected, t),
        low=round(known.low),
        high=round(known.high),
        **numbers,
    )
    counted_in = [] if judged is None else [t("summary_judged", count=judged.verdicts)]
    return [expected, *counted_in, t("summary_assumes")]


def _about(number: float, translate: Translator) -> str:
    return translate.number(round(number) if number >= _FEW else round(number, 1), 1)


class SummaryCard:
    """The summary of the search that is read, and buttons that lead into its results."""

    def __init__(self, page: Page, *, on_close: Callable[[], None] | None = None) -> None:
        self._page, self._t, self._on_close = page, page.translate, on_close
        self._card = ui.card().classes("w-full summary")
        self._card.props["role"] = "region"
        self._card.props["aria-label"] = self._t("summary")
        self._shown: object = None

    def show(self) -> bool:
        """Show the summary of the search that is read; return whether there is one."""
        workspace = self._page.workspace
        revision = self._page.project.revision()
        state = revision.search, revision.ranking, workspace.searched
        if state == self._shown:
            return bool(self._card.visible)
        self._shown = state
        status = search_status(self._page.project, workspace.searched)
        summary = None
        if status is not None and not status.is_busy:
            summary = compute_summary(
                self._page.project, reader=workspace.reader, search=workspace.search
            )
        self._card.clear()
        self._card.set_visibility(summary is not None)
        if status is not None and summary is not None:
            with self._card:
                self._fill(summary, status)
        return summary is not None

    def _fill(self, summary: Summary, status: SearchStatus) -> None:
        t = self._t
        learnt = self._page.workspace.learnt
        judged = None
        # What to expect would tell a blind reader how others have judged.
        if summary.has_probabilities and not self._page.workspace.is_blind:
            judged = judged_expectation(self._page.project, status.number)
        first, *rest = summary_sentences(summary, status, t, learnt=learnt, judged=judged)
        rest = [*filter(None, [markup.progress_text(status, t)]), *rest]
        if self._on_close is None:
            ui.label(t("summary")).classes("subtitle").props('role="heading" aria-level="2"')
            ui.label(first).classes("summary-sentence")
            self._remarks(rest)
            self._buttons(summary)
            self._details(summary)
            return
        with ui.row().classes("w-full items-start no-wrap"):
            ui.label(first).classes("summary-sentence grow")
            close = ui.button(icon="close", on_click=self._on_close).props("flat round dense")
            close.classes("summary-close")
            close.props["aria-label"] = t("summary_close")
        self._buttons(summary)
        with ui.expansion(t("summary_more")).classes("w-full").props("dense"):
            self._remarks(rest)
            self._details(summary)

    def _remarks(self, sentences: Iterable[str]) -> None:
        for sentence in sentences:
            ui.label(sentence).classes("meta")

    def _buttons(self, summary: Summary) -> None:
        t, page = self._t, self._page
        order = "probability" if summary.has_probabilities else "score"
        with ui.row().classes("items-center"):
            ui.button(
                t("summary_probable" if summary.has_probabilities else "summary_best"),
                icon="auto_stories",
                on_click=lambda: page.read_in_order(order),
            )
            ui.button(t("summary_reading"), on_click=lambda: page.read_in_order("reading")).props(
                "outline"
            )
            if self._on_close is None:  # above the results, the bar has the same menu
                ExportMenu(page).build(blind=page.workspace.is_blind)

    def _details(self, summary: Summary) -> None:
        t = self._t
        label = t("summary_strip")
        strip = ui.html(
            markup.overview(summary.bars, translate=t, label=label), sanitize=False
        ).classes("w-full")
        strip.on("click", self._strip_clicked, js_handler=_CLICK)
        if not summary.densest and not summary.works:
            ui.label(t("summary_nothing")).classes("meta")
            return
        passages = (
            (self._item(one.citation, one.weight, summary), lambda at=one.first: self._go(at))
            for one in summary.densest
        )
        works = (
            (self._item(self._name(one), one.weight, summary), lambda one=one: self._filter(one))
            for one in summary.works
        )
        with ui.element("div").classes("summary-lists w-full"):
            self._links(t("summary_where"), passages)
            # Many high scores for a work do not mean that it is cited.
            self._links(t("summary_works" if summary.has_probabilities else "works"), works)

    def _links(self, title: str, links: Iterable[tuple[str, Callable[[], None]]]) -> None:
        with ui.element("section"):
            ui.label(title).classes("text-weight-medium").props('role="heading" aria-level="3"')
            with ui.element("ul").classes("summary-list"):
                for text, go in links:
                    with ui.element("li"):
                        ui.button(text, on_click=go).props("flat dense no-caps align=left")

    def _item(self, name: str, weight: float, summary: Summary) -> str:
        if summary.has_probabilities:
            return self._t("summary_item", item=name, count=_about(weight, self._t))
        return self._t("summary_item_scores", item=name, count=self._t.number(int(weight)))

    def _name(self, work: CitedWork) -> str:
        return self._t.author_and_work(work.author, work.work) or self._t("unknown")

    def _strip_clicked(self, event: GenericEventArguments) -> None:
        if str(event.args).isdecimal():
            self._go(int(str(event.args)))

    def _go(self, position: int) -> None:
        workspace = self._page.workspace
        workspace.wanted = ResultFilter()
        workspace.go_to_query(position)
        self._page.read()

    def _filter(self, work: CitedWork) -> None:
        workspace = self._page.workspace
        workspace.wanted = ResultFilter(source_author=work.author, source_work=work.work)
        workspace.begin()
        self._page.read()


class SummaryPanel:
    """The summary above the results, until the reader closes it or comes back after judging."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._open = False
        self._card: SummaryCard | None = None
        self._place = ui.column().classes("w-full")
        self._place.set_visibility(False)

    def open(self, *, again: bool = True) -> None:
        """Show the summary; unless `again`, only if the reader has not closed it nor begun."""
        workspace = self._page.workspace
        closed = self._page.project.setting(self._setting) == str(workspace.searched)
        begun = workspace.results.count(ResultFilter(status="judged")) > 0
        self._open = again or not (closed or begun)

    def show(self, *, visible: bool) -> None:
        """Show the summary where there are results, if it is open."""
        shown = visible and self._open
        if shown and self._card is None:
            with self._place:
                self._card = SummaryCard(self._page, on_close=self._close)
        self._place.set_visibility(shown and self._card is not None and self._card.show())

    @property
    def _setting(self) -> str:
        return f"summary closed:{self._page.workspace.reader}"

    def _close(self) -> None:
        self._open = False
        self._place.set_visibility(False)
        searched = self._page.workspace.searched
        self._page.project.set_setting(self._setting, str(searched))
