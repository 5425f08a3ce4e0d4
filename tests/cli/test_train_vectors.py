"""``locisimiles train vectors``."""

import pytest
import typer
from typer.testing import CliRunner

from locisimiles.cli.train_vectors import train_vectors
from locisimiles.errors import MissingDependencyError, OutputError
from locisimiles.models.vectors import WordVectors


def invoke(*arguments):
    app = typer.Typer()
    app.command()(train_vectors)
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


@pytest.fixture
def corpus(tmp_path):
    path = tmp_path / "corpus.txt"
    path.write_text("vox faucibus haesit\narma virumque cano\n" * 5, encoding="utf-8")
    return path


def test_an_output_that_cannot_be_is_refused_before_anything_is_read(tmp_path):
    done = invoke(tmp_path / "none.txt", "-o", tmp_path / "vectors.txt")
    assert isinstance(done.exception, OutputError)
    assert ".npz" in str(done.exception)


def test_a_file_that_is_there_is_not_replaced(tmp_path, corpus):
    (tmp_path / "v.npz").write_bytes(b"mine")
    done = invoke(corpus, "-o", tmp_path / "v.npz")
    assert isinstance(done.exception, OutputError)
    assert (tmp_path / "v.npz").read_bytes() == b"mine"


def test_without_gensim_nothing_is_written(tmp_path, corpus, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "gensim", None)
    done = invoke(corpus, "-o", tmp_path / "v.npz")
    assert isinstance(done.exception, MissingDependencyError)
    assert not (tmp_path / "v.npz").exists()


@pytest.mark.parametrize("option", ["--dimensions", "--epochs", "--fewest", "--window"])
def test_numbers_below_one_are_refused(tmp_path, corpus, option):
    assert invoke(corpus, "-o", tmp_path / "v.npz", option, 0).exit_code == 2


@pytest.mark.train
@pytest.mark.parametrize("options", [[], ["--subwords", "--buckets", "50"], ["--exact"]], ids=str)
def test_vectors_are_written_and_can_be_read(tmp_path, corpus, options):
    done = invoke(corpus, "-o", tmp_path / "v.npz", "--dimensions", 8, "--fewest", 1, *options)
    assert done.exit_code == 0
    assert "wrote" in done.stderr
    vectors = WordVectors.load(tmp_path / "v.npz")
    assert {"uox", "faux", "haereo", "uir"} <= set(vectors.words)
    assert vectors.dimensions == 8
    assert (vectors.subwords is not None) == ("--subwords" in options)
    assert (vectors.rows.scales is None) == ("--exact" in options)
