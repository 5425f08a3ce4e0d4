"""The library as a dialog: works are searched by any of their names, chosen, and added."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nicegui import run, ui

from locisimiles.app.projects.inputs import LARGEST_FILE
from locisimiles.app.projects.periods import read_period
from locisimiles.app.ui.file_fields import file_field, label_file_fields
from locisimiles.app.ui.library_markup import megabytes, work_list
from locisimiles.app.ui.notices import notify
from locisimiles.corpus.library import Library
from locisimiles.errors import LocisimilesError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from nicegui.events import GenericEventArguments, UploadEventArguments

    from locisimiles.app.projects.library_choice import LibraryChoice
    from locisimiles.app.ui.translator import Translator

__all__ = ["LibraryPanel"]

_MOST_TITLES = 3
_MOST_WITHOUT_TYPING = 12
# Sends what a box, or the choice of an edition, says; one listener serves the whole list.
_CHANGE = """(event) => {
  const field = event.target.closest('[data-do]');
  if (!field) return;
  window.loci.checkLibrary(field);
  emit({...field.dataset, on: field.checked === true, value: field.value});
}"""
_KEY = """(event) => {
  const work = window.loci.walkLibrary(event);
  if (work !== null) emit({work, words: event.target.value});
}"""


class LibraryPanel:
    """A dialog that chooses works of the library; closed without adding, it keeps the choice."""

    def __init__(
        self,
        translate: Translator,
        title: str,
        choice: LibraryChoice,
        add: Callable[[list[str]], None],
    ) -> None:
        self._t, self._choice, self._add = translate, choice, add
        choice.begin()
        with ui.dialog(value=True).classes("library-dialog") as self._dialog:
            self._dialog.props["aria-label"] = title
            with ui.card().classes("library-card").on("keydown", self._enter, js_handler=_KEY):
                self._build(title)
        self._dialog.on("hide", self._dialog.delete)
        self._show()
        label_file_fields()

    def _build(self, title: str) -> None:
        t = self._t
        with ui.row().classes("w-full items-center no-wrap"):
            ui.label(title).classes("subtitle grow").props('role="heading" aria-level="2"')
            close = ui.button(icon="close", on_click=self._dialog.close).props("flat round dense")
            close.props["aria-label"] = t("close")
        self._filters()
        self._found = ui.label().classes("meta").props('role="status"')
        self._list = (
            ui.html(sanitize=False)
            .classes("library-works")
            .on("change", self._changed, js_handler=_CHANGE)
        )
        with ui.row().classes("w-full items-center library-foot"):
            self._status = ui.label().classes("grow").props('role="status"')
            self._all = ui.button(on_click=self._choose_listed).props("flat dense")
            self._none = ui.button(t("library_clear"), on_click=self._clear).props("flat dense")
            self._button = ui.button(on_click=self._finish)
        ui.label(t("library_keys")).classes("meta library-keys")
        with ui.expansion(t("library_copies"), icon="upload_file").classes("w-full"):
            ui.label(t("library_copies_help")).classes("meta")
            file_field(
                t, t("drop_files"), self._keep_copy, largest=LARGEST_FILE, multiple=True
            ).classes("drop drop-copy").props("flat bordered")

    def _filters(self) -> None:
        t = self._t
        words = ui.input(
            t("library_words"), on_change=lambda e: self._narrow(words=str(e.value or ""))
        )
        words.props("dense outlined clearable autofocus hide-bottom-space debounce=200")
        words.props("maxlength=200 type=search").classes("w-full library-words").props["hint"] = t(
            "library_words_help"
        )
        with ui.row().classes("w-full library-filters"):
            authors = {name: t.author(author) for name, author in self._choice.authors.items()}
            ui.select(
                authors,
                label=t("facts_author"),
                with_input=len(authors) > _MOST_WITHOUT_TYPING,
                on_change=lambda e: self._narrow(author=e.value or ""),
            ).props("dense outlined clearable options-dense")
            ui.select(
                {genre: t(f"genre_{genre}") for genre in ("verse", "prose")},
                label=t("library_genre"),
                on_change=lambda e: self._narrow(genre=e.value or ""),
            ).props("dense outlined clearable options-dense")
            period = ui.input(t("facts_year"), validation=self._read_period)
            period.props("dense outlined clearable hide-bottom-space debounce=400")
            period.props["placeholder"] = t("library_period_help")
            ui.checkbox(
                t("library_installed_only"), on_change=lambda e: self._narrow(installed=e.value)
            )

    def _narrow(self, **changes: object) -> None:
        self._choice.narrow(**changes)
        self._show()

    def _read_period(self, text: str | None) -> str | None:
        """Filter by a period; return what is wrong with it."""
        try:
            self._narrow(period=read_period(text or ""))
        except LocisimilesError as error:
            return self._t.show(error)
        return None

    def _show(self) -> None:
        """Show the works that are listed."""
        t, choice = self._t, self._choice
        self._found.set_text(t("library_found", count=len(choice.listed)))
        self._list.set_content(work_list(choice.listed, choice.chosen, t))
        self._all.set_text(t("library_choose_listed", count=len(choice.listed)))
        self._all.set_visibility(len(choice.listed) > 1)
        self._show_choice()

    def _show_choice(self) -> None:
        t, works = self._t, self._choice.works
        titles = [t.author_and_work(work.author, work.title) for work in works[:_MOST_TITLES]]
        more = len(works) - len(titles)
        size = self._choice.bytes_to_download
        parts = (
            t("library_chosen", count=len(works)) if works else t("library_none_chosen"),
            "; ".join([*titles, t("library_more", count=more)] if more else titles),
            t("library_to_download", size=megabytes(size, t)) if size else "",
        )
        self._status.set_text(" · ".join(filter(None, parts)))
        self._none.set_visibility(bool(works))
        self._button.set_text(t("library_add", count=len(works)) if works else t("library_add_any"))
        self._button.set_enabled(bool(works))

    def _changed(self, event: GenericEventArguments) -> None:
        """Remember what a box of the list says; the list itself shows it already."""
        sent: Mapping[str, Any] = event.args
        if sent["do"] == "author":
            self._choice.choose_author(str(sent["author"]), chosen=sent["on"] is True)
        elif sent["do"] == "edition":
            self._choice.choose_edition(str(sent["work"]), str(sent["value"]))
        else:
            self._choice.choose(str(sent["work"]), chosen=sent["on"] is True)
        self._show_choice()

    def _choose_listed(self) -> None:
        self._choice.choose_listed()
        self._show()

    def _clear(self) -> None:
        self._choice.clear()
        self._show()

    def _enter(self, event: GenericEventArguments) -> None:
        """Choose the only work found, or the one at the cursor; add what is chosen already."""
        choice, work = self._choice, str(event.args["work"])
        if not work:  # in the field for names, which may be ahead of the list
            self._narrow(words=str(event.args["words"] or ""))
            if len(choice.listed) == 1 and choice.listed[0].name not in choice.chosen:
                choice.choose(choice.listed[0].name, chosen=True)
                self._show()
                return
        elif not choice.chosen:
            choice.choose(work, chosen=True)
        self._finish()

    def _finish(self) -> None:
        names = [self._choice.chosen[work.name] for work in self._choice.works]
        if names:
            self._choice.clear()
            self._dialog.close()
            self._add(names)

    async def _keep_copy(self, event: UploadEventArguments) -> None:
        t, file = self._t, event.file.name
        try:
            content = await event.file.read()
            edition = await run.io_bound(Library().keep_copy, content)
        except LocisimilesError as error:
            notify(t.show(error), "negative")
            return
        if edition is None:
            notify(t("library_copy_unknown", file=file), "warning")
        else:
            notify(t("library_copy_kept", file=file), "positive")
        self._choice.refresh()
        self._show()
