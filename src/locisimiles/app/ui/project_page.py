"""The page of a project: its texts, and the views of the results."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from nicegui import ui

from locisimiles.app.judging.verdicts import Judging
from locisimiles.app.results import ResultFilter
from locisimiles.app.search.status import busy_searches, search_status
from locisimiles.app.ui.address import address_of, go_to_place, read_address, read_choices
from locisimiles.app.ui.adjudication_view import AdjudicationView
from locisimiles.app.ui.filter_bar import FilterBar
from locisimiles.app.ui.keys import KeysDialog, listen_to_keys
from locisimiles.app.ui.learning_panel import LearningPanel
from locisimiles.app.ui.map_view import MapView
from locisimiles.app.ui.note_dialog import NoteDialog
from locisimiles.app.ui.notices import notify
from locisimiles.app.ui.numbers_view import NumbersView
from locisimiles.app.ui.read_view import ReadView
from locisimiles.app.ui.reader_dialog import ReaderDialog
from locisimiles.app.ui.source_reader import SourceReader
from locisimiles.app.ui.summary_card import SummaryPanel
from locisimiles.app.ui.table_view import TableView
from locisimiles.app.ui.texts_view import TextsView
from locisimiles.app.ui.tour import TOUR, Tour
from locisimiles.app.ui.word_menu import WordMenu
from locisimiles.app.workspace import KEYS, Workspace
from locisimiles.errors import LocisimilesError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from locisimiles.app.projects.project import Project
    from locisimiles.app.ui.shell import Shell
    from locisimiles.app.ui.view import View

__all__ = ["ProjectPage"]

_VIEWS: dict[str, type[View]] = {
    "texts": TextsView,
    "read": ReadView,
    "table": TableView,
    "numbers": NumbersView,
    "map": MapView,
    "adjudication": AdjudicationView,
}
_POLL_S = 1.5


class ProjectPage:
    """The page of a project, for one reader."""

    def __init__(self, shell: Shell, project: Project, address: Mapping[str, str]) -> None:
        self.shell, self.project = shell, project
        self.translate = shell.translate
        self.workspace = Workspace(project, shell.reader)
        self.dark = bool(shell.dark)
        self._address = address
        self._told_view = ""
        self._view: View | None = None
        self._revision = project.revision()
        self._seen = self._what_is_seen()

    async def build(self) -> None:
        """Build the page."""
        t = self.translate
        with self.shell.build(self.project.title):
            self._reader = ReaderDialog(self)
            self._reader.build()
        has_results = self.workspace.results.count() > 0
        with ui.tabs().props("outside-arrows mobile-arrows").classes("w-full tabs") as self._tabs:
            tabs = {name: ui.tab(name, label=t(name)) for name in _VIEWS}
        self._adjudication_tab = tabs["adjudication"]
        self._adjudication_tab.set_visibility(self._is_adjudicated)
        self._tabs.set_value(self._named_view() or ("read" if has_results else "texts"))
        read_choices(self._address, self.workspace)
        self._learning = LearningPanel(self)
        self._keys = KeysDialog(t, self.workspace)
        self._dialogs = {"note": self._write_note, "source_text": SourceReader(self).open}
        WordMenu(self)
        with ui.column().classes("page w-full"):
            self._bar = FilterBar(self)
            self._summary = SummaryPanel(self)
            self._place = ui.column().classes("w-full view").props('id="results" tabindex="-1"')
        listen_to_keys(self._on_key)
        ui.on("loci_address", lambda e: self._follow(str(e.args.get("search", ""))))
        ui.on("loci_row", lambda e: self._choose_row(e.args.get("row")))
        ui.on("loci_choose", lambda e: self._view.choose(e.args) if self._view else None)
        self._note = NoteDialog(t, self.refresh)
        self._tour = Tour(self)
        go_to_place(self._address, self.workspace)
        if has_results and "from" not in self._address:
            self._summary.open(again=False)
        try:
            await ui.context.client.connected()
            if self.shell.dark is None:
                self.dark = bool(
                    await ui.run_javascript("matchMedia('(prefers-color-scheme: dark)').matches")
                )
        except TimeoutError:  # the browser has left
            return
        self._show(str(self._tabs.value))  # the reader may have chosen another tab
        self._tabs.on_value_change(lambda e: self._show(e.value))
        ui.run_javascript("window.loci.followAddress()")
        if TOUR in self._address:
            self._tour.start()
        ui.timer(_POLL_S, self._poll)

    def open(self, name: str) -> None:
        """Go to a view."""
        self.show_filters()
        self._tabs.value = name

    def fill_filters(self) -> None:
        """Offer the filters that fit the results."""
        self._bar.fill()

    def show_filters(self) -> None:
        """Show the filters and the order as they are."""
        self._bar.sync()
        self.remember_place()

    def remember_place(self) -> None:
        """Let the address say what is shown."""
        name = str(self._tabs.value)
        pushed = self._told_view not in ("", name)  # Back returns to the view before
        self._told_view = name
        address = json.dumps(address_of(name, self.workspace))
        ui.run_javascript(f"window.loci.address({address}, {json.dumps(pushed)})")

    def _named_view(self) -> str:
        name = self._address.get("view", "")
        return name if name in _VIEWS else ""

    def _follow(self, search: str) -> None:
        """Show what an address says that the browser went back to."""
        self._address = read_address(search)
        read_choices(self._address, self.workspace)
        go_to_place(self._address, self.workspace)
        self._bar.sync()
        self._told_view = self._named_view() or str(self._tabs.value)
        if self._told_view == self._tabs.value:
            self._show(self._told_view)
        else:
            self._tabs.value = self._told_view

    def show_keys(self) -> None:
        """Show what the keys do."""
        self._keys.open()

    async def learn(self) -> None:
        """Open the panel that learns from verdicts."""
        await self._learning.open()

    async def restore_ranking(self) -> None:
        """Return to the shipped ranking."""
        await self._learning.restore()

    def choose_search(self, number: int | None, *, not_in: int | None = None) -> None:
        """Read another search; with `not_in`, only what that one did not find."""
        self.workspace.choose_search(number, not_in=not_in)
        self._bar.fill()
        self.open("read")

    def results_arrived(self, number: int) -> None:
        """Start reading the results of a search."""
        newest = self.project.searched()
        self.workspace.choose_search(None if number == newest else number)
        self._bar.fill()
        if not self._tour.is_open:  # which has views of its own
            self._summary.open()
            self.open("read")

    def reader_changed(self, name: str) -> None:
        """Show the project as the reader of this name sees it."""
        self.shell.reader = self.workspace.reader = name
        self._seen = self._what_is_seen()
        self._show_what_is_seen()

    def _what_is_seen(self) -> tuple[bool, list[str]]:
        """Return whether the reader reads blind, and who has given verdicts."""
        return self.workspace.is_blind, Judging(self.project).readers()

    @property
    def _is_adjudicated(self) -> bool:
        blind, readers = self._seen
        return len(readers) > 1 and not blind

    def _has_seen_change(self) -> bool:
        """Follow what other readers and other browsers do; return whether all was shown again."""
        before, self._seen = self._seen, self._what_is_seen()
        self._adjudication_tab.set_visibility(self._is_adjudicated)
        if self._seen[0] == before[0]:
            return False
        self._show_what_is_seen()
        return True

    def _show_what_is_seen(self) -> None:
        """Show more, or less, of what other readers say."""
        self._adjudication_tab.set_visibility(self._is_adjudicated)
        self.workspace.forget_hidden()
        self.workspace.stay_or_begin()
        self._reader.show()
        self._bar.fill()
        if self._tabs.value == "adjudication" and not self._is_adjudicated:
            self.open("read")
        elif not isinstance(self._view, TextsView):
            self._show(str(self._tabs.value))

    def read_in_order(self, order: str) -> None:
        """Read all pairs from the first one of an order."""
        self.workspace.order, self.workspace.backwards = order, False
        self.workspace.wanted = ResultFilter()
        self.workspace.begin()
        self.read()

    def read(self) -> None:
        """Read where the reader stands."""
        if self._tabs.value == "read":
            self.refresh(filtered=True)
        else:
            self.open("read")

    def freeze_lists(self) -> None:
        """Let lists show all results there are, and no later ones while a search is running."""
        searched = self.workspace.searched
        self.workspace.freeze(running=searched in busy_searches(self.project))

    def ranking_changed(self) -> None:
        """Show all results again, in their new order."""
        self._revision = self.project.revision()
        self.workspace.stay_or_begin()
        self._bar.fill()
        if not isinstance(self._view, TextsView):
            self._show(str(self._tabs.value))

    def refresh(self, *, filtered: bool = False) -> None:
        """Update what has changed."""
        self._revision = self.project.revision()
        if self._has_seen_change():
            return
        if filtered:
            self._bar.sync()
        if self._view is not None:
            self._view.update(filtered=filtered)
        self._bar.count()
        self.remember_place()

    def act(self, action: str, **values: str) -> None:
        """Do what a button or a key asks for."""
        try:
            if self._view is not None and self._view.act(action, values):
                self.refresh()
            else:
                self._act(action, values)
        except LocisimilesError as error:
            notify(self.translate.show(error), "negative")

    def _act(self, action: str, values: dict[str, str]) -> None:
        workspace = self.workspace
        if action == "row":
            workspace.go_to(int(values["row"]))
        elif action == "query":
            workspace.go_to_query(int(values["query"]))
        elif action == "judge":
            self._judge(values["verdict"])
        elif action in ("next", "previous"):
            self._notify_unless(workspace.move(backwards=action == "previous"), "no_more")
        elif action == "undo":
            self._notify_unless(workspace.undo(), "nothing_to_undo")
        elif action == "redo":
            self._notify_unless(workspace.redo(), "nothing_to_redo")
        elif action in self._dialogs:
            self._dialogs[action]()
        elif self._view is not None:
            self._view.toggle(action)
        if action not in self._dialogs:
            self.refresh()

    def _notify_unless(self, done: bool, message: str) -> None:  # noqa: FBT001 - a result
        if not done:
            notify(self.translate(message))

    def _judge(self, verdict: str) -> None:
        row = self.workspace.row
        if row is None:
            return
        same = self.workspace.results.pair(row).row["verdict"] == verdict
        self.workspace.judge(None if same else verdict)

    def _show(self, name: str) -> None:
        self._place.clear()
        self.remember_place()
        status = search_status(self.project, self.workspace.searched)
        searched = status is not None and (status.finished_queries > 0 or status.state == "done")
        self._bar.show(visible=name != "texts" and searched)
        self._summary.show(visible=name != "texts" and searched)
        with self._place:
            if name != "texts" and not searched:
                self._view = None
                ui.label(self.translate("nothing_yet")).classes("lead q-pa-lg")
                return
            self._view = _VIEWS[name](self)
            self._view.build()
            self._view.update(filtered=True)
        self._bar.count()

    def _poll(self) -> None:
        """Show what another browser or a search has changed; the reader stays where they are."""
        if not self.project.exists():
            return
        seen = self._seen
        self._has_seen_change()
        before, self._revision = self._revision, self.project.revision()
        if (self._revision, self._seen) == (before, seen):
            return
        if self._revision.ranking != before.ranking:
            self.ranking_changed()
            return
        if self._revision.search != before.search:
            self._bar.fill()
            if not self.workspace.stay_if_there():
                notify(self.translate("pair_dropped"))
        if self._view is None:
            self._show(str(self._tabs.value))
        elif not isinstance(self._view, TextsView):
            self._view.arrive()
            self._bar.count()
            self.remember_place()
            self._tell_end(before.search[1])

    def _tell_end(self, state_before: str) -> None:
        """Say that the search has ended, to a reader who is busy with its first results."""
        number, state = self._revision.search[:2]
        ended = state == "done" and state_before == "running"
        if ended and number == self.workspace.searched:
            new = self.workspace.count_new() > 0
            notify(self.translate("search_ended" if new else "search_complete"), "positive")

    def _choose_row(self, row: object) -> None:
        if str(row).isdecimal():
            self.act("row", row=str(row))

    async def _on_key(self, action: str, key: str) -> None:
        if self._view is None or isinstance(self._view, TextsView):
            return
        if action == "judge":
            if not await self._view.judge_selection(KEYS[key]):
                self.act(action, verdict=KEYS[key])
        elif action == "learn":
            await self.learn()
        elif action == "keys":
            self.show_keys()
        else:
            self.act(action)

    def _write_note(self) -> None:
        note = None if self._view is None else self._view.note()
        if note is not None:
            self._note.open(*note)
