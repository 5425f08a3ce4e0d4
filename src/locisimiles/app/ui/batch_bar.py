"""The bar above the table: how many pairs are selected, and verdicts on all of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from nicegui import run, ui

from locisimiles.app.judging.verdicts import ChosenPairs, Judging
from locisimiles.app.ui.notices import notify
from locisimiles.app.workspace import KEYS
from locisimiles.errors import LocisimilesError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from locisimiles.app.judging.verdicts import BatchCount
    from locisimiles.app.results import ResultFilter
    from locisimiles.app.ui.view import Page
    from locisimiles.app.workspace import Workspace

__all__ = ["BatchBar", "ChosenRows"]


@dataclass(slots=True)
class ChosenRows:
    """Some rows of the table, or all that meet the filter but some.

    Examples
    --------
    >>> selection = ChosenRows()
    >>> selection.add([1, 2, 3])
    >>> selection.toggle(2)
    >>> sorted(selection.rows)
    [1, 3]
    """

    rows: set[int] = field(default_factory=set)
    is_all: bool = False  # whether these rows are those left out

    def __bool__(self) -> bool:
        return self.is_all or bool(self.rows)

    def toggle(self, row: int) -> None:
        """Select a row, or no more."""
        self.rows ^= {row}

    def add(self, rows: Iterable[int]) -> None:
        """Select rows."""
        self.rows = self.rows - {*rows} if self.is_all else self.rows | {*rows}

    def select_all(self) -> None:
        """Select all rows that meet the filter."""
        self.rows, self.is_all = set(), True

    def clear(self) -> None:
        """Select nothing."""
        self.rows, self.is_all = set(), False


class BatchBar:
    """A selection of pairs, and the buttons that judge them together."""

    def __init__(self, page: Page, show: Callable[[ChosenRows], None]) -> None:
        self._page, self._t, self._show = page, page.translate, show
        self._selection, self._busy = ChosenRows(), False
        self._seen = self._filter()
        self._build()
        self._tell()

    @property
    def _workspace(self) -> Workspace:
        return self._page.workspace

    def _filter(self) -> tuple[ResultFilter, int | None]:
        return self._workspace.wanted, self._workspace.search

    def choose(self, values: Mapping[str, Any]) -> None:
        """Select what a key or a click asks for."""
        kind = str(values.get("kind"))
        if kind == "all":
            self._selection.select_all()
        elif kind == "none":
            self._selection.clear()
        elif kind == "toggle":
            self._selection.toggle(int(values["row"]))
        elif kind == "range":
            self._selection.add(self._range(values))
        self._tell()

    def update(self) -> None:
        """Show the number of selected pairs; pairs of another filter are selected no more."""
        if self._seen != self._filter():
            self._seen = self._filter()
            self._selection.clear()
            self._tell()
        elif self._selection.is_all:
            self._show_count()

    async def judge(self, verdict: str | None) -> bool:
        """Judge the selected pairs, with the note; return whether there are any."""
        if self._selection:
            await self._say(verdict=verdict, note=self._note.value or None)
            return True
        return False

    def _range(self, values: Mapping[str, Any]) -> list[int]:
        """Return the rows from the last one that was touched to this one, in the order shown."""
        row, anchor = int(values["row"]), values.get("anchor")
        if not anchor:
            return [row]
        first, last = sorted((int(anchor["index"]), int(values["index"])))
        rows = self._workspace.listed.rows(
            self._workspace.wanted,
            order=self._workspace.order,
            backwards=self._workspace.backwards,
            offset=first,
            limit=last - first + 1,
        )
        # The order may have changed meanwhile.
        return rows if {row, int(anchor["row"])} <= {*rows[:1], *rows[-1:]} else [row]

    def _chosen(self) -> ChosenPairs:
        wanted, search = self._filter()
        rows = tuple(sorted(self._selection.rows))
        until = self._workspace.until  # what a running search adds has not been seen
        return ChosenPairs(rows, wanted if self._selection.is_all else None, search, until)

    def _count(self) -> int:
        left_out = len(self._selection.rows)
        if not self._selection.is_all:
            return left_out
        return self._workspace.listed.count(self._workspace.wanted) - left_out

    def _tell(self) -> None:
        self._actions.set_visibility(bool(self._selection))
        self._show_count()
        self._show(self._selection)

    def _show_count(self) -> None:
        selected = self._t("selected_count", count=self._count()) if self._selection else ""
        self._label.set_text(selected)

    def _build(self) -> None:
        t = self._t
        ui.button(
            t("select_all"), icon="done_all", on_click=lambda: self.choose({"kind": "all"})
        ).props("flat dense")
        self._label = ui.label().classes("selected-count").props('role="status"')
        with ui.row().classes("items-center batch") as self._actions:
            self._actions.props('role="group"').props["aria-label"] = t("batch")
            for key, verdict in KEYS.items():
                name = verdict.rstrip(".")
                button = ui.button(
                    f"{t(f'accept_{name}')} ({key})",
                    on_click=lambda _, verdict=verdict: self.judge(verdict),
                )
                button.props("outline dense").classes(f"batch-{name}")
            ui.button(t("withdraw"), on_click=lambda: self.judge(None)).props("flat dense")
            self._note = ui.input(t("batch_note")).props("dense outlined maxlength=20000")
            self._note.classes("batch-note").on("keydown.enter", self._write_note)
            ui.button(t("batch_note_only"), on_click=self._write_note).props("flat dense")
            clear = ui.button(icon="close", on_click=lambda: self.choose({"kind": "none"}))
            clear.props("flat round dense").props["aria-label"] = t("select_none")

    async def _write_note(self) -> None:
        if self._note.value and self._selection:
            await self._say(note=self._note.value)

    async def _say(self, **said: str | None) -> None:
        """Judge the selection after a question, if verdicts or notes would be replaced."""
        if self._busy:
            return
        self._busy = True
        try:
            count = await self._judge_many(only_count=True, **said)
            if not (count.replaced_verdicts or count.replaced_notes) or await self._ask(count):
                count = await self._judge_many(**said)
                notify(self._t("batch_done", count=count.changed), "positive")
                self._note.set_value("")
                self._selection.clear()
                self._tell()
                self._page.refresh()
        except LocisimilesError as error:
            notify(self._t.show(error), "negative")
        finally:
            self._busy = False

    async def _judge_many(self, **said: Any) -> BatchCount:  # noqa: ANN401 - as `Judging` takes it
        count = await run.io_bound(
            Judging(self._page.project).judge_many,
            self._chosen(),
            reader=self._workspace.reader,
            **said,
        )
        assert count is not None  # noqa: S101 - for the type checker
        return count

    async def _ask(self, count: BatchCount) -> bool:
        t = self._t
        replaced = {
            "batch_replaces_verdicts": count.replaced_verdicts,
            "batch_replaces_notes": count.replaced_notes,
        }
        with ui.dialog() as dialog, ui.card():
            dialog.props["aria-label"] = t("batch_sure", count=count.chosen)
            ui.label(t("batch_sure", count=count.chosen)).classes("subtitle")
            for name, number in replaced.items():
                if number:
                    ui.label(t(name, count=number))
            with ui.row():
                ui.button(t("batch_replace"), on_click=lambda: dialog.submit("replace"))
                ui.button(t("cancel"), on_click=dialog.close).props("flat")
        answer = await dialog
        dialog.delete()
        return bool(answer == "replace")
