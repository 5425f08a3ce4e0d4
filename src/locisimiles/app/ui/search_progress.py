"""The progress of a search over all its phases: a bar, the present phase, the time left."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nicegui import ui

from locisimiles.app.ui.markup import expected_text
from locisimiles.progress import duration

if TYPE_CHECKING:
    from locisimiles.app.search.status import SearchStatus
    from locisimiles.app.ui.translator import Translator

__all__ = ["SearchProgress", "status_text"]


def status_text(status: SearchStatus, translate: Translator) -> str:
    """Return the state of a search in words: its phase, how far it is, the time left."""
    t = translate
    if status.state == "waiting":
        return t("waiting")
    if status.is_busy:
        left = status.seconds_left
        time = t("estimating") if left is None else t("time_left", time=duration(left))
        provisional = t("provisional") if status.is_provisional else ""
        parts = (t.task(status.task or "preparing"), t.percent(status.share), time, provisional)
    else:
        done = f"{t.number(status.finished_queries)} / {t.number(status.queries)}"
        message = t.show(status.message) if status.message else ""
        parts = (t(f"state_{status.state}"), done, expected_text(status.references, t), message)
    return " · ".join(filter(None, parts))


class SearchProgress:
    """A bar with the progress of the whole search, and its state in words."""

    def __init__(self, translate: Translator) -> None:
        self._t = translate
        self._bar = ui.linear_progress(0, show_value=False, size="10px").props(
            f'aria-label="{translate("progress")}" instant-feedback'
        )
        self._status = ui.label().classes("meta").props('role="status" aria-live="polite"')

    def update(self, status: SearchStatus | None) -> None:
        """Show how far the search is."""
        busy = status is not None and status.is_busy
        self._bar.set_visibility(busy)
        self._status.set_text(status_text(status, self._t) if status else "")
        if status is not None:
            self._bar.set_value(status.share)
