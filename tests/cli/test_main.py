"""The program as a whole, and as a process of its own."""

import os
import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest
from typer.testing import CliRunner

from locisimiles.cli import app
from locisimiles.examples import example_path

PROGRAM = Path(sys.executable).parent / "locisimiles"
COLOURS = re.compile(r"\x1b\[[\d;]*m")


def run(*arguments, environment=None, **options):
    """Run the program as a process of its own, buffering its output as is usual."""
    usual = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    return subprocess.run(
        [PROGRAM, *arguments],
        env={**usual, **(environment or {})},
        stderr=subprocess.PIPE,
        encoding="utf-8",
        check=False,
        **options,
    )


def run_into_closed_pipe(*arguments):
    reading, writing = os.pipe()
    os.close(reading)
    try:
        return run(*arguments, stdout=writing)
    finally:
        os.close(writing)


def help_of(command):
    done = CliRunner().invoke(app, [*command.split(), "--help"], env={"COLUMNS": "100"})
    assert done.exit_code == 0
    return " ".join(COLOURS.sub("", done.stdout).split())


@pytest.fixture(scope="module")
def small_text(tmp_path_factory):
    path = tmp_path_factory.mktemp("texts") / "small.csv"
    path.write_text("seg_id,text\na,arma uirumque\n", encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def cut_short():
    return run_into_closed_pipe("segment", example_path("source.csv"))


def test_the_version_is_printed():
    done = CliRunner().invoke(app, ["--version"])
    first, second = done.stdout.splitlines()
    assert (done.exit_code, first) == (0, f"locisimiles {version('locisimiles')}")
    assert "workbench" in second


@pytest.mark.parametrize("flag", ["-h", "--help"])
def test_help_lists_the_commands(flag):
    done = CliRunner().invoke(app, [flag])
    assert done.exit_code == 0
    assert all(
        name in done.stdout
        for name in ("search", "segment", "demo", "library", "lemmatize", "train")
    )


def test_without_a_command_help_is_printed():
    done = CliRunner().invoke(app, [])
    assert done.exit_code == 2
    assert "Usage: locisimiles" in COLOURS.sub("", done.output)


@pytest.mark.parametrize("arguments", [["find"], ["--nonsense"]])
def test_wrong_usage_has_exit_code_2(arguments):
    done = CliRunner().invoke(app, arguments)
    assert (done.exit_code, done.stdout) == (2, "")


def test_as_a_process_it_searches_standard_input(small_text):
    done = run(
        "search", "-", small_text, "-k", "1",
        input="id,text\nq,Arma\n", stdout=subprocess.PIPE,
    )  # fmt: skip
    assert done.returncode == 0
    assert done.stderr.startswith("1 pair, about ")
    assert [line.split("\t")[3:5] for line in done.stdout.splitlines()] == [
        ["source", "shared"],
        ["a", "arma"],
    ]


def test_as_a_process_it_reports_errors_in_one_line(small_text):
    done = run("search", "no/such.csv", small_text, stdout=subprocess.PIPE)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "error: no/such.csv: file not found\n"


def test_as_a_process_it_reports_wrong_usage():
    done = run("search", stdout=subprocess.PIPE)
    assert (done.returncode, done.stdout) == (2, "")
    assert "Missing argument" in done.stderr


def test_a_closed_pipe_gives_no_traceback(cut_short):
    assert cut_short.stderr == ""


def test_a_closed_pipe_is_not_an_error(cut_short):
    assert cut_short.returncode == 0


def test_a_closed_pipe_gives_no_message_for_short_output(small_text):
    assert run_into_closed_pipe("segment", small_text).stderr == ""


def test_characters_that_the_output_cannot_encode_give_no_traceback(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("seg_id,text\na,vōx λόγος\n", encoding="utf-8")
    environment = {"PYTHONIOENCODING": "cp1252"}
    done = run("segment", path, environment=environment, stdout=subprocess.PIPE)
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shell_completion_can_be_installed(shell):
    instruction = {"_LOCISIMILES_COMPLETE": f"source_{shell}"}
    done = CliRunner().invoke(app, prog_name="locisimiles", env=instruction)
    assert done.exit_code == 0
    assert f"_LOCISIMILES_COMPLETE=complete_{shell}" in done.stdout


def test_the_shell_completes_methods():
    environment = {
        "_LOCISIMILES_COMPLETE": "complete_bash",
        "COMP_WORDS": "locisimiles search --method bm25-s",
        "COMP_CWORD": "3",
    }
    done = run(environment=environment, stdout=subprocess.PIPE)
    assert (done.returncode, done.stdout, done.stderr) == (0, "bm25-surface\nbm25-skipgrams\n", "")
