"""Texts and search: the inputs of both sides, their segments, and the form of the search."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

from nicegui import run, ui

from locisimiles.app.projects.facts import TextFacts, facts_of
from locisimiles.app.projects.inputs import (
    LARGEST_FILE,
    add_file,
    paste_text,
    reading_options,
    remove_input,
    set_facts,
    set_reading_options,
    use_example,
)
from locisimiles.app.projects.library_choice import LibraryChoice
from locisimiles.app.projects.library_list import shown_name
from locisimiles.app.projects.project import SIDES
from locisimiles.app.search.status import search_status
from locisimiles.app.ui.additions_panel import AdditionsPanel
from locisimiles.app.ui.file_fields import file_field, label_file_fields
from locisimiles.app.ui.import_panel import ImportPanel
from locisimiles.app.ui.library_panel import LibraryPanel
from locisimiles.app.ui.notices import notify
from locisimiles.app.ui.search_form import SearchForm
from locisimiles.app.ui.searches_panel import SearchesPanel
from locisimiles.app.ui.summary_card import SummaryCard
from locisimiles.app.ui.text_dialogs import ask_for_facts, ask_for_text, shown_facts
from locisimiles.app.ui.view import View
from locisimiles.corpus import ReadOptions
from locisimiles.corpus.citations import cite
from locisimiles.corpus.options import Segmentation, StopAt
from locisimiles.errors import LocisimilesError

if TYPE_CHECKING:
    from collections.abc import Callable

    from nicegui.events import UploadEventArguments

    from locisimiles.app.projects.project import Input, Side

__all__ = ["TextsView"]

_POLL_S = 1.5
_PREVIEW = 25
_MOST_REMARKS = 8


class TextsView(View):
    """Both texts, their segments, and the form of the search."""

    def build(self) -> None:
        """Create the elements."""
        t = self.translate
        self._additions: dict[Side, AdditionsPanel] = {}
        self._choices = {side: LibraryChoice() for side in SIDES}
        self._dialogs = ui.element("div").classes("hidden")
        with ui.element("div").classes("two-sides w-full"):
            self._sides = {side: self._side(side) for side in SIDES}
        with ui.row().classes("items-center no-wrap").props('role="status"') as self._reading:
            ui.spinner()
            ui.label(t("reading_texts"))
        self._reading.set_visibility(False)
        self._example_button = ui.button(
            t("use_example"), icon="menu_book", on_click=self._example
        ).props("outline")
        with ui.expansion(t("reading_options"), icon="content_cut").classes("w-full"):
            self._options()
        summary = SummaryCard(self.page)
        summary.show()
        ui.timer(_POLL_S, summary.show, immediate=False)
        self._form = SearchForm(self.page)
        self._form.build()
        self._searches = SearchesPanel(self.page)
        self._searches.build()
        ImportPanel(self.page, self._texts_changed).build()

    def update(self, *, filtered: bool) -> None:  # noqa: ARG002 - nothing here is filtered
        """Show the texts."""
        for side in SIDES:
            self._show(side)
        self._example_button.set_visibility(
            not any(self.page.project.texts.count(side) for side in SIDES)
        )
        self._form.update()
        self._searches.update()
        label_file_fields()

    def _side(self, side: Side) -> ui.column:
        t = self.translate
        with ui.card().classes("side"):
            ui.label(t(f"{side}_texts")).classes("subtitle").props('role="heading" aria-level="2"')
            ui.label(t(f"{side}_help")).classes("meta")
            file_field(
                t,
                t("drop_files"),
                lambda event: self._uploaded(side, event),
                largest=LARGEST_FILE,
                multiple=True,
            ).classes(f"drop drop-{side}").props("flat bordered")
            with ui.row():
                ui.button(
                    t("paste"), icon="content_paste", on_click=lambda: self._ask_for_text(side)
                ).props("flat dense no-caps").classes(f"paste-{side}")
                ui.button(
                    t("from_library"),
                    icon="local_library",
                    on_click=lambda: self._open_library(side),
                ).props("flat dense no-caps").classes(f"library-{side}")
            self._additions[side] = AdditionsPanel(self.page, side, self._texts_changed)
            self._additions[side].build()
            return ui.column().classes("w-full")

    def _show(self, side: Side) -> None:
        t, texts, place = self.translate, self.page.project.texts, self._sides[side]
        place.clear()
        total = texts.count(side)
        with place:
            facts = facts_of(self.page.project, side)
            for one in texts.inputs(side, contents=False):
                self._input_line(side, one, facts.get(one.name, TextFacts()))
            if not total:
                return
            remarks = texts.remarks(side)
            for remark in remarks[:_MOST_REMARKS]:
                ui.label(t.show(remark)).classes("remark")
            if len(remarks) > _MOST_REMARKS:
                ui.label(t("more_remarks", count=len(remarks) - _MOST_REMARKS))
            with ui.expansion(t("segments", count=total), value=True).classes("w-full"):
                self._preview(side, total)

    def _input_line(self, side: Side, one: Input, facts: TextFacts) -> None:
        t = self.translate
        with ui.row().classes("items-center input-line no-wrap"):
            ui.icon("library_books" if one.kind == "library" else "description")
            with ui.column().classes("grow gap-0"):
                ui.label(shown_name(one.name, t.author) if one.kind == "library" else one.name)
                if facts:
                    ui.label(shown_facts(t, facts)).classes("meta facts")
            if one.kind == "file":
                edit = ui.button(
                    icon="edit_note", on_click=lambda: self._ask_for_facts(side, one.name, facts)
                ).props("flat round dense")
                edit.props["aria-label"] = edit.props["title"] = t("facts_title", text=one.name)
            ui.button(icon="close", on_click=lambda: self._remove(side, one.name)).props(
                f'flat round dense aria-label="{t("remove")}"'
            )

    def _preview(self, side: Side, total: int) -> None:
        t, texts = self.translate, self.page.project.texts
        shown = ui.column().classes("w-full preview")

        def turn(first: int) -> None:
            shown.clear()
            with shown:
                for segment in texts.segments(side, first, _PREVIEW):
                    with ui.element("p").classes("preview-line"):
                        ui.label(cite(segment)).classes("locus")
                        ui.label(segment.text).classes("latin").props('lang="la"')
                with ui.row().classes("items-center"):
                    if first:
                        ui.button(
                            t("earlier"), on_click=lambda: turn(max(first - _PREVIEW, 0))
                        ).props("flat dense")
                    if first + _PREVIEW < total:
                        ui.button(t("later"), on_click=lambda: turn(first + _PREVIEW)).props(
                            "flat dense"
                        )

        turn(0)

    def _options(self) -> None:
        t, now = self.translate, reading_options(self.page.project)
        with ui.row().classes("items-end"):
            segmentations = {name: t(f"segmentation_{name}") for name in get_args(Segmentation)}
            stops = {name: t(f"stop_at_{name}") for name in get_args(StopAt)}
            segmentation = ui.select(segmentations, value=now.segmentation, label=t("segmentation"))
            colon = ui.select(stops, value=now.colon, label=t("colon"))
            semicolon = ui.select(stops, value=now.semicolon, label=t("semicolon"))
            encoding = ui.input(t("encoding"), value=now.encoding or "")
            ui.button(
                t("read_again"),
                on_click=lambda: self._change(
                    lambda: set_reading_options(
                        self.page.project,
                        ReadOptions(
                            encoding=encoding.value.strip() or None,
                            segmentation=segmentation.value,
                            colon=colon.value,
                            semicolon=semicolon.value,
                        ),
                    )
                ),
            ).props("outline")

    async def _uploaded(self, side: Side, event: UploadEventArguments) -> None:
        content, name = await event.file.read(), event.file.name
        await self._change(lambda: add_file(self.page.project, side, name, content))

    def _ask_for_text(self, side: Side) -> None:
        t = self.translate

        async def add(text: str, facts: TextFacts) -> bool:
            return await self._change(
                lambda: paste_text(self.page.project, side, text, facts, t("pasted"))
            )

        ask_for_text(t, f"{t('paste')}: {t(f'{side}_texts')}", add)

    def _ask_for_facts(self, side: Side, name: str, known: TextFacts) -> None:
        async def save(facts: TextFacts) -> bool:
            return await self._change(lambda: set_facts(self.page.project, side, name, facts))

        with self._dialogs:  # the line of the text is replaced while the dialog is open
            ask_for_facts(self.translate, name, known, save)

    def _open_library(self, side: Side) -> None:
        title = self.translate("library_of", side=self.translate(f"{side}_texts"))
        choice, additions = self._choices[side], self._additions[side]
        with self._dialogs:
            LibraryPanel(self.translate, title, choice, additions.start)

    async def _remove(self, side: Side, name: str) -> None:
        await self._change(lambda: remove_input(self.page.project, side, name))

    async def _example(self) -> None:
        await self._change(lambda: use_example(self.page.project))

    async def _change(self, doing: Callable[[], None]) -> bool:
        """Change the texts, or show what is wrong with them; return whether they changed."""
        done = True
        self._reading.set_visibility(True)
        try:
            await run.io_bound(doing)
        except LocisimilesError as error:
            done = False
            with self._dialogs:
                notify(self.translate.show(error), "negative")
        self._reading.set_visibility(False)
        with self._dialogs:  # the button that was pressed is replaced
            self._texts_changed()
        return done

    def _texts_changed(self) -> None:
        if search_status(self.page.project) is not None:
            self.page.fill_filters()
        self.update(filtered=False)
