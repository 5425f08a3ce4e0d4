"""What every view of a project can do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from locisimiles.evidence.glosses import find_glosses

if TYPE_CHECKING:
    from collections.abc import Mapping

    from nicegui import ui

    from locisimiles.app.ui.project_page import ProjectPage

__all__ = ["CLICK", "View", "redraw"]

CLICK = """(event) => {
  const target = event.target.closest('[data-do]');
  if (target) emit({...target.dataset});
}"""
"""Sends what a clicked element carries; one listener serves a whole list."""


class View:
    """A view of the results of a project.

    Parameters
    ----------
    page
        The page it is on.
    """

    def __init__(self, page: ProjectPage) -> None:
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
