"""A tour of the example: each step frames a part of the page, and says what it is for."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from nicegui import run, ui

from locisimiles.app.search.example import searched_example
from locisimiles.app.search.status import search_status
from locisimiles.app.ui.cookies import remember
from locisimiles.app.ui.notices import notify
from locisimiles.errors import LocisimilesError

if TYPE_CHECKING:
    from locisimiles.app.ui.shell import Shell
    from locisimiles.app.ui.view import Page

__all__ = ["STEPS", "TOUR", "Tour", "tour_button"]

TOUR = "tour"
"""What says in an address that the tour begins; the cookie that says it was taken, too."""
_POLL_S = 0.4


class Step(NamedTuple):
    """A step of the tour: its texts, the view it is in, and the part of the page it is about."""

    name: str
    view: str
    part: str


STEPS = (
    Step("texts", "texts", ".two-sides"),
    Step("read", "read", ".candidate.chosen"),
    Step("judge", "read", ".candidate.chosen .verdicts"),
    Step("note", "read", ".candidate.chosen [data-do=note]"),
    Step("filters", "read", ".filter-row"),
    Step("table", "table", ".result-table"),
    Step("numbers", "numbers", ".figure"),
    Step("export", "read", ".open-export"),
)


def tour_button(shell: Shell) -> None:
    """Create the button that starts the tour; who has taken it sees it less."""
    taken = shell.has_taken_tour
    button = ui.button(
        shell.translate("tour_again" if taken else "tour_take"),
        icon="explore",
        on_click=lambda: _start(shell),
    )
    button.props("flat" if taken else "outline").classes("take-tour")


async def _start(shell: Shell) -> None:
    try:
        project = await run.io_bound(
            searched_example,
            shell.context.projects(shell.user),
            shell.context.jobs,
            shell.translate("example"),
        )
    except LocisimilesError as error:
        notify(shell.translate.show(error), "negative")
        return
    if project is not None:  # the app is not shutting down
        ui.navigate.to(f"/project/{project.id}?view={STEPS[0].view}&{TOUR}=1")


class Tour:
    """The dialog of the tour, on the page of a project."""

    def __init__(self, page: Page) -> None:
        self._page, self._t = page, page.translate
        self._at = 0
        self._place = ui.element("div")
        self.is_open = False

    def start(self) -> None:
        """Show the first step."""
        t = self._t
        self.is_open, self._at = True, 0
        with self._place:
            ui.element("div").classes("tour-backdrop")
            ui.element("div").classes("tour-ring")
            dialog = ui.element("section").classes("tour").props('role="dialog" aria-modal="true"')
            dialog.props('tabindex="-1" aria-labelledby="tour-title" aria-describedby="tour-text"')
            with dialog:
                self._number = ui.label().classes("meta")
                with ui.element("div").props('aria-live="polite"'):
                    self._title = ui.label().classes("subtitle").props('id="tour-title"')
                    self._text = ui.label().props('id="tour-text"')
                self._state = ui.label().classes("meta").props('role="status"')
                with ui.row().classes("w-full items-center tour-buttons"):
                    ui.button(t("tour_end"), on_click=self.end).props("flat").classes("tour-end")
                    ui.space()
                    self._back = ui.button(t("tour_back"), on_click=lambda: self._go(-1))
                    self._back.props("outline")
                    self._next = ui.button(on_click=lambda: self._go(1)).classes("tour-next")
            self._timer = ui.timer(_POLL_S, self._await_results)
        self._show()

    def end(self) -> None:
        """Close the tour, and remember that it was taken."""
        self.is_open = False
        remember(TOUR, "taken", reload=False)
        ui.run_javascript("window.loci.tour.end()")
        self._place.clear()

    def _go(self, steps: int) -> None:
        self._at += steps
        if self._at >= len(STEPS):
            self.end()
            return
        self._show()

    def _show(self) -> None:
        """Show a step, in its view."""
        t, step = self._t, STEPS[self._at]
        self._page.open(step.view)
        self._number.set_text(t("tour_place", number=self._at + 1, total=len(STEPS)))
        self._title.set_text(t(f"tour_{step.name}_title"))
        self._text.set_text(t(f"tour_{step.name}"))
        self._back.set_visibility(self._at > 0)
        self._next.set_text(t("tour_done" if self._at + 1 == len(STEPS) else "tour_next"))
        self._state.set_visibility(self._at == 0)
        self._await_results()
        ui.run_javascript(f"window.loci.tour.show({json.dumps(step.part)})")

    def _await_results(self) -> None:
        """Let the tour go on when the search is done."""
        t = self._t
        if not self._page.project.exists():
            return
        status = search_status(self._page.project)
        done = status is not None and status.state == "done"
        self._next.set_enabled(done)
        if status is None or done or status.is_busy:
            self._state.set_text(t("search_complete" if done else "tour_waiting"))
        else:
            self._state.set_text(t.show(status.message) if status.message else t("state_failed"))
        if done:
            self._timer.deactivate()
