"""Run tests against mutants: one warm process, a fork for each mutant.

The tests of a room are collected once. A fork then puts new code into the functions of the mutated
file and runs the tests that pass through its lines, the quickest first, until one fails. What
survives this is tried again by the same tests in a fork where nothing of ours was imported yet, so
no value kept from before hides it. What changes while files are imported, or where no test passes,
is tried there by all tests of the room. In both, a copy of the sources with the mutant is what
programs started by tests import.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import shutil
import signal
import sys
import tempfile
import time
import traceback
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from importlib.machinery import SourceFileLoader
from types import CodeType, FunctionType
from typing import TYPE_CHECKING

import coverage
import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from mutants import Mutant

_IMPORTED = (
    "numpy",
    "scipy.stats",
    "scipy.sparse",
    "duckdb",
    "lxml.etree",
    "openpyxl",
    "tokenizers",
)
"""What a fork need not import again; nothing in them starts a thread when it is imported."""
_KILLED, _PATIENCE, _LEAST_S = 1, 5.0, 20.0


@dataclass(frozen=True, slots=True)
class Passing:
    """A test: its number, its seconds, and the lines of the mutated files that it runs."""

    number: int
    seconds: float
    lines: dict[str, frozenset[int]]

    def meets(self, mutant: Mutant) -> bool:
        """Tell whether the test runs a line of the mutated statement."""
        first, last = mutant.lines
        return any(first <= line <= last for line in self.lines.get(str(mutant.path), ()))


@dataclass(frozen=True, slots=True)
class Room:
    """Mutants, the tests meant to notice them, and a folder to work in."""

    tests: Sequence[str]
    files: Sequence[Path]
    folder: Path
    root: Path

    def arguments(self) -> list[str]:
        """Return the arguments of pytest."""
        quiet = ["-q", "-q", "--tb=no", "-p", "no:cacheprovider", "-p", "no:xdist"]
        return [
            *quiet,
            "-m",
            "not slow and not train",
            "--hypothesis-profile=mutation",
            *self.tests,
        ]


def survivors(
    room: Room, mutants: Sequence[Mutant], tell: Callable[[str], None]
) -> tuple[list[Mutant], float]:
    """Return the mutants that no test notices, and the seconds that all tests take."""
    os.environ.update(OMP_NUM_THREADS="1", PYTHONDONTWRITEBYTECODE="1")
    for name in _IMPORTED:
        importlib.import_module(name)
    shadow = _shadow(room)
    found = room.folder / "found.json"
    code = _in_fork(lambda: _quick(room, mutants, shadow, found), room.folder, None)
    if code or not found.exists():
        said = (room.folder / "said.txt").read_text(errors="replace")
        raise SystemExit(f"{said}\nThese tests fail without a mutant, or cannot be collected.")
    quick = json.loads(found.read_text())
    most = _LEAST_S + _PATIENCE * quick["seconds"]
    alive = []
    for number, tests in quick["left"].items():
        mutant = mutants[int(number)]
        with _put_into(shadow, room, mutant):
            outcome = _in_fork(partial(_whole, room, mutant, tests), room.folder, most)
        if not outcome:
            alive.append(mutant)
            tell(f"{mutant.path.relative_to(room.root)}:{mutant}")
    return alive, quick["seconds"]


def _quick(room: Room, mutants: Sequence[Mutant], shadow: Path, found: Path) -> int:
    return int(pytest.main(room.arguments(), plugins=[_Quick(room, mutants, shadow, found)]))


def _whole(room: Room, mutant: Mutant, tests: Sequence[str]) -> int:
    """Import the mutant as if it were the file, and run some tests, or all of the room."""
    usual, code = SourceFileLoader.get_code, mutant.code()

    def get_code(self: SourceFileLoader, name: str) -> CodeType | None:
        return code if self.path == str(mutant.path) else usual(self, name)

    SourceFileLoader.get_code = get_code  # type: ignore[method-assign, assignment]
    return int(pytest.main([*room.arguments(), "-x"], plugins=[_Only(tests)]))


class _SameExamples:
    """A plugin of pytest: Hypothesis tries the same examples each time, and simplifies none."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_configure(self) -> None:
        # Imported here, since pytest complains if somebody imports it before.
        from hypothesis import Phase, settings

        phases = (Phase.explicit, Phase.reuse, Phase.generate)
        settings.register_profile(
            "mutation", deadline=None, derandomize=True, database=None, phases=phases
        )


class _Only(_SameExamples):
    """A plugin of pytest that runs some of the collected tests, or all."""

    def __init__(self, tests: Sequence[str]) -> None:
        self._tests = frozenset(tests)

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        # A name that is not found would end pytest with an error, which is no mutant killed.
        items[:] = [item for item in items if item.nodeid in self._tests] or items


