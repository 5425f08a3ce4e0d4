"""``train default``, and what uses the weights."""

import json
import sys
from types import SimpleNamespace

import pytest

from locisimiles import Document, Segment
from locisimiles.benchmark.sets.dataset import Benchmark
from locisimiles.benchmark.sets.references import References
from locisimiles.cli import main
from locisimiles.retrieve.combined_weights import CombinedWeights

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
    done = run("train", "default", "small", "-o", "weights.json")
    assert (done.code, done.out, done.err) == (0, "", "wrote weights.json\n")
    learnt = CombinedWeights.load(folder / "weights.json")
    assert set(learnt.habits.authors["Jerome"]) == {"Virgil"}

    texts = ("small/query.csv", "small/source.csv", "-k", 1)
    used = run("search", *texts, "--set", "weights=weights.json", "-o", "hits.json")
    assert used.code == 0, used.err
    written = json.loads((folder / "hits.json").read_text(encoding="utf-8"))
    assert written["manifest"]["retriever"]["weights_sha256"] == learnt.fingerprint()
    hits = {row["query_id"]: row["source_id"] for row in written["references"]}
    assert hits == {f"q{n}": f"s{n}" for n in range(12)}

    again = run("train", "default", "small", "-o", "again.json")
    assert again.code == 0
    assert (folder / "again.json").read_bytes() == (folder / "weights.json").read_bytes()


def test_a_file_that_is_there_is_replaced_only_if_that_is_wanted(run, folder):
    (folder / "weights.json").write_text("mine")
    done = run("train", "default", "small", "-o", "weights.json")
    assert (done.code, (folder / "weights.json").read_text()) == (1, "mine")
    assert "exists already" in done.err
    assert run("train", "default", "small", "-o", "weights.json", "--overwrite").code == 0
    CombinedWeights.load(folder / "weights.json")


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["none", "-o", "w.json"], "none: there is no file query.csv"),
        (["small", "-o", "w.csv"], "w.csv"),
        (["small", "-o", "no/w.json"], "there is no folder no"),
        (["bare", "-o", "w.json"], "no query has a right candidate"),
    ],
)
def test_what_is_wrong_is_told_in_one_line(run, folder, arguments, problem):
    query = Document.from_segments([Segment("q", "...", author="Jerome")])
    reference = References.from_columns([0], [3], [1])
    Benchmark(query, segments("s", "Virgil", "uenit"), reference).save(folder / "bare")
    done = run("train", "default", *arguments)
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("error: ")
    assert done.err.count("\n") == 1
    assert problem in done.err
    assert not (folder / "w.json").exists()


def test_the_default_is_measured_with_and_without_habits(run, folder):
    done = run("benchmark", "run", "small", "--method", "default", "-o", "runs")
    assert done.code == 0, done.err
    done = run("benchmark", "run", "small", "--method", "default", "--no-priors", "-o", "runs")
    assert done.code == 0, done.err
    assert done.out.splitlines()[1].startswith("default-no-priors\t")
    told = {
        path.parent.name: json.loads(path.read_text(encoding="utf-8"))
        for path in (folder / "runs" / "retrieval").glob("*/manifest.json")
    }
    assert {name: own["method"]["parameters"]["priors"] for name, own in told.items()} == {
        "default": True,
        "default-no-priors": False,
    }
    assert all(own["trained"] for own in told.values())


def test_the_default_is_measured_as_it_is_shipped(run, folder):
    done = run("benchmark", "run", "small", "--method", "default", "--no-train", "-o", "runs")
    assert done.code == 0, done.err
    manifest = folder / "runs" / "retrieval" / "default" / "manifest.json"
    told = json.loads(manifest.read_text(encoding="utf-8"))
    assert told["trained"] is False
    assert told["method"]["parameters"]["weights_sha256"] == CombinedWeights.shipped().fingerprint()
