"""The menu that exports the selection, and imports judgements."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlencode

from nicegui import run, ui

from locisimiles.app.judging.exchange import import_judgements
from locisimiles.app.results.exporting import export_apparatus
from locisimiles.app.ui.file_fields import file_field, label_file_fields
from locisimiles.app.ui.notices import notify
from locisimiles.errors import LocisimilesError
from locisimiles.export import APPARATUS_SUFFIXES, EXPORT_SUFFIXES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from nicegui.events import UploadEventArguments

    from locisimiles.app.ui.view import Page

__all__ = ["ExportMenu"]

_LARGEST_TABLE = 32 * 1024**2


class ExportMenu:
    """A button with the formats of the selection, and the way back for judgements."""

    def __init__(self, page: Page) -> None:
        self._page, self._t, self._workspace = page, page.translate, page.workspace

    def build(self, *, blind: bool) -> None:
        """Create the button and its menu; those who read blind get no judgements of others."""
        t = self._t
        with (
            ui.button(t("export"), icon="download").props("flat dense").classes("open-export"),
            ui.menu(),
        ):
            for suffix in EXPORT_SUFFIXES:
                ui.menu_item(
                    f"{t(f'format_{suffix[1:]}')} ({suffix})",
                    on_click=lambda _, suffix=suffix: self._download(f"export/{suffix[1:]}"),
                )
            ui.separator()
            ui.menu_item(t("apparatus"), on_click=self._ask_for_apparatus)
            ui.separator()
            table = t("export_own_judgements" if blind else "export_judgements")
            ui.menu_item(table, on_click=lambda: self._download_judgements(blind=blind))
            ui.menu_item(t("import_judgements"), on_click=self._ask_for_table)

    def _ask_for_apparatus(self) -> None:
        t = self._t
        with ui.dialog() as dialog, ui.card():
            dialog.props["aria-label"] = t("apparatus_title")
            ui.label(t("apparatus_title")).classes("subtitle")
            ui.label(t("apparatus_help"))
            text = ui.checkbox(t("apparatus_text"), value=True)
            with ui.row():
                for suffix in APPARATUS_SUFFIXES:
                    ui.button(
                        t(f"apparatus_{suffix[1:]}"),
                        on_click=lambda _, suffix=suffix: self._apparatus(suffix, text=text.value),
                    )
            ui.button(t("close"), on_click=dialog.close).props("flat")
        dialog.open()

    async def _apparatus(self, suffix: str, *, text: bool) -> None:
        try:
            content = await run.io_bound(
                export_apparatus,
                self._page.project,
                suffix,
                self._workspace.wanted,
                reader=self._workspace.reader,
                text=text,
                language=self._t.language,
                search=self._workspace.searched,
            )
        except LocisimilesError as error:  # nothing is accepted yet
            notify(self._t.show(error), "negative")
            return
        if content is not None:  # the app is not shutting down
            ui.download.content(content, f"{self._page.project.id}-apparatus{suffix}")

    def _download_judgements(self, *, blind: bool) -> None:
        named = {"reader": self._workspace.reader} if blind else {}
        self._download("judgements.csv", named)

    def _download(self, what: str, named: Mapping[str, object] | None = None) -> None:
        named = self._workspace.address if named is None else named
        ui.download.from_url(f"/api/v1/projects/{self._page.project.id}/{what}?{urlencode(named)}")

    def _ask_for_table(self) -> None:
        t = self._t
        with ui.dialog() as dialog, ui.card():
            dialog.props["aria-label"] = t("import_judgements")
            ui.label(t("import_help"))
            file_field(
                t,
                t("drop_table"),
                lambda event: self._import(event, dialog.close),
                largest=_LARGEST_TABLE,
            ).classes("import-table")
            ui.button(t("close"), on_click=dialog.close).props("flat")
        dialog.open()
        label_file_fields()

    async def _import(self, event: UploadEventArguments, close: Callable[[], object]) -> None:
        content = await event.file.read()
        try:
            imported = await run.io_bound(
                import_judgements,
                self._page.project,
                event.file.name,
                content,
                reader=self._workspace.reader,
            )
        except LocisimilesError as error:
            notify(self._t.show(error), "negative")
            return
        if imported is None:  # the app is shutting down
            return
        notify(self._t("imported", **imported._asdict()), "positive")
        close()
        self._page.refresh(filtered=True)
