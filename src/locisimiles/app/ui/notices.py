"""Notices: shown for a moment, and kept in a list as long as the page is open."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Literal
from weakref import WeakKeyDictionary

from nicegui import ui

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nicegui import Client

    from locisimiles.app.ui.translator import Translator

__all__ = ["Kind", "Notice", "NoticeBoard", "notify"]

Kind = Literal["positive", "negative", "warning", "info"]
"""Good news, an error, something to know of, and everything else."""

_MOST_KEPT = 100
_ICONS = {
    "positive": "check_circle",
    "negative": "error",
    "warning": "warning",
    "info": "info",
}
_SHORT_MS, _LONG_MS = 5_000, 10_000
_LONG_TEXT = 80


@dataclass(frozen=True, slots=True)
class Notice:
    """What a page has told its reader."""

    text: str
    kind: Kind
    time: str


_boards: WeakKeyDictionary[Client, NoticeBoard] = WeakKeyDictionary()


def notify(text: str, kind: Kind = "info") -> None:
    """Show a notice on the current page, and keep it in the list of the page.

    Errors and long texts stay longer, and have a button that closes them.
    """
    client = ui.context.client
    board = _boards.get(client)
    lasting = kind == "negative" or len(text) > _LONG_TEXT
    close = board.close_label if board is not None and lasting else False
    timeout = _LONG_MS if lasting else _SHORT_MS
    ui.notify(text, type=kind, multi_line=lasting, close_button=close, timeout=timeout)
    if board is not None:
        board.add(Notice(text, kind, datetime.now().astimezone().strftime("%H:%M")))


class NoticeBoard:
    """The button in the bar at the top that lists the notices of a page."""

    def __init__(self, translate: Translator) -> None:
        self._t = translate
        self._notices: deque[Notice] = deque(maxlen=_MOST_KEPT)
        self.close_label = translate("close")
        _boards[ui.context.client] = self

    @property
    def notices(self) -> Sequence[Notice]:
        """The notices, the latest first."""
        return tuple(reversed(self._notices))

    def build(self) -> None:
        """Create the button and its list."""
        t = self._t
        with ui.button(icon="notifications").props("flat round color=white") as button:
            button.props["aria-label"] = button.props["title"] = t("notices")
            self._badge = ui.badge("0").props("floating color=accent").classes("notice-count")
        with button, ui.menu().props("role=dialog max-width=30rem").classes("notices") as menu:
            menu.props["aria-label"] = t("notices")
            self._list = (
                ui.element("ul").classes("notice-list").props(f'aria-label="{t("notices")}"')
            )
        self._show()

    def add(self, notice: Notice) -> None:
        """Add a notice to the list."""
        self._notices.append(notice)
        self._show()

    def _show(self) -> None:
        self._badge.set_text(str(len(self._notices)))
        self._badge.set_visibility(bool(self._notices))
        self._list.clear()
        with self._list:
            if not self._notices:
                with ui.element("li"):
                    ui.label(self._t("no_notices")).classes("meta")
            for notice in self.notices:
                with ui.element("li").classes(f"notice {notice.kind}"):
                    ui.icon(_ICONS[notice.kind]).props("aria-hidden=true")
                    ui.label(notice.text)
                    ui.label(notice.time).classes("meta")
