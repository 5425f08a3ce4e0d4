"""Tables: tab-separated for programs, framed for people."""

import re
from contextlib import redirect_stdout

import pytest
from rich.text import Text

from locisimiles.cli.tables import print_table
from support.commands import Terminal

ROWS = [["verg. [sic]\n1", Text("Arma\tuirum")], ["hor.", "\x1b[31m"]]


@pytest.fixture
def printed(monkeypatch):
    """Print a table to a terminal, and return the words of each line."""
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "60")

    def print_to_terminal(rows, **options):
        with redirect_stdout(Terminal()) as screen:
            print_table(["id", "text"], rows, **options)
        plain = re.sub(r"\x1b\[[\d;]*m", "", screen.getvalue())
        return [line.split() for line in plain.splitlines()]

    return print_to_terminal


def test_in_a_pipe_cells_are_separated_by_tabs(capsys):
    print_table(["id", "text"], ROWS, title="Texts")
    assert capsys.readouterr().out == "id\ttext\nverg. [sic] 1\tArma uirum\nhor.\t�[31m\n"


def test_in_a_pipe_a_table_without_rows_is_only_a_header(capsys):
    print_table(["id", "text"], [])
    assert capsys.readouterr().out == "id\ttext\n"


def test_on_a_terminal_there_is_a_title_and_cells_stay_as_they_are(printed):
    rows = [["verg. [sic]\n1", "Arma\tuirum"], [Text("hor."), ":cat:"]]
    assert printed(rows, title="Texts") == [
        ["Texts"],
        ["id", "text"],
        ["verg.", "[sic]", "1", "Arma", "uirum"],
        ["hor.", ":cat:"],
    ]


def test_on_a_terminal_no_control_character_is_printed(printed):
    assert printed([["a", "\x1b[31m \x07 \x9b"]])[1] == ["a", "�[31m", "�", "�"]


def test_on_a_terminal_long_cells_are_folded_not_cut(printed):
    lines = printed([["a", "arma " * 30], ["b", "u" * 90]])
    words = [word for line in lines for word in line]
    assert words.count("arma") == 30
    assert "".join(words).count("u") == 90
