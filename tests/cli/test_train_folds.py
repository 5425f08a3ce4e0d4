"""``train biencoder`` and ``train crossencoder``."""

import pytest
import typer
from typer.testing import CliRunner

from locisimiles import Document, ParameterError, Segment
from locisimiles.benchmark.sets.dataset import Benchmark
from locisimiles.benchmark.sets.references import References
from locisimiles.cli.train_folds import biencoder, crossencoder

APP = typer.Typer()
APP.command()(biencoder)
APP.command()(crossencoder)


@pytest.fixture
def benchmark(tmp_path):
    folder = tmp_path / "benchmark"
    words = ["arma", "uir", "uox", "faux", "haesit", "faucibus", "cano", "mores"]
    Benchmark(
        Document.from_segments(Segment(f"q{i}", word) for i, word in enumerate(words)),
        Document.from_segments(Segment(f"s{i}", f"{word} et") for i, word in enumerate(words)),
        References.from_columns(range(8), range(8), [1, 2] * 4, fold=[0, 0, 1, 1] * 2),
    ).save(folder)
    return folder


def run(*arguments):
    return CliRunner().invoke(APP, [str(argument) for argument in arguments])


@pytest.mark.parametrize(
    ("command", "wrong"),
    [
        ("biencoder", ("--all", "--fold", 1)),
        ("crossencoder", ("--all", "--fold", 1)),
        ("crossencoder", ("--layers", 2)),
        ("crossencoder", ("--mix", "most")),
        ("crossencoder", ("--similar", "by-magic")),
    ],
)
def test_invalid_options_are_refused(tmp_path, command, wrong):
    benchmark = ["--benchmark", tmp_path] if command == "crossencoder" else [tmp_path]
    result = run(command, "model", *benchmark, "-o", tmp_path / "out", *wrong)
    assert isinstance(result.exception, ParameterError)


def check_training_and_resuming(out, *arguments):
    """Train a model for fold 1; run again with and without --resume; return the messages."""
    arguments = (
        *arguments, "-o", out, "--epochs", 1, "--ratio", 2, "--strategy", "qry,sim", "--fold", 1,
    )  # fmt: skip
    result = run(*arguments)
    assert result.exit_code == 0, result.output
    assert (out / "fold-1" / "model" / "model.safetensors").is_file()
    assert not (out / "fold-0").exists()
    assert run(*arguments).exit_code != 0
    assert run(*arguments, "--resume").exit_code == 0
    return result.stderr


@pytest.mark.train
def test_bi_encoders_are_trained_and_resumed(tiny_encoder, benchmark, tmp_path, monkeypatch):
    monkeypatch.setenv("LOCISIMILES_CACHE", str(tmp_path / "cache"))
    command = ("biencoder", tiny_encoder, benchmark, "--prompts", "e5")
    messages = check_training_and_resuming(tmp_path / "out", *command)
    assert "R@100 of the held-out fold" in messages


@pytest.mark.train
def test_cross_encoders_are_trained_and_resumed(tiny_encoder, benchmark, tmp_path):
    command = ("crossencoder", tiny_encoder, "--benchmark", benchmark, "--similar", "dense")
    messages = check_training_and_resuming(tmp_path / "out", *command, "--device", "cpu")
    assert "wrote" in messages


@pytest.mark.train
def test_our_own_encoder_can_be_trained(tiny_pretrained, benchmark, tmp_path):
    result = run(
        "crossencoder", tiny_pretrained, "--benchmark", benchmark, "-o", tmp_path / "out",
        "--epochs", 1, "--all", "--strategy", "qry,rnd", "--ratio", 2, "--layers", 1,
        "--mix", "natural",
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    assert (tmp_path / "out" / "all" / "model" / "crossencoder.onnx").is_file()
