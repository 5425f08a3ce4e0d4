"""``train crossencoder``, as a command of its own."""

import pytest
import typer
from typer.testing import CliRunner

from locisimiles import Document, ParameterError, Segment
from locisimiles.benchmark.sets.dataset import Benchmark
from locisimiles.benchmark.sets.references import References
from locisimiles.cli.train_crossencoder import crossencoder

APP = typer.Typer()
APP.command("crossencoder")(crossencoder)


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
    "wrong",
    [("--all", "--fold", 1), ("--layers", 2), ("--mix", "most"), ("--similar", "by-magic")],
)
def test_options_without_sense_are_refused(tmp_path, wrong):
    result = run("model", "--set", tmp_path, "-o", tmp_path / "out", *wrong)
    assert isinstance(result.exception, ParameterError)


@pytest.mark.train
def test_models_are_trained_and_resumed(tiny_encoder, benchmark, tmp_path):
    arguments = (
        tiny_encoder, "--set", benchmark, "-o", tmp_path / "out", "--epochs", 1, "--ratio", 2,
        "--strategy", "qry,sim", "--similar", "dense", "--fold", 1, "--device", "cpu",
    )  # fmt: skip
    result = run(*arguments)
    assert result.exit_code == 0, result.output
    assert (tmp_path / "out" / "fold-1" / "model" / "model.safetensors").is_file()
    assert not (tmp_path / "out" / "fold-0").exists()
    assert "wrote" in result.stderr
    assert run(*arguments).exit_code != 0
    assert run(*arguments, "--resume").exit_code == 0


@pytest.mark.train
def test_our_own_encoder_is_trained_too(tiny_pretrained, benchmark, tmp_path):
    result = run(
        tiny_pretrained, "--set", benchmark, "-o", tmp_path / "out", "--epochs", 1, "--all",
        "--strategy", "qry,rnd", "--ratio", 2, "--layers", 1, "--mix", "natural",
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    assert (tmp_path / "out" / "all" / "model" / "crossencoder.onnx").is_file()
