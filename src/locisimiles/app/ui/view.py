"""What every view of a project can do."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from locisimiles.app.ui.project_page import ProjectPage

__all__ = ["CLICK", "View"]

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

    def build(self) -> None:
        """Make its elements, empty."""

    def update(self, *, filtered: bool) -> None:
        """Show what is to be seen now; `filtered` if there are other results than before."""

    def toggle_context(self) -> None:
        """Show or hide the segments beside those that are read."""
        self.context_shown = not self.context_shown

    def beside(self, side: str, position: int) -> tuple[str, str] | None:
        """Return the texts before and after a segment, if they are wanted."""
        if not self.context_shown:
            return None
        first = max(position - 1, 0)
        near = self.page.project.segments("query" if side == "query" else "source", first, 3)
        texts = {segment.position: segment.text for segment in near}
        return texts.get(position - 1, ""), texts.get(position + 1, "")