class _Quick(_SameExamples):
    """A plugin of pytest that runs the collected tests in forks, mutant by mutant."""

    def __init__(self, room: Room, mutants: Sequence[Mutant], shadow: Path, found: Path) -> None:
        self._room, self._mutants, self._shadow, self._found = room, mutants, shadow, found
        self._failed = False

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._failed = self._failed or report.failed

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        lines = self._room.folder / "lines.json"
        if _in_fork(lambda: self._measure(session.items, lines), self._room.folder, None):
            raise session.Failed("a test fails without a mutant")
        tests = [
            Passing(number, seconds, {path: frozenset(some) for path, some in by_file.items()})
            for number, (seconds, by_file) in enumerate(json.loads(lines.read_text()))
        ]
        tests.sort(key=lambda test: test.seconds)
        left = {}
        for number, mutant in enumerate(self._mutants):
            chosen = [test for test in tests if mutant.in_function and test.meets(mutant)]
            if not self._kills(session, chosen, mutant):
                left[number] = [session.items[test.number].nodeid for test in chosen]
        seconds = sum(test.seconds for test in tests)
        self._found.write_text(json.dumps({"left": left, "seconds": seconds}))
        return True

    def _measure(self, items: Sequence[pytest.Item], path: Path) -> int:
        """Run each test as the code is; write its seconds and lines."""
        watch = coverage.Coverage(
            data_file=None, config_file=False, include=[str(file) for file in self._room.files]
        )
        seconds = []
        watch.start()
        for number, (item, following) in enumerate(_with_next(items)):
            watch.switch_context(str(number))
            began = time.perf_counter()
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            seconds.append(time.perf_counter() - began)
            if self._failed:
                print(f"{item.nodeid} fails", file=sys.__stderr__)
                return _KILLED
        watch.stop()
        lines: list[dict[str, list[int]]] = [{} for _ in items]
        data = watch.get_data()
        for file in data.measured_files():
            for line, contexts in data.contexts_by_lineno(file).items():
                for number in map(int, filter(None, contexts)):
                    lines[number].setdefault(file, []).append(line)
        path.write_text(json.dumps(list(zip(seconds, lines, strict=True))))
        return 0

    def _kills(self, session: pytest.Session, tests: Sequence[Passing], mutant: Mutant) -> bool:
        if not tests:
            return False
        most = _LEAST_S + _PATIENCE * sum(test.seconds for test in tests)
        items = [session.items[test.number] for test in tests]
        with _put_into(self._shadow, self._room, mutant):
            return _in_fork(lambda: self._try(items, mutant), self._room.folder, most) != 0

    def _try(self, items: Sequence[pytest.Item], mutant: Mutant) -> int:
        if not _swap(mutant):
            return 0  # left to the second way
        for item, following in _with_next(items):
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if self._failed:
                return _KILLED
        return 0


def _with_next(items: Sequence[pytest.Item]) -> Iterator[tuple[pytest.Item, pytest.Item | None]]:
    return zip(items, [*items[1:], None], strict=True)


def _swap(mutant: Mutant) -> bool:
    """Put the code of a mutant into the functions of its file; tell whether there were any."""
    new = {(one.co_qualname, one.co_firstlineno): one for one in _nested(mutant.code())}
    is_changed = False
    for function in gc.get_objects():
        if type(function) is FunctionType and function.__code__.co_filename == str(mutant.path):
            old = function.__code__
            code = new.get((old.co_qualname, old.co_firstlineno))
            if code is not None and code != old and code.co_freevars == old.co_freevars:
                function.__code__ = code
                is_changed = True
    return is_changed


def _nested(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _nested(constant)


def _shadow(room: Room) -> Path:
    """Make a copy of the sources for processes that tests start, and have them use it."""
    shadow = room.folder / "src"
    shutil.copytree(room.root / "src", shadow, copy_function=os.symlink, dirs_exist_ok=True)
    os.environ["PYTHONPATH"] = str(shadow)
    return shadow


@contextmanager
def _put_into(shadow: Path, room: Room, mutant: Mutant) -> Iterator[None]:
    """Have a mutant in the copy of the sources, as long as it is tried."""
    copy = shadow / mutant.path.relative_to(room.root / "src")
    copy.unlink()
    copy.write_text(mutant.source(), encoding="utf-8")
    try:
        yield
    finally:
        copy.unlink()
        copy.symlink_to(mutant.path)


def _in_fork(work: Callable[[], int], folder: Path, most_s: float | None) -> int:
    """Return what work returns in a process of its own; not 0 if it is ended for its time."""
    temporary = tempfile.mkdtemp(dir=folder)
    process = os.fork()
    if not process:
        code = 2
        try:
            os.setsid()
            said = os.open(folder / "said.txt", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            os.dup2(said, 1)
            os.environ["PYTEST_DEBUG_TEMPROOT"] = temporary
            code = work()
        except BaseException:  # noqa: BLE001 -- it must not go on as a second parent
            traceback.print_exc()
        finally:
            os._exit(code)
    try:
        return _wait(process, most_s)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def _wait(process: int, most_s: float | None) -> int:
    """Return how a process ends; end it, and what it left running, when its time is over."""
    began = time.monotonic()
    while True:
        done, status = os.waitpid(process, os.WNOHANG)
        is_over = most_s is not None and time.monotonic() - began > most_s
        if done or is_over:
            break
        time.sleep(0.002)
    with suppress(ProcessLookupError):
        os.killpg(process, signal.SIGKILL)
    if not done:
        os.waitpid(process, 0)
        return signal.SIGKILL
    return status
