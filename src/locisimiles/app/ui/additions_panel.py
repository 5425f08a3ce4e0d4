"""How far texts of the library are that are being added to one side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nicegui import ui

from locisimiles.app.ui.library_markup import text_states
from locisimiles.app.ui.notices import Kind, notify

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from locisimiles.app.projects.additions import Addition, Additions
    from locisimiles.app.projects.project import Side
    from locisimiles.app.ui.translator import Translator
    from locisimiles.app.ui.view import Page

__all__ = ["AdditionsPanel", "addition_text"]

_POLL_S = 0.4


def addition_text(addition: Addition, translate: Translator) -> str:
    """Return in words what is being done, or how it ended."""
    t = translate
    if addition.phase == "reading":
        return t("reading_texts")
    if addition.phase == "downloading":
        texts = addition.downloads
        number = max(sum(one.state != "waiting" for one in texts), 1)
        text = texts[number - 1]
        name = t.author_and_work(text.author, text.title)
        return t("adding_downloading", number=number, count=len(texts), text=name)
    failed = len(addition.failed)
    parts = (
        t("adding_stopped") if addition.phase == "stopped" else "",
        t("adding_done", count=addition.added) if addition.added else "",
        t("adding_failed", count=failed) if failed else "",
        t.show(addition.problem) if addition.problem else "",
    )
    return " · ".join(filter(None, parts)) or t("adding_none")


class AdditionsPanel:
    """What is being added to a side: a bar, each text, and what went wrong."""

    def __init__(self, page: Page, side: Side, changed: Callable[[], None]) -> None:
        self._page, self._side, self._changed = page, side, changed
        self._blocks: dict[Addition, _Block] = {}
        self._told: set[Addition] = set()  # what went well, and needs no block any more

    def build(self) -> None:
        """Create the panel; it is empty unless something is being added."""
        self._place = ui.column().classes("w-full")
        additions = self._additions.of(self._page.project, self._side)
        self._told.update(one for one in additions if one.went_well)
        self._show()
        ui.timer(_POLL_S, self.update)

    def start(self, names: Sequence[str]) -> None:
        """Add texts."""
        self._additions.start(self._page.project, self._side, names)
        self.update()

    def update(self) -> None:
        """Show how far everything is."""
        if self._show() and self._page.project.exists():
            self._changed()

    def _show(self) -> bool:
        """Show how far everything is; return whether the side has changed."""
        known = self._additions.of(self._page.project, self._side)
        additions = [one for one in known if one not in self._told]
        changed = False
        for gone in set(self._blocks) - set(additions):
            self._blocks.pop(gone).card.delete()
            changed = True  # another page of the project may have dismissed it
        for addition in additions:
            if addition not in self._blocks:
                with self._place:
                    self._blocks[addition] = _Block(addition, self)
            changed |= self._blocks[addition].update()
            if addition.went_well:
                kind: Kind = "info" if addition.phase == "stopped" else "positive"
                notify(addition_text(addition, self._page.translate), kind)
                self._told.add(addition)
                self._blocks.pop(addition).card.delete()
                changed = True
        return changed

    @property
    def translate(self) -> Translator:
        """The translator of the page."""
        return self._page.translate

    def dismiss(self, addition: Addition) -> None:
        """Forget an addition that is over."""
        self._additions.dismiss(self._page.project, addition)
        block = self._blocks.pop(addition, None)
        if block is not None:
            block.card.delete()

    def try_again(self, addition: Addition) -> None:
        """Download again what failed."""
        names = [one.name for one in addition.failed]
        self.dismiss(addition)
        self.start(names)

    @property
    def _additions(self) -> Additions:
        return self._page.shell.context.additions


class _Block:
    """One addition; its elements stay the same while it goes on, so that focus does too."""

    def __init__(self, addition: Addition, panel: AdditionsPanel) -> None:
        self._addition, self._t = addition, panel.translate
        self._seen = (0, True)
        t = self._t
        with ui.column().classes("w-full addition") as self.card:
            self._status = ui.label().props('role="status"')
            self._bar = ui.linear_progress(0, show_value=False, size="10px").props(
                f'aria-label="{t("progress")}" instant-feedback'
            )
            self._texts = ui.html(sanitize=False).classes("w-full")
            with ui.row():
                self._stop = ui.button(t("adding_stop"), icon="stop", on_click=addition.stop)
                self._again = ui.button(
                    t("try_again"), icon="refresh", on_click=lambda: panel.try_again(addition)
                )
                self._close = ui.button(t("close"), on_click=lambda: panel.dismiss(addition))
            for button in (self._stop, self._again, self._close):
                button.props("flat dense no-caps")

    def update(self) -> bool:
        """Show how far it is; return whether the side has changed."""
        addition, t = self._addition, self._t
        phase, before = addition.phase, self._seen
        self._status.set_text(addition_text(addition, t))
        self._bar.set_visibility(phase == "downloading")
        self._bar.set_value(addition.share)
        self._texts.set_content(text_states(addition.texts, t))
        self._stop.set_visibility(phase == "downloading")
        self._again.set_visibility(bool(addition.failed) and not addition.is_busy)
        self._close.set_visibility(not addition.is_busy)
        self._seen = addition.added, addition.is_busy
        return before != self._seen
