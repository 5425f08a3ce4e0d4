"""``train biencoder``, as a command of its own."""

import pytest
import typer
from typer.testing import CliRunner

from locisimiles import Document, ParameterError, Segment
from locisimiles.benchmark.sets.dataset import Benchmark
from locisimiles.benchmark.sets.references import References
from locisimiles.cli.train_biencoder import biencoder

APP = typer.Typer()
APP.command("biencoder")(biencoder)


@pytest.fixture
def benchmark(tmp_path):
    folder = tmp_path / "benchmark"
    words = ["arma", "uir", "uox", "faux", "haesit", "faucibus", "cano", "mores"]
    Benchmark(
        Document.from_segments(Segment(f"q{i}", word) for i, word in enumerate(words)),
        Document.from_segments(Segment(f"s{i}", f"{word} et") for i, word in enumerate(words)),
        References.from_columns(range(8), range(8), [1] * 8, fold=[0, 1] * 4),
    ).save(folder)
    return folder


def run(*arguments):
    return CliRunner().invoke(APP, [str(argument) for argument in arguments])


def test_all_and_fold_exclude_each_other(tmp_path):
    result = run("model", tmp_path, "-o", tmp_path / "out", "--all", "--fold", 1)
    assert isinstance(result.exception, ParameterError)


@pytest.mark.train
def test_models_are_trained_and_resumed(tiny_encoder, benchmark, tmp_path, monkeypatch):
    monkeypatch.setenv("LOCISIMILES_CACHE", str(tmp_path / "cache"))
    arguments = (
        tiny_encoder, benchmark, "-o", tmp_path / "out", "--epochs", 1, "--ratio", 2,
        "--strategy", "qry,sim", "--prompts", "e5", "--fold", 1,
    )  # fmt: skip
    result = run(*arguments)
    assert result.exit_code == 0, result.output
    assert (tmp_path / "out" / "fold-1" / "model" / "model.safetensors").is_file()
    assert not (tmp_path / "out" / "fold-0").exists()
    assert "R@100 of the held-out fold" in result.stderr
    assert run(*arguments).exit_code != 0
    assert run(*arguments, "--resume").exit_code == 0
