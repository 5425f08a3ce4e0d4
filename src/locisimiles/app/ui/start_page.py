"""The start page: all projects, and a way to a new one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nicegui import run, ui

from locisimiles.app.projects.inputs import use_example
from locisimiles.app.ui.notices import notify
from locisimiles.app.ui.tour import tour_button
from locisimiles.errors import LocisimilesError

if TYPE_CHECKING:
    from locisimiles.app.projects.collection import ProjectEntry
    from locisimiles.app.ui.shell import Shell

__all__ = ["StartPage"]


class StartPage:
    """All projects of a user."""

    def __init__(self, shell: Shell) -> None:
        self._shell, self._projects = shell, shell.context.projects(shell.user)

    def build(self) -> None:
        """Build the page."""
        t = self._shell.translate
        with ui.column().classes("start"):
            ui.label(t("welcome")).classes("lead")
            with ui.card().classes("new-project"), ui.row().classes("items-center w-full"):
                title = ui.input(t("new_title")).classes("grow")
                title.on("keydown.enter", lambda: self._create(title.value))
                ui.button(t("create"), on_click=lambda: self._create(title.value))
                ui.button(t("try_example"), on_click=self._example).props("outline")
                tour_button(self._shell)
            self._list = ui.column().classes("w-full")
            self._show()

    def _show(self) -> None:
        t = self._shell.translate
        self._list.clear()
        with self._list:
            for entry in self._projects.all():
                changed = t.moment(entry.changed)
                with ui.row().classes("project-line items-center"):
                    ui.link(entry.title, f"/project/{entry.id}").classes("grow")
                    ui.label(changed).classes("meta")
                    ui.button(
                        icon="delete",
                        on_click=lambda _, entry=entry: self._delete(entry),
                    ).props(f'flat round aria-label="{t("delete")}"').props["title"] = entry.title

    async def _example(self) -> None:
        project = self._projects.create(self._shell.translate("example"))
        await run.io_bound(use_example, project)
        ui.navigate.to(f"/project/{project.id}")

    def _create(self, title: str) -> None:
        try:
            project = self._projects.create(title or self._shell.translate("project"))
        except LocisimilesError as error:
            notify(self._shell.translate.show(error), "negative")
            return
        ui.navigate.to(f"/project/{project.id}")

    async def _delete(self, entry: ProjectEntry) -> None:
        t = self._shell.translate
        with ui.dialog() as dialog, ui.card():
            dialog.props["aria-label"] = t("delete")
            ui.label(t("really_delete", title=entry.title))
            with ui.row():
                ui.button(t("delete"), on_click=lambda: dialog.submit(True)).props("color=negative")  # noqa: FBT003
                ui.button(t("keep"), on_click=lambda: dialog.submit(False)).props("flat")  # noqa: FBT003
        if await dialog:
            self._shell.context.jobs.cancel(self._projects.open(entry.id))
            self._projects.delete(entry.id)
            self._show()
