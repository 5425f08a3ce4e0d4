"""What README and docs show as the output of a command is its output."""

import shlex

import pytest
from typer.testing import CliRunner

from locisimiles.cli import app
from support.documentation import PAGES, ROOT, blocks_of, make_files


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    make_files(tmp_path)
    (tmp_path / "hits.html").unlink(missing_ok=True)
    monkeypatch.chdir(tmp_path)


def _plain(text):
    return " ".join(text.split())


def _output(command, text=None):
    done = CliRunner().invoke(app, shlex.split(command)[1:], input=text, prog_name="locisimiles")
    assert done.exit_code == 0, done.output
    return _plain(done.output)


def _screens():
    """Yield each command with the lines that follow it in its block."""
    for page in PAGES:
        for block in blocks_of(page):
            command, shown = "", []
            for line in [*block.code.splitlines(), "$ "]:
                if not line.startswith("$ "):
                    shown.append(line)
                    continue
                known = command.startswith("locisimiles ") and command != "locisimiles app"
                if known and "".join(shown).strip():
                    yield pytest.param(command, shown, id=f"{page.stem}:{block.line}")
                command, shown = line.removeprefix("$ "), []


SCREENS = [one for one in _screens() if "\\" not in one.values[0]]


def test_there_are_screens():
    assert len(SCREENS) >= 2


@pytest.mark.parametrize(("command", "shown"), SCREENS)
def test_a_command_says_what_is_shown_after_it(command, shown):
    said = _output(command)
    for line in shown:
        assert _plain(line) in said


def _block(page, beginning):
    [found] = [one for one in blocks_of(ROOT / page) if one.code.startswith(beginning)]
    return found.code


def test_the_evidence_is_what_explain_says():
    said = _output(
        "locisimiles explain 'hier. epist. 130.5.5.3' 'verg. aen. 2.774.1' "
        "--query query.csv --source source.csv"
    )
    assert _plain(_block("docs/evidence.md", "Shares haereo")) in said


def test_the_lemmas_are_those_of_lemmatize():
    command, *shown = _block("docs/latin.md", '$ echo "Arma').splitlines()
    assert command == '$ echo "Arma virumque cano" | locisimiles lemmatize - | cut -f 1-4'
    rows = CliRunner().invoke(app, ["lemmatize", "-"], input="Arma virumque cano\n").stdout
    assert [row.split("\t")[:4] for row in rows.splitlines()] == [row.split() for row in shown]
