"""Texts of the library on their way into projects: downloaded in the background, then added."""

from __future__ import annotations

import logging
import threading
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from locisimiles.app.projects.inputs import add_library_texts
from locisimiles.app.projects.library_list import edition_name
from locisimiles.corpus.library import Library
from locisimiles.errors import LocisimilesError
from locisimiles.messages import Message

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from locisimiles.app.projects.project import Project, Side
    from locisimiles.corpus.library import Text

__all__ = ["Addition", "Additions", "Phase", "TextState", "TextStatus"]

Phase = Literal["downloading", "reading", "done", "stopped"]
TextState = Literal["waiting", "downloading", "here", "failed", "stopped"]

_UNREACHABLE = "corpus.unreachable"
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class TextStatus:
    """How far a text is; sizes are in bytes."""

    name: str
    author: str
    title: str
    state: TextState
    received: int
    size: int
    problem: Message | None = None


class Addition:
    """Texts of the library that a user adds to one side of a project.

    Those on this machine are added at once, the others together when all are downloaded. What
    cannot be downloaded does not keep the rest from being added.
    """

    def __init__(self, project: Project, side: Side, names: Sequence[str]) -> None:
        self._project, self.side = project, side
        self._library = library = Library()
        texts = [text for name in names for text in library.catalogue.find(name)]
        self._texts = {edition_name(text): text for text in texts}
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._status = {name: self._first_status(name) for name in self._texts}
        self._missing = [name for name, one in self._status.items() if one.state == "waiting"]
        self._phase: Phase = "reading" if len(self._missing) < len(texts) else "downloading"
        self._problem: Message | None = None
        self._added = 0
        self._thread = threading.Thread(target=self._run, daemon=True)

    @property
    def texts(self) -> list[TextStatus]:
        """The texts, in the order of the catalogue."""
        with self._lock:
            return list(self._status.values())

    @property
    def downloads(self) -> list[TextStatus]:
        """The texts that were not on this machine at first."""
        with self._lock:
            return [self._status[name] for name in self._missing]

    @property
    def phase(self) -> Phase:
        """What is being done."""
        return self._phase

    @property
    def is_busy(self) -> bool:
        """Whether it is not over yet."""
        return self._phase in ("downloading", "reading")

    @property
    def added(self) -> int:
        """The number of texts that are new on the side."""
        return self._added

    @property
    def problem(self) -> Message | None:
        """Why texts that are here could not be added."""
        return self._problem

    @property
    def failed(self) -> list[TextStatus]:
        """The texts that could not be downloaded."""
        return [one for one in self.texts if one.state == "failed"]

    @property
    def went_well(self) -> bool:
        """Whether it is over, and there is nothing that a user should know or do."""
        return not self.is_busy and not self.failed and self._problem is None

    @property
    def share(self) -> float:
        """The part that is downloaded of all that must be, from 0 to 1."""
        texts = [one for one in self.downloads if one.state != "failed"]
        return sum(one.received for one in texts) / (sum(one.size for one in texts) or 1)

    def start(self) -> None:
        """Begin, in a thread."""
        self._thread.start()

    def stop(self) -> None:
        """Stop downloading; texts that are on this machine stay there."""
        self._stop.set()
        if self._phase == "downloading":  # the network may keep the thread waiting
            self._end("stopped")

    def wait(self, seconds: float | None = None) -> None:
        """Wait until it is over."""
        self._thread.join(seconds)

    def _run(self) -> None:
        missing = self._missing
        self._add([name for name in self._texts if name not in missing])
        if missing and self._go_on("downloading"):
            self._download(missing)
            if self._go_on("reading"):
                self._add([name for name in missing if self._status[name].state == "here"])
        self._end("stopped" if self._stop.is_set() and missing else "done")

    def _download(self, names: Sequence[str]) -> None:
        unreachable: dict[str, Message] = {}
        for name in names:
            source = self._texts[name].source
            if self._stop.is_set():
                return
            if source in unreachable:  # each attempt takes long
                self._set(name, state="failed", problem=unreachable[source])
                continue
            self._set(name, state="downloading")
            problem = self._problem_of(lambda name=name: self._install(name))  # type: ignore[misc]
            if self._stop.is_set():
                return
            if problem is None:
                self._set(name, state="here", received=self._texts[name].size)
                continue
            self._set(name, state="failed", problem=problem)
            if problem.code == _UNREACHABLE:
                unreachable[source] = problem

    def _install(self, name: str) -> None:
        text = self._texts[name]
        files = dict.fromkeys((one.file_name for one in text.files), 0)

        def progress(task: str, done: int, total: int) -> None:  # noqa: ARG001 - as Progress has it
            if self._stop.is_set():
                raise _Stopped
            files[task] = done
            self._set(name, received=sum(files.values()))

        self._library.install(text, progress=progress)

    def _add(self, names: Sequence[str]) -> None:
        if not names:
            return

        def add() -> None:
            self._added += add_library_texts(self._project, self.side, names)

        self._problem = self._problem_of(add) or self._problem

    def _problem_of(self, step: Callable[[], None]) -> Message | None:
        """Do something; return what went wrong, without folders of the server."""
        try:
            step()
        except _Stopped:
            pass
        except LocisimilesError as error:
            root = str(self._library.root)
            return error.as_message().with_words(
                lambda words: words.replace(f"{root}/", "").replace(f"{root}\\", "")
            )
        except Exception:  # noqa: BLE001 - nobody waits for this thread
            _log.exception("texts of the library could not be added")
            return Message("app.unexpected")
        return None

    def _first_status(self, name: str) -> TextStatus:
        text: Text = self._texts[name]
        here = self._library.is_installed(text)
        return TextStatus(
            name,
            text.work.author,
            text.work.title,
            "here" if here else "waiting",
            text.size if here else 0,
            text.size,
        )

    def _set(
        self,
        name: str,
        *,
        state: TextState | None = None,
        received: int | None = None,
        problem: Message | None = None,
    ) -> None:
        with self._lock:
            before = self._status[name]
            if before.state == "stopped":
                return
            self._status[name] = replace(
                before,
                state=before.state if state is None else state,
                received=before.received if received is None else received,
                problem=problem,
            )

    def _go_on(self, phase: Phase) -> bool:
        """Enter the next phase, unless it was stopped."""
        with self._lock:
            if not self._stop.is_set():
                self._phase = phase
        return not self._stop.is_set()

    def _end(self, phase: Phase) -> None:
        with self._lock:
            self._phase = phase
            for name, one in self._status.items():
                if one.state in ("waiting", "downloading"):
                    self._status[name] = replace(one, state="stopped")


