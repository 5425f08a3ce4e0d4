"""What every view of a project has in common."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from nicegui import ui

from locisimiles.app.results.fragments import find_hits
from locisimiles.app.ui import markup
from locisimiles.app.ui.copying import copy_passage
from locisimiles.evidence.glosses import find_glosses

if TYPE_CHECKING:
    from collections.abc import Mapping

    from nicegui.events import GenericEventArguments

    from locisimiles.app.projects.project import Project, Side
    from locisimiles.app.ui.note_dialog import KeepNote
    from locisimiles.app.ui.shell import Shell
    from locisimiles.app.ui.translator import Translator
    from locisimiles.app.workspace import Workspace

__all__ = ["Page", "View", "redraw"]

# Sends the data of a clicked element; one listener serves a whole list.
_CLICK = """(event) => {
  const target = event.target.closest('[data-do]');
  if (target) emit({...target.dataset});
}"""


class Page(Protocol):
    """The page, as its views, bar and panel use it."""

    shell: Shell
    project: Project
    translate: Translator
    workspace: Workspace
    dark: bool

    def open(self, name: str) -> None:
        """Go to a view."""

    def act(self, action: str, **values: str) -> None:
        """Do what a button or a key asks for."""

    def refresh(self, *, filtered: bool = False) -> None:
        """Update what has changed."""

    def choose_search(self, number: int | None, *, not_in: int | None = None) -> None:
        """Read another search; with `not_in`, only what that one did not find."""

    def read(self) -> None:
        """Read where the reader stands."""

    def freeze_lists(self) -> None:
        """Let lists show all results there are, and no later ones while a search is running."""

    def read_in_order(self, order: str) -> None:
        """Read all pairs from the first one of an order."""

    def results_arrived(self, number: int) -> None:
        """Start reading the results of a search."""

    def reader_changed(self, name: str) -> None:
        """Show the project as the reader of this name sees it."""

    def ranking_changed(self) -> None:
        """Show all results again, in their new order."""

    def fill_filters(self) -> None:
        """Offer the filters that fit the results."""

    def show_filters(self) -> None:
        """Show the filters and the order as they are."""

    def remember_place(self) -> None:
        """Let the address say what is shown."""

    def show_keys(self) -> None:
        """Show what the keys do."""

    async def learn(self) -> None:
        """Open the panel that learns from verdicts."""

    async def restore_ranking(self) -> None:
        """Return to the shipped ranking."""


class View:
    """A view of the results of a project."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.translate = page.translate
        self.workspace = page.workspace
        self.context_shown = False
        self.glosses_shown = False

    def build(self) -> None:
        """Create the elements, empty."""

    def update(self, *, filtered: bool) -> None:
        """Fill the elements; `filtered` if there are other results than before."""

    def arrive(self) -> None:
        """Show what a search or somebody else has changed; the reader stays where they are."""
        self.update(filtered=False)

    def act(self, action: str, values: Mapping[str, str]) -> bool:  # noqa: ARG002
        """Do what an action means in this view alone; return whether it means something."""
        return False

    def note(self) -> tuple[str, KeepNote] | None:
        """Return the note on the current pair, and what stores it; None if there is no pair."""
        pair = self.workspace.pair
        if pair is None:
            return None
        return self.workspace.note_on(pair), partial(self.workspace.write_note, pair=pair)

    def choose(self, values: Mapping[str, Any]) -> None:
        """Select pairs, as keys or clicks ask for."""

    async def judge_selection(self, verdict: str) -> bool:  # noqa: ARG002 - for views that select
        """Judge the selected pairs; return whether there are any."""
        return False

    def html(self) -> ui.html:
        """Create an element for markup whose ``data-do`` attributes name actions of the page."""

        def clicked(event: GenericEventArguments) -> None:
            values: dict[str, Any] = dict(event.args)
            if values["do"] == "copy":
                copy_passage(self.workspace.texts, self.translate, values)
                return
            self.page.act(str(values.pop("do")), **{k: str(v) for k, v in values.items()})

        return ui.html(sanitize=False).on("click", clicked, js_handler=_CLICK)

    def toggle(self, what: str) -> None:
        """Show or hide the ``context`` of the segments, or ``glosses`` of their words."""
        if what == "context":
            self.context_shown = not self.context_shown
        elif what == "glosses":
            self.glosses_shown = not self.glosses_shown

    def hits(self, *texts: str) -> list[list[tuple[int, int]]]:
        """Return where the words of the filter are in each text."""
        return find_hits(self.workspace.wanted.words, texts)

    def show_legend(self, legend: ui.html) -> None:
        """Explain the marks of hits, if there may be any."""
        shown = bool(self.workspace.wanted.words)
        legend.set_content(markup.legend(self.translate) if shown else "")
        legend.set_visibility(shown)

    def glosses(self, shared: object) -> dict[str, tuple[str, ...]]:
        """Return glosses of shared words, if they are shown."""
        return find_glosses(str(shared).split()) if self.glosses_shown else {}

    def context(self, side: Side, position: int) -> tuple[str, str] | None:
        """Return the texts before and after a segment, if they are shown."""
        if not self.context_shown:
            return None
        first = max(position - 1, 0)
        near = self.workspace.texts.segments(side, first, 3)
        texts = {segment.position: segment.text for segment in near}
        return texts.get(position - 1, ""), texts.get(position + 1, "")


def redraw(chart: ui.echart, option: Mapping[str, Any]) -> None:
    """Change a chart in place; NiceGUI fails if one is removed before it is drawn."""
    chart.options.clear()
    chart.options.update(option)
    chart.update()
