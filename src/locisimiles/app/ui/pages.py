"""The two pages: all projects, and one."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from fastapi import Request  # noqa: TC002 - read at run time
from nicegui import run, ui

from locisimiles.app.projects.texts import use_example
from locisimiles.app.ui.project_page import ProjectPage
from locisimiles.app.ui.shell import Shell
from locisimiles.errors import InputError, LocisimilesError

if TYPE_CHECKING:
    from locisimiles.app.context import AppContext

__all__ = ["register_pages"]


def register_pages(context: AppContext) -> None:
    """Make the pages known to the server."""

    @ui.page("/")
    def _all_projects(request: Request) -> None:
        shell = Shell.of(context, request)
        shell.build("", home=True)
        _StartPage(shell).build()

    @ui.page("/project/{project}")
    async def _one_project(request: Request, project: str) -> None:
        shell = Shell.of(context, request)
        try:
            opened = context.projects(shell.user).open(project)
        except InputError:
            shell.build(shell.messages("no_project"))
            ui.label(shell.messages("no_project")).classes("q-pa-lg")
            return
        await ProjectPage(shell, opened).build()


class _StartPage:
    """All projects, and a way to a new one."""

    def __init__(self, shell: Shell) -> None:
        self._shell, self._projects = shell, shell.context.projects(shell.user)

    def build(self) -> None:
        t = self._shell.messages
        with ui.column().classes("start"):
            ui.label(t("welcome")).classes("lead")
            with ui.card().classes("new-project"), ui.row().classes("items-center w-full"):
                title = ui.input(t("new_title")).classes("grow")
                title.on("keydown.enter", lambda: self._create(title.value))
                ui.button(t("create"), on_click=lambda: self._create(title.value))
                ui.button(t("try_example"), on_click=self._example).props("outline")
            self._list = ui.column().classes("w-full")
            self._show()

    def _show(self) -> None:
        t = self._shell.messages
        self._list.clear()
        with self._list:
            for entry in self._projects.all():
                changed = datetime.fromtimestamp(entry.changed, UTC).strftime("%Y-%m-%d %H:%M")
                with ui.row().classes("project-line items-center"):
                    ui.link(entry.title, f"/project/{entry.id}").classes("grow")
                    ui.label(changed).classes("meta")
                    ui.button(
                        icon="delete",
                        on_click=lambda _, entry=entry: self._ask(entry.id, entry.title),
                    ).props(f'flat round aria-label="{t("delete")}"').props["title"] = entry.title

    async def _example(self) -> None:
        project = self._projects.create(self._shell.messages("example"))
        await run.io_bound(use_example, project)
        ui.navigate.to(f"/project/{project.id}")

    def _create(self, title: str) -> None:
        try:
            project = self._projects.create(title or self._shell.messages("project"))
        except LocisimilesError as error:
            ui.notify(self._shell.messages.translated(error), type="negative")
            return
        ui.navigate.to(f"/project/{project.id}")

    async def _ask(self, project_id: str, title: str) -> None:
        t = self._shell.messages
        with ui.dialog() as dialog, ui.card():
            ui.label(t("really_delete", title=title))
            with ui.row():
                ui.button(t("delete"), on_click=lambda: dialog.submit(True)).props("color=negative")  # noqa: FBT003
                ui.button(t("keep"), on_click=lambda: dialog.submit(False)).props("flat")  # noqa: FBT003
        if await dialog:
            self._shell.context.jobs.cancel(self._projects.open(project_id))
            self._projects.delete(project_id)
            self._show()