class Additions:
    """What all users of an app are adding, by project and side."""

    def __init__(self) -> None:
        self._additions: dict[tuple[str, Side], list[Addition]] = {}
        self._lock = threading.Lock()

    def start(self, project: Project, side: Side, names: Sequence[str]) -> Addition:
        """Add texts by name; raise an UnknownTextError, before anything is done, if one is none."""
        addition = Addition(project, side, names)
        key = project.database.key, side
        with self._lock:
            kept = [one for one in self._additions.get(key, ()) if not one.went_well]
            self._additions[key] = [*kept, addition]
        addition.start()
        return addition

    def of(self, project: Project, side: Side) -> list[Addition]:
        """Return what is being added to a side, or was: the latest, and what went wrong.

        What went wrong is kept until it is dismissed.
        """
        with self._lock:
            return list(self._additions.get((project.database.key, side), ()))

    def dismiss(self, project: Project, addition: Addition) -> None:
        """Forget an addition."""
        key = project.database.key, addition.side
        with self._lock:
            rest = [one for one in self._additions.pop(key, ()) if one is not addition]
            if rest:
                self._additions[key] = rest

    def close(self) -> None:
        """Stop all downloads."""
        with self._lock:
            all_of_them = [one for some in self._additions.values() for one in some]
        for addition in all_of_them:
            addition.stop()


class _Stopped(Exception):  # noqa: N818 - no error
    """Ends a download that the user does not want any more."""
