"""Texts that would command the terminal, and streams that cannot be written."""

import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

from support.commands import program

__all__ = ["program"]

ESCAPES = "\x1b]0;owned\x07 \x1b[2J \x9b31m \x90q\x9c \x1b[6n \x08\x08 \x7f \r arma"
HOSTILE = f"haesit uox faucibus {ESCAPES} uirumque cano\n"
COLOURS = re.compile(r"\x1b\[[\d;?]*[mhlK]|\r\n")
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


@pytest.fixture
def texts(tmp_path, monkeypatch):
    """Have two texts that hold commands for a terminal, in words, names and ids."""
    monkeypatch.chdir(tmp_path)
    for name in ("a", "b"):
        (tmp_path / f"{name}.txt").write_text(HOSTILE * 2)
        row = f'"{name}\x1b[31m\x9b1","{HOSTILE.strip()}","Au\x1b]2;x\x07tor","We\x9brk"\n'
        (tmp_path / f"{name}.csv").write_text("id,text,author,work\n" + row)
    return tmp_path


COMMANDS = [
    ("segment", "a.txt"),
    ("segment", "a.csv"),
    ("segment", "a.txt", "--window", "2"),
    ("normalize", "a.txt"),
    ("normalize", "a.txt", "--letters"),
    ("lemmatize", "a.txt", "--lemmatizer", "fast"),
    ("lemmatize", "a.csv", "--candidates"),
    ("search", "a.txt", "b.txt", "--method", "bm25"),
    ("search", "a.csv", "b.csv", "--method", "bm25"),
    ("explain", "a\x1b[31m\x9b1", "b\x1b[31m\x9b1", "--query", "a.csv", "--source", "b.csv"),
    ("explain", "a\x1b[31m\x9b1", "b\x1b[31m\x9b1", "--query", "a.csv", "--source", "b.csv",
     "--json", "--context", "1"),
    ("explain", "no\x1b[31m", "b", "--query", "a.csv", "--source", "b.csv"),
    ("segment", "no\x1b]0;owned\x07.txt"),
    ("search", "a.txt", "b.txt", "--method", "bm\x1b[31m25"),
    ("search", "a.txt", "b.txt", "--meth\x1b[31mod", "x"),
    ("sea\x1b[31mrch",),
    ("library", "path", "no\x1b[31m"),
    ("network", "a.csv"),
    ("export", "a.csv", "-o", "x.json"),
    ("index", "info", "no\x1b[31m"),
]  # fmt: skip


@pytest.mark.usefixtures("texts")
@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: ascii(" ".join(command)))
def test_no_command_passes_control_characters_on(program, command):
    done = program(*command)
    assert not CONTROL.findall(done.out)
    assert not CONTROL.findall(done.err)
    assert done.out or done.err


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such terminals")
@pytest.mark.usefixtures("texts")
@pytest.mark.parametrize("command", [COMMANDS[0], COMMANDS[5], COMMANDS[7], COMMANDS[9]])
def test_a_terminal_gets_our_colours_and_nothing_of_the_text(command):
    shown = _on_terminal(command)
    left = COLOURS.sub("\n", shown)
    assert not CONTROL.findall(left), left
    assert "owned" in shown
    assert "arma" in shown


def _on_terminal(command):
    ours, theirs = pty.openpty()
    done = subprocess.Popen(
        [sys.executable, "-m", "locisimiles", *command],
        stdin=theirs, stdout=theirs, stderr=theirs, env=os.environ | {"TERM": "xterm"},
    )  # fmt: skip
    os.close(theirs)
    shown = b""
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:  # the other side is closed
            break
        if not part:
            break
        shown += part
    os.close(ours)
    done.wait(60)
    return shown.decode(errors="replace")


def test_commands_write_through_the_console_only():
    """One place neutralises what is written; so nothing else may write."""
    folder = Path(__file__).parents[2] / "src" / "locisimiles" / "cli"
    writes = re.compile(r"(?<![\w.])print\(|typer\.(?:echo|secho)|sys\.stdout\.write")
    found = {
        path.name
        for path in folder.glob("*.py")
        if path.name != "console.py" and writes.search(path.read_text(encoding="utf-8"))
    }
    assert not found


def _run(command, **options):
    return subprocess.run(
        [sys.executable, "-m", "locisimiles", *command],
        stderr=subprocess.PIPE, timeout=120, **options, check=False,
    )  # fmt: skip


WRITING = [("segment", "many.txt"), ("methods",), ("--help",), ("--version",)]


@pytest.fixture
def many(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "many.txt").write_text("haesit uox faucibus.\n" * 5000)
    return tmp_path


@pytest.mark.usefixtures("many")
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
@pytest.mark.parametrize("command", WRITING, ids=" ".join)
def test_a_full_disk_is_an_error_without_a_traceback(command):
    with open("/dev/full", "w") as full:  # noqa: PTH123
        done = _run(command, stdout=full)
    assert done.returncode == 1
    assert b"Traceback" not in done.stderr
    assert b"Exception ignored" not in done.stderr
    assert done.stderr.decode().splitlines()[-1:] == [
        "error: standard output cannot be written: No space left on device"
    ]


@pytest.mark.usefixtures("many")
@pytest.mark.skipif(sys.platform == "win32", reason="Windows closes no standard output")
@pytest.mark.parametrize("command", WRITING, ids=" ".join)
def test_a_closed_output_is_an_error_without_a_traceback(command):
    done = _run(command, preexec_fn=lambda: os.close(1))
    assert done.returncode == 1
    assert b"Traceback" not in done.stderr
    assert done.stderr.decode().splitlines()[-1:] == [
        "error: standard output cannot be written: it is closed"
    ]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows closes no standard error")
def test_messages_that_nobody_can_read_are_no_error(many):
    (many / "out").write_text("")
    with (many / "out").open("w") as out:
        done = subprocess.run(
            [sys.executable, "-m", "locisimiles", "segment", "many.txt", "-o", "x.csv"],
            stdout=out, timeout=120, check=False, preexec_fn=lambda: os.close(2),
        )  # fmt: skip
    assert done.returncode == 0
    assert (many / "x.csv").exists()


@pytest.mark.usefixtures("many")
@pytest.mark.skipif(sys.platform == "win32", reason="Windows closes no standard input")
def test_a_closed_input_is_an_error_without_a_traceback():
    done = _run(("segment", "-"), stdout=subprocess.DEVNULL, preexec_fn=lambda: os.close(0))
    assert done.returncode == 1
    assert done.stderr.startswith(b"error: <stdin>")
    assert b"Traceback" not in done.stderr


@pytest.mark.usefixtures("many")
def test_a_reader_that_leaves_early_is_no_error():
    done = subprocess.run(
        f"'{sys.executable}' -m locisimiles segment many.txt | head -1; echo ${{PIPESTATUS[0]}}",
        shell=True, executable="/bin/bash", capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.splitlines()[-1] == "0"
    assert "Traceback" not in done.stderr
    assert "error" not in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other signals")
@pytest.mark.parametrize("module", ["locisimiles.errors", "numpy", "typer.main"])
def test_interrupting_the_start_is_quiet(module):
    """The program is interrupted when it has just imported a module, however long that took."""
    command = [sys.executable, "-X", "importtime", "-c", "from _locisimiles import main; main()"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE) as started:
        for line in started.stderr:
            if line.decode().rpartition("|")[2].strip() == module:
                started.send_signal(2)
                break
        said = started.stderr.read()
        code = started.wait(60)
    assert b"Traceback" not in said
    assert (code, b"error: stopped\n" in said) in ((130, True), (0, False))
