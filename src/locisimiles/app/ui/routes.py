"""The pages of the app by address, and the errors they show."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from fastapi import Request  # noqa: TC002 - read at run time
from nicegui import app, ui

from locisimiles.app.ui.help_page import HelpPage
from locisimiles.app.ui.notices import notify
from locisimiles.app.ui.project_page import ProjectPage
from locisimiles.app.ui.shell import Shell
from locisimiles.app.ui.start_page import StartPage
from locisimiles.app.ui.translator import Translator
from locisimiles.errors import InputError, LocisimilesError
from locisimiles.messages import Message

if TYPE_CHECKING:
    from locisimiles.app.context import AppContext

__all__ = ["register_pages", "show_errors"]


def register_pages(context: AppContext) -> None:
    """Register the pages with the server."""

    @ui.page("/")
    def _start(request: Request) -> None:
        shell = Shell.of(context, request)
        shell.build("", home=True)
        StartPage(shell).build()

    @ui.page("/help")
    def _help(request: Request) -> None:
        shell = Shell.of(context, request)
        shell.build(shell.translate("help"))
        HelpPage(shell).build()

    @ui.page("/project/{project}")
    async def _project(request: Request, project: str) -> None:
        shell = Shell.of(context, request)
        try:
            opened = context.projects(shell.user).open(project)
        except InputError:
            shell.build(shell.translate("no_project"))
            ui.label(shell.translate("no_project")).classes("q-pa-lg")
            return
        await ProjectPage(shell, opened, request.query_params).build()


def show_errors() -> None:
    """Let pages show errors as sentences."""

    def tell(error: Exception) -> None:
        if isinstance(error, LocisimilesError):
            with suppress(RuntimeError):  # the page is gone
                notify(_translator().show(error), "negative")

    def show(error: Exception) -> None:
        # The words of other errors may name files of the server.
        shown = error if isinstance(error, LocisimilesError) else Message("app.unexpected")
        ui.label(_translator().show(shown)).classes("q-pa-lg")

    app.on_exception(tell)
    app.on_page_exception(show)


def _translator() -> Translator:
    return Translator.of(ui.context.client.request)
