"""The command lines that the paper's package documents get an answer that says ours."""

import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from locisimiles.cli import app
from locisimiles.cli.other_program import our_command
from locisimiles.examples import example_path

COMMANDS = list(typer.main.get_command(app).commands)
CASES = {
    "q.csv s.csv -o r.csv": "search q.csv s.csv -o r.csv",
    "q.csv s.csv -o r.csv --pipeline two-stage --classification-model a/b --embedding-model c/d "
    "--top-k 20 --threshold 0.85 --device cuda --verbose": (
        "search q.csv s.csv -o r.csv -k 20 --threshold 0.85"
    ),
    "q.csv s.csv -o r.csv --pipeline word2vec-retrieval --word2vec-model-path m.model "
    "--word2vec-interval 2 --word2vec-order-free --top-k 20 --threshold 0.85": (
        "search q.csv s.csv -o r.csv -k 20 --method word2vec"
    ),
    "q.csv s.csv -o r.csv --pipeline latin-bert-retrieval --latin-bert-model a/b --top-k 20": (
        "search q.csv s.csv -o r.csv -k 20 --method contextual"
    ),
    "q.csv s.csv -o r.csv --pipeline bm25-retrieval --bm25-k1 1.5 --bm25-b=0.75 --top-k 20 "
    "--threshold 0.85": (
        "search q.csv s.csv -o r.csv --set k1=1.5 --set b=0.75 -k 20 --method bm25"
    ),
    "q.csv s.csv --output r.csv --pipeline bm25-lexical-two-stage --lexical-classifier-path x "
    "-t 0.5": "search q.csv s.csv -o r.csv --threshold 0.5 --method bm25 --classifier ensemble",
    "q.csv s.csv -o r.csv --pipeline tfidf-retrieval -v": (
        "search q.csv s.csv -o r.csv --method tfidf-lemma"
    ),
}


@pytest.mark.parametrize("theirs", CASES)
def test_their_command_becomes_ours(theirs):
    assert our_command(shlex.split(theirs), COMMANDS) == f"locisimiles {CASES[theirs]}"


@pytest.mark.parametrize("theirs", CASES)
def test_our_command_runs(theirs, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, copy in (("query", "q.csv"), ("source", "s.csv")):
        Path(copy).write_bytes(example_path(f"{name}.csv").read_bytes())
    words = shlex.split(our_command(shlex.split(theirs), COMMANDS))[1:]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    assert Path("r.csv").exists()


@pytest.mark.parametrize(
    "words",
    [
        "",
        "search q.csv s.csv -o r.csv",
        "serch q.csv s.csv",
        "q.csv s.csv t.csv -o r.csv",
        "q.csv s.csv -o r.csv --pipeline nothing",
        "--version",
        "-o",
    ],
)
def test_other_commands_are_not_theirs(words):
    assert our_command(shlex.split(words), COMMANDS) == ""


def test_the_program_says_so():
    program = Path(sys.executable).parent / "locisimiles"
    done = subprocess.run(
        [program, "q.csv", "s.csv", "-o", "r.csv", "--top-k", "3"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert "paper's package" in done.stderr
    assert "run: locisimiles search q.csv s.csv -o r.csv -k 3" in done.stderr
