"""``train classifier``, and what uses the weights."""

import json
import sys
from types import SimpleNamespace

import pytest

from locisimiles import Document, Segment
from locisimiles.benchmark.sets.dataset import Benchmark
from locisimiles.benchmark.sets.references import References
from locisimiles.classify.ensemble_weights import EnsembleWeights
from locisimiles.cli import main

WORDS = "arma uirumque cano Troiae primus oris litora fato profugus multum iactatus alto".split()


def segments(prefix, author, extra):
    return Document.from_segments(
        Segment(f"{prefix}{n}", f"{WORDS[n]} {WORDS[(n + 1) % 12]} {extra}", author=author)
        for n in range(12)
    )


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    references = References.from_columns(range(6), range(6), [1, 2] * 3, fold=[0, 0, 1, 1, 2, 2])
    query, source = segments("q", "Jerome", "dixit"), segments("s", "Virgil", "uenit")
    Benchmark(query, source, references, name="small").save(tmp_path / "small")
    return tmp_path


@pytest.fixture
def run(folder, monkeypatch, capsys):  # noqa: ARG001
    """Run the program as its users do, up to its exit code."""

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["locisimiles", *map(str, arguments)])
        with pytest.raises(SystemExit) as end:
            main()
        out, err = capsys.readouterr()
        return SimpleNamespace(code=end.value.code, out=out, err=err)

    return run


def test_weights_are_learnt_and_used(run, folder):
    done = run("train", "classifier", "small", "-o", "weights.json")
    assert (done.code, done.out, done.err) == (0, "", "wrote weights.json\n")
    learnt = EnsembleWeights.load(folder / "weights.json")
    assert set(learnt.habits.authors["Jerome"]) == {"Virgil"}

    texts = ("small/query.csv", "small/source.csv", "-k", 1, "--method", "bm25")
    used = run("search", *texts, "--classifier", "weights.json", "-o", "hits.json")
    assert used.code == 0, used.err
    written = json.loads((folder / "hits.json").read_text(encoding="utf-8"))
    assert written["manifest"]["classifier"]["weights_sha256"] == learnt.fingerprint()
    hits = {row["query_id"]: row["source_id"] for row in written["references"]}
    assert hits == {f"q{n}": f"s{n}" for n in range(12)}


def test_a_file_that_is_there_is_replaced_only_if_that_is_wanted(run, folder):
    (folder / "weights.json").write_text("mine")
    done = run("train", "classifier", "small", "-o", "weights.json")
    assert (done.code, (folder / "weights.json").read_text()) == (1, "mine")
    assert "exists already" in done.err
    assert run("train", "classifier", "small", "-o", "weights.json", "--overwrite").code == 0
    EnsembleWeights.load(folder / "weights.json")


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["none", "-o", "w.json"], "none: there is no file query.csv"),
        (["small", "-o", "w.csv"], "w.csv"),
        (["small", "-o", "no/w.json"], "there is no folder no"),
        (["bare", "-o", "w.json"], "the training set has fewer than two folds"),
        (["empty", "-o", "w.json"], "no query has a right candidate"),
    ],
)
def test_what_is_wrong_is_told_in_one_line(run, folder, arguments, problem):
    source = segments("s", "Virgil", "uenit")
    bare = References.from_columns([0], [3], [1])
    Benchmark(segments("q", "Jerome", "dixit"), source, bare).save(folder / "bare")
    silent = Document.from_segments(Segment(name, "...", author="Jerome") for name in "ab")
    nothing = References.from_columns([0, 1], [3, 4], [1, 2], fold=[0, 1])
    Benchmark(silent, source, nothing).save(folder / "empty")
    done = run("train", "classifier", *arguments)
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("error: ")
    assert done.err.count("\n") == 1
    assert problem in done.err
    assert not (folder / "w.json").exists()
