"""Adjudication: the pairs on which readers disagree, one after the other, to be decided."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nicegui import ui

from locisimiles.app.ui import markup
from locisimiles.app.ui.adjudication_markup import decision_box, readers_side_by_side
from locisimiles.app.ui.notices import notify
from locisimiles.app.ui.view import View
from locisimiles.app.workspace import Adjudication
from locisimiles.errors import ParameterError
from locisimiles.messages import Message

if TYPE_CHECKING:
    from collections.abc import Mapping

    from locisimiles.app.ui.note_dialog import KeepNote

__all__ = ["AdjudicationView"]


class AdjudicationView(View):
    """One disagreement: both texts, what all readers said of them, and the decision."""

    def build(self) -> None:
        """Create the elements, empty."""
        self._adjudication = Adjudication(self.workspace)
        ui.label(self.translate("adjudication_help")).classes("meta")
        with ui.row().classes("w-full items-center adjudication-progress"):
            self._progress = ui.label().classes("subtitle").props('role="status"')
            self._bar = ui.linear_progress(show_value=False).classes("grow")
            self._bar.props('aria-hidden="true"')
        self._hint = ui.label().classes("remark")
        with ui.element("div").classes("two-sides w-full"):
            self._query, self._source = self.html(), self.html()
        self._why = ui.html(sanitize=False)
        self._said = ui.html(sanitize=False).classes("w-full")
        self._decision = self.html().classes("w-full")

    def update(self, *, filtered: bool) -> None:  # noqa: ARG002 - a verdict may end a disagreement
        """Show the current disagreement."""
        t = self.translate
        blind = self.workspace.is_blind
        total, decided = (0, 0) if blind else self._adjudication.begin()
        self._show_progress(total, decided)
        nameless = not self.workspace.reader
        hint = Message("app.blind" if blind else "app.nameless_decision")
        self._hint.set_text(t.show(hint))
        self._hint.set_visibility(blind or (nameless and total > 0))
        self._show_pair(self.workspace.row if total else None)

    def act(self, action: str, values: Mapping[str, str]) -> bool:
        """Decide instead of judging, and go from one disagreement to the next."""
        if self.workspace.is_blind:
            return action in ("judge", "next", "previous")
        if action == "judge":
            decision = self._adjudication.decision()
            if decision is not None:
                verdict = values["verdict"]
                self._adjudication.decide(None if verdict == decision.verdict else verdict)
        elif action in ("next", "previous"):
            if not self._adjudication.move(backwards=action == "previous"):
                notify(self.translate("no_more"))
        else:
            return False
        return True

    def note(self) -> tuple[str, KeepNote] | None:
        """Return the note on the decision, and what stores it."""
        decision = None if self.workspace.is_blind else self._adjudication.decision()
        if decision is None or self.workspace.row not in self._adjudication.rows():
            return None
        if not self.workspace.reader:
            raise ParameterError("app.nameless_decision")
        return decision.note, self._adjudication.write_note

    def _show_progress(self, total: int, decided: int) -> None:
        t = self.translate
        if total:
            text = t("adjudication_progress", decided=decided, count=total)
        else:
            text = "" if self.workspace.is_blind else t("adjudication_none")
        self._progress.set_text(text)
        self._bar.set_value(decided / total if total else 0)
        self._bar.set_visibility(total > 0)

    def _show_pair(self, row: int | None) -> None:
        parts = (self._query, self._source, self._why, self._said, self._decision)
        decision = self._adjudication.decision() if row is not None else None
        if row is None or decision is None:
            for part in parts:
                part.set_content("")
            return
        t, workspace = self.translate, self.workspace
        pair = workspace.results.pair(row)
        contents = []
        for side in ("query", "source"):
            position = pair.row[side]
            contents.append(
                markup.segment_card(
                    workspace.texts.segment(side, position),
                    pair,
                    self.context(side, position),
                    side=side,
                    translate=t,
                )
            )
        contents += [
            markup.reasons(pair, self.glosses(pair.row["shared"]), t),
            readers_side_by_side(self._adjudication.judgements(), t),
            decision_box(decision, t),
        ]
        for part, content in zip(parts, contents, strict=True):
            part.set_content(content)
