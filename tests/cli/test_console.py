"""Messages, progress and exit codes."""

import re
import sys
from contextlib import redirect_stderr
from types import SimpleNamespace

import pytest

from locisimiles import Document, LocisimilesError, Segment
from locisimiles.cli import console
from locisimiles.cli.console import ProgressBar, ProgressLog, run_safely, say
from locisimiles.cli.files import report_reading
from support.commands import Terminal

COLOURS = re.compile(r"\x1b\[[\d;]*m")
HIDE_CURSOR = "\x1b[?25l"
SHOW_CURSOR = "\x1b[?25h"


@pytest.fixture
def clock(monkeypatch):
    """A clock that only the test advances."""
    now = SimpleNamespace(seconds=100.0)
    monkeypatch.setattr(console, "time", SimpleNamespace(monotonic=lambda: now.seconds))
    return now


@pytest.fixture
def on_terminal(monkeypatch):
    """Return a context in which standard error is a terminal."""
    for name in ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    return lambda: redirect_stderr(Terminal())


def raising(error):
    def app():
        raise error

    return app


def document_with_notes(count):
    document = Document.from_segments([Segment("a", "arma")])
    for number in range(1, count + 1):
        document.report.note(f"{number}.txt", "read as CP1252")
    return document


@pytest.mark.parametrize(
    ("kind", "line"), [("", "arma\n"), ("note", "note: arma\n"), ("error", "error: arma\n")]
)
def test_messages_go_to_standard_error(capsys, kind, line):
    say("arma", kind=kind)
    assert capsys.readouterr() == ("", line)


def test_a_message_is_one_line_however_long(capsys):
    say("arma " * 100)
    assert capsys.readouterr().err == "arma " * 100 + "\n"


def test_a_message_has_no_control_characters_and_no_markup(capsys):
    say("a\x1b[31m\nb [bold] [/x] :cat:")
    assert capsys.readouterr().err == "a�[31m b [bold] [/x] :cat:\n"


@pytest.mark.parametrize(
    ("end", "code"),
    [
        (LocisimilesError("it broke"), 1),
        (KeyboardInterrupt(), 130),
        (SystemExit(), 0),
        (SystemExit(None), 0),
        (SystemExit(2), 2),
        (SystemExit("why"), 1),
    ],
)
def test_every_outcome_has_its_exit_code(end, code):
    assert run_safely(raising(end)) == code


def test_success_has_exit_code_0():
    assert run_safely(lambda: "done") == 0


def test_an_error_is_reported_in_one_line(capsys):
    run_safely(raising(LocisimilesError("files.exists", path="hits.csv")))
    assert capsys.readouterr() == (
        "",
        "error: hits.csv already exists; choose another name, or add --overwrite\n",
    )


def test_a_machine_without_memory_is_told_without_a_traceback(capsys):
    assert run_safely(raising(MemoryError())) == 1
    assert capsys.readouterr().err.startswith("error: there is not enough memory")


def test_a_bug_is_not_hidden():
    with pytest.raises(ZeroDivisionError):
        run_safely(raising(ZeroDivisionError()))


def test_a_closed_pipe_is_not_an_error(tmp_path, monkeypatch, capsys):
    with (tmp_path / "out").open("w") as stream:
        monkeypatch.setattr(sys, "stdout", stream)
        assert run_safely(raising(BrokenPipeError())) == 0
        stream.write("what was still to come")
    assert (tmp_path / "out").read_text() == ""
    assert capsys.readouterr().err == ""


def test_notes_on_reading_are_reported(capsys):
    report_reading(document_with_notes(1), document_with_notes(0))
    assert capsys.readouterr() == ("", "note: 1.txt: read as CP1252\n")


def test_only_ten_notes_are_reported(capsys):
    report_reading(document_with_notes(7), document_with_notes(5))
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 11
    assert lines[-1] == "note: 2 more notes"


def test_fast_work_shows_no_progress_bar(clock, on_terminal):
    with on_terminal() as screen, ProgressBar() as progress:
        progress("indexing", 0, 10)
        clock.seconds += 1.9
        progress("indexing", 10, 10)
    assert screen.getvalue() == ""


def test_after_two_seconds_a_progress_bar_is_shown(clock, on_terminal):
    with on_terminal() as screen, ProgressBar() as progress:
        progress("indexing", 0, 10)
        clock.seconds += 2.1
        progress("indexing", 3, 10)
        progress("searching", 1, 7)
    assert "indexing" in screen.getvalue()
    assert "3/10" in COLOURS.sub("", screen.getvalue())
    assert "1/7" in COLOURS.sub("", screen.getvalue())


def test_time_counts_from_the_start_of_the_work(clock, on_terminal):
    progress = ProgressBar()
    clock.seconds += 60
    with on_terminal() as screen, progress:
        progress("indexing", 3, 10)
    assert screen.getvalue() == ""


@pytest.mark.parametrize("error", [LocisimilesError("it broke"), KeyboardInterrupt()])
def test_the_cursor_is_restored_when_the_work_fails(clock, on_terminal, error):
    def work():
        with ProgressBar() as progress:
            clock.seconds += 3
            progress("indexing", 3, 10)
            raise error

    with on_terminal() as screen:
        run_safely(work)
    assert HIDE_CURSOR in screen.getvalue()
    assert screen.getvalue().rindex(SHOW_CURSOR) > screen.getvalue().rindex(HIDE_CURSOR)


def test_without_a_terminal_short_work_is_silent(clock, capsys):
    with ProgressBar() as progress:
        progress("indexing", 0, 10)
        clock.seconds += 29
        progress("indexing", 9, 10)
    assert capsys.readouterr() == ("", "")


def test_without_a_terminal_long_work_writes_a_line_a_minute(clock, capsys):
    with ProgressBar() as progress:
        progress("searching", 0, 2000)
        for done in range(10, 2001, 10):  # one second each
            clock.seconds += 1
            progress("searching", done, 2000)
    assert capsys.readouterr().err == (
        "searching: 300 of 2,000 (15 %), about 3 min left\n"
        "searching: 900 of 2,000 (45 %), about 2 min left\n"
        "searching: 1,500 of 2,000 (75 %), about 50 s left\n"
    )


def test_the_time_left_is_measured_task_by_task(clock, capsys):
    progress = ProgressLog()
    progress("indexing", 0, 100)
    clock.seconds += 28
    progress("indexing", 100, 100)
    progress("indexing", 0, 100)  # another part does the same
    clock.seconds += 10
    progress("indexing", 10, 100)
    clock.seconds += 70
    progress("searching", 5, 0)
    assert capsys.readouterr().err == (
        "indexing: 10 of 100 (10 %), about 90 s left\nsearching: 5 of 0\n"
    )
