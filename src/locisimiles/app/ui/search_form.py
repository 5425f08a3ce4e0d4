"""The form of the search."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nicegui import ui

from locisimiles.app.projects.project import SIDES
from locisimiles.app.search.parameters import LEMMATIZERS, SearchParameters
from locisimiles.app.search.reuse import new_segments
from locisimiles.app.search.status import search_status
from locisimiles.app.ui.notices import notify
from locisimiles.app.ui.search_progress import SearchProgress
from locisimiles.checks import parse_share
from locisimiles.errors import LocisimilesError, ParameterError
from locisimiles.retrieve.methods import METHODS

if TYPE_CHECKING:
    from locisimiles.app.ui.view import Page

__all__ = ["SearchForm"]

_POLL_S = 0.4
_NEEDS = {
    ("query",): "start_needs_query",
    ("source",): "start_needs_source",
    ("query", "source"): "start_needs_both",
}
_DEFAULT_LIMITS = {"budget": 100, "precision": 0.5, "threshold": 0.5}


class SearchForm:
    """The parameters of a search, a button to start it, and its progress."""

    def __init__(self, page: Page) -> None:
        self._page, self._t = page, page.translate
        self._followed: int | None = None  # the search that runs

    def build(self) -> None:
        """Create the elements, filled with the parameters of the last search."""
        t = self._t
        last = search_status(self._page.project)
        before = last.parameters if last else SearchParameters()
        with ui.card().classes("w-full search-card"):
            ui.label(t("search")).classes("subtitle").props('role="heading" aria-level="2"')
            with ui.row().classes("w-full items-end"):
                self._method = ui.select(
                    {
                        m.name: f"{m.name} – {t.method(m.name)}"
                        for m in METHODS.values()
                        if not m.needs
                    },
                    value=before.method,
                    label=t("method"),
                ).classes("method")
                self._depth = ui.number(
                    t("depth"), value=before.k, min=1, max=1000, step=1
                ).classes("depth")
            self._selection_fields(before)
            with ui.expansion(t("expert"), icon="tune").classes("w-full"):
                self._priors = ui.switch(t("priors"), value=before.priors)
                self._lemmatizer = ui.select(
                    {name: t(f"lemmatizer_{name}") for name in LEMMATIZERS},
                    value=before.lemmatizer,
                    label=t("lemmatizer"),
                )
                self._settings = (
                    ui.textarea(
                        t("settings"),
                        value="\n".join(
                            f"{name}={value}" for name, value in before.settings.items()
                        ),
                    )
                    .classes("w-full")
                    .props("rows=2 autogrow")
                )
        # Outside the card, so that it can stay in view however long the texts are.
        with ui.column().classes("search-actions w-full"):
            with ui.row().classes("w-full items-center"):
                self._start = ui.button(t("start"), icon="search", on_click=self._start_search)
                self._start.props('aria-describedby="why-not"')
                self._resume = ui.button(t("resume"), icon="play_arrow", on_click=self._go_on)
                self._cancel = ui.button(t("cancel"), icon="stop", on_click=self._stop).props(
                    "outline"
                )
                self._read = ui.button(
                    t("read_so_far"), icon="menu_book", on_click=lambda: self._page.open("read")
                ).props("flat")
                self._needs = ui.label().classes("meta").props('id="why-not"')
                self._replaces = ui.label(t("replaces")).classes("meta")
            self._progress = SearchProgress(self._t)
        ui.timer(_POLL_S, self.update)

    def _selection_fields(self, before: SearchParameters) -> None:
        t = self._t
        chosen = next(iter(before.selection.as_dict().items()), ("all", None))
        names = {name: t(f"kept_{name}") for name in ("all", *_DEFAULT_LIMITS)}
        with ui.row().classes("w-full items-end"):
            self._kept = ui.select(names, value=chosen[0], label=t("kept")).classes("method")
            self._limit = ui.number(value=chosen[1]).classes("depth")

        def show(value: float | None) -> None:
            name = str(self._kept.value)
            self._limit.set_visibility(name in _DEFAULT_LIMITS)
            if name in _DEFAULT_LIMITS:
                self._limit.props["label"] = t(f"limit_{name}")
                self._limit.props["step"] = 1 if name == "budget" else 0.05
                self._limit.set_value(value)

        show(chosen[1])
        self._kept.on_value_change(lambda e: show(_DEFAULT_LIMITS.get(e.value)))

    def update(self) -> None:
        """Show the progress of the search."""
        project = self._page.project
        if not project.exists():
            return
        status = search_status(project)
        busy = status is not None and status.is_busy
        missing = [side for side in SIDES if not project.texts.count(side)]
        self._start.set_enabled(not missing and not busy)
        self._start.set_visibility(not busy)
        self._needs.set_text(self._t(_NEEDS[*missing]) if missing else "")
        self._cancel.set_visibility(busy)
        self._resume.set_visibility(status is not None and status.can_resume)
        self._replaces.set_visibility(not busy and not missing and status is not None)
        self._replaces.set_text(self._what_is_kept())
        self._read.set_visibility(busy and status is not None and status.finished_queries > 0)
        self._progress.update(status)
        followed, self._followed = self._followed, status.number if status and busy else None
        if followed is not None and followed != self._followed:
            ended = search_status(project, followed)
            if ended is not None and ended.state == "done":
                self._page.results_arrived(followed)

    def _what_is_kept(self) -> str:
        known = new_segments(self._page.project)
        if known is None or known.new == known.total:
            return self._t("replaces")
        return self._t("only_new", new=known.new, total=known.total, number=known.search)

    def _start_search(self) -> None:
        try:
            parameters = SearchParameters(
                method=self._method.value,
                k=int(self._depth.value or 0),
                priors=self._priors.value,
                lemmatizer=self._lemmatizer.value,
                settings=_settings(self._settings.value or ""),
                **self._selection(),
            )
            number = self._page.shell.context.jobs.start(self._page.project, parameters)
        except LocisimilesError as error:
            notify(self._t.show(error), "negative")
            return
        self._followed = number
        self.update()

    def _selection(self) -> dict[str, Any]:
        name, limit = str(self._kept.value), self._limit.value
        if name not in _DEFAULT_LIMITS:
            return {}
        if limit is None:
            raise ParameterError("app.no_limit")
        if name != "budget":
            return {name: parse_share(str(limit))}
        return {name: int(limit) if float(limit).is_integer() else limit}

    def _go_on(self) -> None:
        status = search_status(self._page.project)
        if status is not None and self._page.shell.context.jobs.resume(self._page.project):
            self._followed = status.number
        self.update()

    def _stop(self) -> None:
        self._page.shell.context.jobs.cancel(self._page.project)
        self.update()


def _settings(text: str) -> dict[str, str]:
    """Parse lines of the form ``name=value``."""
    read = {}
    for line in filter(str.strip, text.splitlines()):
        name, equals, value = line.partition("=")
        if not equals:
            raise ParameterError("app.not_a_setting", line=line.strip())
        read[name.strip()] = value.strip()
    return read
