"""The panel that learns from verdicts: what it learns, whether it helps, and the way back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from nicegui import run, ui

from locisimiles.app.judging.learning import FIRST, Learning
from locisimiles.app.ui.notices import notify
from locisimiles.errors import LocisimilesError
from locisimiles.messages import Message
from locisimiles.results.characters import for_html

if TYPE_CHECKING:
    from collections.abc import Callable

    from locisimiles.app.judging.learning import LearningReport, LearningState
    from locisimiles.app.ui.translator import Translator
    from locisimiles.app.ui.view import Page

__all__ = ["LearningPanel", "effect_list", "figure_table"]


class LearningPanel:
    """A dialog that measures a ranking learnt from verdicts, and applies it on request."""

    def __init__(self, page: Page) -> None:
        self._page, self._t = page, page.translate
        label = f'aria-label="{self._t("learn")}"'
        with ui.dialog().props(label) as self._dialog, ui.card().classes("learn-card"):
            ui.label(self._t("learn")).classes("subtitle")
            ui.label(self._t("learn_help")).classes("meta")
            self._body = ui.column().classes("w-full").props('aria-live="polite"')
            ui.button(self._t("close"), on_click=self._dialog.close).props("flat")

    @property
    def is_open(self) -> bool:
        """Whether it is open; keys are then not for the pairs behind it."""
        return bool(self._dialog.value)

    async def open(self) -> None:
        """Show the current ranking, and what could be learnt now."""
        if self._page.workspace.is_blind:  # it learns from the verdicts of all readers
            notify(self._t.show(Message("app.blind")))
            return
        if not self._page.workspace.has_probabilities:
            notify(self._t.show(Message("app.no_probabilities")))
            return
        self._wait()
        self._dialog.open()
        report = await self._measure()
        self._body.clear()
        with self._body:
            state = Learning(self._page.project, self._page.workspace.search).state()
            self._show_state(state)
            if report is not None:
                self._show_report(report, state)

    def _wait(self) -> None:
        """Show that work is going on, and nothing to click."""
        self._body.clear()
        with self._body:
            ui.spinner()

    async def _measure(self) -> LearningReport | None:
        """Measure what can be learnt; say why if nothing can."""
        try:
            return await run.io_bound(
                Learning(self._page.project, self._page.workspace.search).learn, "never"
            )
        except LocisimilesError as error:
            self._notify(self._t.show(error))
            return None

    def _show_state(self, state: LearningState) -> None:
        t = self._t
        if state.report is None:
            ui.label(t("learn_reset" if state.was_reset else "learn_shipped"))
            return
        ui.label(t("learn_applied", count=state.judgements))
        with ui.row():
            ui.button(t("learn_restore"), icon="undo", on_click=self.restore)
            if state.steps > 1:
                ui.button(t("learn_undo"), on_click=self._undo).props("outline")

    def _show_report(self, report: LearningReport, state: LearningState) -> None:
        t = self._t
        ui.separator()
        ui.label(
            t(
                "learn_used",
                count=report.yes + report.no,
                segments=report.segments,
                yes=report.yes,
                no=report.no,
            )
        )
        if report.left_out or report.elsewhere:
            ui.label(
                t("learn_left_out", undecided=report.left_out, elsewhere=report.elsewhere)
            ).classes("meta")
        ui.html(figure_table(report, t), sanitize=False)
        result = {True: "learn_better", False: "learn_no_better", None: "learn_too_few"}
        ui.label(t(result[report.helps])).classes("subtitle")
        if state.is_of(report):  # the project has this ranking already
            ui.html(effect_list(report, t), sanitize=False)
            return
        ui.label(t("learn_new", first=FIRST, count=report.new_in_first)).classes("meta")
        ui.html(effect_list(report, t), sanitize=False)
        apply = "learn_apply" if report.helps else "learn_anyway"
        button = ui.button(t(apply), on_click=self._apply)
        if not report.helps:
            button.props("outline")

    async def _apply(self) -> None:
        # Verdicts may have changed since they were measured, so learn again.
        await self._change(
            lambda: Learning(self._page.project, self._page.workspace.search).learn("always")
        )

    async def restore(self) -> None:
        """Return to the shipped ranking."""
        await self._change(Learning(self._page.project, self._page.workspace.search).restore)

    async def _undo(self) -> None:
        await self._change(Learning(self._page.project, self._page.workspace.search).undo)

    async def _change(self, step: Callable[[], object]) -> None:
        self._wait()
        try:
            await run.io_bound(step)
        except LocisimilesError as error:
            self._notify(self._t.show(error), kind="negative")
        else:
            state = Learning(self._page.project, self._page.workspace.search).state()
            name = "learn_shipped" if state.report is None else "learn_applied"
            self._notify(self._t(name, count=state.judgements), kind="positive")
            with self._dialog:
                self._page.ranking_changed()
        self._dialog.close()

    def _notify(self, text: str, kind: Literal["positive", "negative", "info"] = "info") -> None:
        with self._dialog:  # the button that was clicked may be gone by now
            notify(text, kind)


def figure_table(report: LearningReport, translate: Translator) -> str:
    """Return the measures of shipped and learnt probabilities side by side."""
    rows = [
        (translate(name), *values)
        for name, values in (
            ("learn_average_precision", report.average_precision),
            ("learn_log_loss", report.log_loss),
        )
        if values is not None
    ]
    if not rows:
        return ""
    heads = "".join(
        f'<th scope="col">{for_html(translate(name))}</th>' for name in ("shipped", "learnt")
    )
    body = "".join(
        f'<tr><th scope="row">{for_html(name)}</th><td>{translate.number(before, 3)}</td>'
        f"<td>{translate.number(after, 3)}</td></tr>"
        for name, before, after in rows
    )
    return (
        f'<table class="learn-figures"><caption>{for_html(translate("learn_unseen"))}</caption>'
        f"<thead><tr><td></td>{heads}</tr></thead><tbody>{body}</tbody></table>"
    )


def effect_list(report: LearningReport, translate: Translator) -> str:
    """Return the largest effects, as a list."""
    nameless = {"constant": translate("learn_all_pairs"), "sureness": translate("learn_sureness")}
    items = "".join(
        f"<li>{for_html(nameless.get(kind, translate.author(name)))} "
        f"<span class=meta>{'+' if value > 0 else ''}{translate.number(value)}</span></li>"
        for kind, name, value in report.effects
    )
    heading = for_html(translate("learn_effects"))
    return f'<p class="meta">{heading}</p><ul class="others">{items}</ul>' if items else ""
