"""Results of a job, uploaded and made a search of the project."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from nicegui import run, ui

from locisimiles.app.projects.inputs import LARGEST_FILE
from locisimiles.app.search.importing import NotedProgress, import_pairs
from locisimiles.app.search.stored_searches import StoredSearches
from locisimiles.app.ui.file_fields import file_field
from locisimiles.app.ui.notices import notify
from locisimiles.errors import LocisimilesError

if TYPE_CHECKING:
    from collections.abc import Callable

    from nicegui.events import UploadEventArguments

    from locisimiles.app.ui.view import Page

__all__ = ["ImportPanel"]

_POLL_S = 0.5


class ImportPanel:
    """A field for a file of results; `changed` is called when they are a search."""

    def __init__(self, page: Page, changed: Callable[[], None]) -> None:
        self._page, self._t, self._changed = page, page.translate, changed
        self._noted: NotedProgress | None = None

    def build(self) -> None:
        """Create the elements."""
        t = self._t
        with ui.expansion(t("import_results"), icon="dataset").classes("w-full import-results"):
            ui.label(t("import_results_help")).classes("meta")
            file_field(t, t("drop_files"), self._uploaded, largest=LARGEST_FILE).classes(
                "drop drop-results"
            ).props("flat bordered accept=.parquet")
            with ui.row().classes("items-center no-wrap").props('role="status"') as self._busy:
                ui.spinner()
                self._task = ui.label(t("importing"))
            self._busy.set_visibility(False)
        ui.timer(_POLL_S, self._show)

    def _show(self) -> None:
        t = self._t
        noted = None if self._noted is None else self._noted.read()
        if noted is not None:
            task, done, total = noted
            self._task.text = f"{t.task(task)} {t.number(done)} / {t.number(total)}"

    async def _uploaded(self, event: UploadEventArguments) -> None:
        t, project, name = self._t, self._page.project, Path(event.file.name).name
        self._busy.set_visibility(True)
        try:
            with tempfile.TemporaryDirectory(prefix="locisimiles-") as folder:
                path = Path(folder) / "results.parquet"
                await event.file.save(path)
                self._noted = noted = NotedProgress(Path(folder) / "progress")
                number = await run.io_bound(
                    lambda: import_pairs(
                        project, path, name=Path(name).stem, received=True, progress=noted
                    )
                )
        except LocisimilesError as error:
            error.change_words(lambda words: words.replace("results.parquet", name))
            notify(t.show(error), "negative")
        else:
            found = next(one for one in StoredSearches(project).all() if one.number == number)
            notify(t("results_imported", count=found.pairs))
            self._changed()
        finally:
            self._noted = None
            self._busy.set_visibility(False)
