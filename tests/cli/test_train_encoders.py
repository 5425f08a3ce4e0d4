"""``locisimiles train late``, as a command of its own."""

import json
import sys

import pytest
import typer
from typer.testing import CliRunner

from locisimiles import InputError, MissingDependencyError, ParameterError
from locisimiles.cli.train_encoders import late


def run(*arguments):
    app = typer.Typer()
    app.command()(late)
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


@pytest.fixture
def files(tmp_path):
    words = "arma uir cano uox fauces haereo nosco mare lex ignis gladius silua".split()
    rows = [f"s{i}," + " ".join([*words[i:], *words[:i]][:4]) for i in range(len(words))]
    (tmp_path / "source.csv").write_text("\n".join(["seg_id,text", *rows]), encoding="utf-8")
    (tmp_path / "context.txt").write_text("nunc autem sic dixit ille dum ambulat in horto.\n")
    (tmp_path / "wordnet.tsv").write_text("synset\tpos\tlemma\n1\tn\tmare\n1\tn\tlex\n")
    return tmp_path


def test_without_torch_the_error_says_what_to_install(files, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    done = run(
        files, files / "source.csv", "--insert-into", files / "context.txt", "-o", files / "o"
    )
    assert isinstance(done.exception, MissingDependencyError)
    assert not (files / "o").exists()


@pytest.mark.parametrize(
    "wrong", [["--pairs", 3], ["--layers", 0], ["--steps", 0], ["--numbers", "int4"]], ids=str
)
def test_invalid_numbers_are_refused(files, wrong):
    assert (
        run(files, files / "source.csv", "--insert-into", files / "context.txt", *wrong).exit_code
        == 2
    )


def test_a_context_is_needed(files):
    assert run(files, files / "source.csv").exit_code == 2


@pytest.mark.train
def test_a_model_is_trained_used_and_resumed(files, tiny_pretrained):
    from locisimiles import Document
    from locisimiles.late.search import Late

    arguments = (
        tiny_pretrained, files / "source.csv", "--insert-into", files / "context.txt",
        "--wordnet", files / "wordnet.tsv", "-o", files / "out", "--pairs", 30, "--layers", 2,
        "--dimensions", 8, "--steps", 3, "--batch-size", 4, "--device", "cpu",
    )  # fmt: skip
    done = run(*arguments)
    assert done.exit_code == 0, done.exception
    assert "30 pairs of 12 sources" in done.stderr
    assert "of 3 held-out pairs" in done.stderr
    trained = json.loads((files / "out" / "model" / "encoder.json").read_text())["trained"]
    assert trained["pairs"]["synonyms"]["name"] == "wordnet.tsv"
    sources = Document(files / "source.csv")
    found = Late(files / "out" / "model", cache=None, exact=True).index(sources).search(sources, 1)
    assert found.query.tolist() == list(range(12))
    assert (found.score > 0).all()

    assert run(*arguments).exit_code == 0
    assert isinstance(run(*arguments, "--steps", 4).exception, InputError)


@pytest.mark.train
def test_bad_input_is_reported(files, tiny_pretrained):
    rest = files / "source.csv", "--insert-into", files / "context.txt", "-o", files / "o"
    assert "config.json" in str(run(files, *rest).exception)
    assert isinstance(run(tiny_pretrained, *rest, "--device", "none").exception, ParameterError)
    assert isinstance(run(tiny_pretrained, *rest, "--learning-rate", -1).exception, ParameterError)
    assert isinstance(run(tiny_pretrained, files / "none.csv", *rest[1:]).exception, InputError)


@pytest.mark.train
def test_missing_onnx_is_reported_before_training(files, tiny_pretrained, monkeypatch):
    monkeypatch.setitem(sys.modules, "onnx", None)
    done = run(
        tiny_pretrained,
        files / "source.csv",
        "--insert-into",
        files / "context.txt",
        "-o",
        files / "o",
    )
    assert isinstance(done.exception, MissingDependencyError)
    assert not (files / "o").exists()


def test_centres_make_the_lists_of_an_encoder(program, tmp_path, tiny_latin):
    corpus, output = tmp_path / "corpus.txt", tmp_path / "centres.npy"
    corpus.write_text("arma uirumque cano Troiae qui primus ab oris\n")
    done = program("train", "centres", corpus, "--model", tiny_latin, "--count", 3, "-o", output)
    assert done.code == 0
    assert "3 centres" in done.err
    again = program("train", "centres", corpus, "--model", tiny_latin, "-o", output)
    assert again.code == 1
    assert "--overwrite" in again.err.replace("\n", " ")
