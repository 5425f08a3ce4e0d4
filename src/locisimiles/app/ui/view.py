"""What every view of a project can do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from locisimiles.evidence.glosses import find_glosses

if TYPE_CHECKING:
    from collections.abc import Mapping

    from nicegui import ui

    from locisimiles.app.projects.project import Project
    from locisimiles.app.ui.catalogue import Messages
    from locisimiles.app.ui.shell import Shell
    from locisimiles.app.workspace import Workspace

__all__ = ["CLICK", "Bar", "Page", "Panel", "View", "redraw"]

CLICK = """(event) => {
  const target = event.target.closest('[data-do]');
  if (target) emit({...target.dataset});
}"""
"""Sends what a clicked element carries; one listener serves a whole list."""


class Bar(Protocol):
    """What views and panels ask of the bar above them."""

    has_probabilities: bool
    learnt: bool

    def fill(self) -> None:
        """Offer the filters that fit the results."""

    def sync(self) -> None:
        """Show the filters as they are."""


class Panel(Protocol):
    """What the bar asks of the panel that learns from verdicts."""

    async def open(self) -> None:
        """Show it."""

    async def restore(self) -> None:
        """Go back to the shipped ranking."""


class Page(Protocol):
    """What views, bar and panels ask of the page they are on."""

    shell: Shell
    project: Project
    messages: Messages
    workspace: Workspace
    dark: bool

    @property
    def bar(self) -> Bar:
        """The bar above the views."""

    def open(self, name: str) -> None:
        """Go to a view."""

    def act(self, action: str, **values: str) -> None:
        """Do what a button or a key asks for."""

    def refresh(self, *, filtered: bool = False) -> None:
        """Show again what has changed."""

    def results_came(self) -> None:
        """Begin to read what a search found."""

    def ranking_changed(self) -> None:
        """Show all results again: their order and probabilities have changed."""

    @property
    def learning(self) -> Panel:
        """The panel that learns from verdicts."""


class View:
    """A view of the results of a project.

    Parameters
    ----------
    page
        The page it is on.
    """

    def __init__(self, page: Page) -> None:
        self.page = page
        self.messages = page.messages
        self.workspace = page.workspace
        self.context_shown = False
        self.glosses_shown = False

    def build(self) -> None:
        """Make its elements, empty."""

    def update(self, *, filtered: bool) -> None:
        """Show what is to be seen now; `filtered` if there are other results than before."""

    def toggle(self, what: str) -> None:
        """Show or hide the ``context`` of the segments, or ``glosses`` of their words.

        Raises
        ------
        MissingDependencyError
            If the dictionary is not installed.
        """
        if what == "context":
            self.context_shown = not self.context_shown
        elif what == "glosses":
            find_glosses([])  # so that a missing dictionary is told at once
            self.glosses_shown = not self.glosses_shown

    def glosses(self, shared: object) -> dict[str, tuple[str, ...]]:
        """Return what shared words mean, if that is wanted."""
        return find_glosses(str(shared).split()) if self.glosses_shown else {}

    def beside(self, side: str, position: int) -> tuple[str, str] | None:
        """Return the texts before and after a segment, if they are wanted."""
        if not self.context_shown:
            return None
        first = max(position - 1, 0)
        near = self.page.project.segments("query" if side == "query" else "source", first, 3)
        texts = {segment.position: segment.text for segment in near}
        return texts.get(position - 1, ""), texts.get(position + 1, "")


def redraw(chart: ui.echart, option: Mapping[str, Any]) -> None:
    """Change a figure where it is: one that is removed before it is drawn is an error."""
    chart.options.clear()
    chart.options.update(option)
    chart.update()
