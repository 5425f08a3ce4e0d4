"""``locisimiles benchmark``."""

import json
from functools import partial

import pytest

from locisimiles.benchmark.runs.methods import unregister_method
from locisimiles.benchmark.sets.dataset import Benchmark
from support.small_set import small_set

PLUGIN = """
from locisimiles import BM25
from locisimiles.benchmark.runs.methods import register_method
register_method("mine", "My own", lambda: BM25(k1=2))
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The folder in which the commands run, with a small set."""
    monkeypatch.chdir(tmp_path)
    small_set().save(tmp_path / "small")
    return tmp_path


@pytest.fixture
def run(folder, program):  # noqa: ARG001
    return partial(program, "benchmark")


def test_sizes_are_shown_beside_the_papers(run):
    done = run("stats", "small")
    assert (done.code, done.err) == (0, "")
    lines = [line.split("\t") for line in done.out.splitlines()]
    assert ["query", "Jerome", "12", "74,672"] in [line[:4] for line in lines]
    assert ["Jerome", "Virgil", "3", "211", "3", "38"] in lines
    assert ["0", "2", "142", "2", "269", "2", "277"] in lines


def test_a_changed_set_is_noted(run, folder):
    path = folder / "small" / "query.csv"
    path.write_text(path.read_text().replace("dixit", "dicit"))
    assert "query.csv has changed since the manifest was written" in run("stats", "small").err


def test_all_sparse_retrievers_are_run_by_default(run, folder):
    done = run("run", "small", "--protocol", "retrieval", "-o", "runs")
    assert done.code == 0
    names = [line.split("\t")[0] for line in done.out.split("\n\n")[0].splitlines()[1:]]
    assert sorted(names) == [
        "bm25", "bm25-surface", "tfidf-lemma", "tfidf-lemma-bigrams", "tfidf-surface",
    ]  # fmt: skip
    assert (folder / "runs" / "retrieval" / "bm25" / "run.trec").is_file()


def test_a_second_run_says_that_all_was_finished(run):
    first = run("run", "small", "--method", "bm25", "-o", "runs")
    second = run("run", "small", "--method", "bm25", "-o", "runs")
    assert "note: 1 of 1 runs were finished before" in second.err
    assert first.out == second.out


def test_a_classifier_is_run_by_all_its_protocols(run):
    done = run("run", "small", "--method", "shared-lemmas", "-o", "runs")
    assert done.code == 0
    assert done.out.count("\n\n") == 4  # five tables


def test_a_lemmatizer_can_be_chosen(run, folder):
    assert (
        run("run", "small", "--method", "bm25", "--lemmatizer", "context", "-o", "runs").code == 0
    )
    assert [p.name for p in (folder / "runs" / "retrieval").iterdir()] == ["bm25+context"]


def test_a_plugin_is_run(run, folder):
    (folder / "mine.py").write_text(PLUGIN)
    try:
        done = run("run", "small", "--plugin", "mine.py", "--method", "mine", "-o", "runs")
    finally:
        unregister_method("mine")
    assert done.code == 0
    assert done.out.splitlines()[1].startswith("mine\t")


def test_folds_are_made_if_there_are_none(run, folder):
    labels = folder / "small" / "labels.csv"
    labels.write_text("query_id,source_id\n" + "".join(f"q{n},s{n}\n" for n in range(6)))
    (folder / "small" / "manifest.json").unlink()
    wrong = run("run", "small", "--method", "shared-lemmas", "-o", "runs")
    assert (wrong.code, wrong.out) == (1, "")
    assert "make some with --folds 5" in wrong.err
    arguments = ("--method", "shared-lemmas", "--protocol", "calibration", "--folds", "2")
    assert run("run", "small", *arguments, "-o", "other").code == 0


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["run", "none", "-o", "runs"], "error: none: query.csv is missing"),
        (["run", "small", "--method", "bm52", "-o", "runs"], "error: unknown method 'bm52'"),
        (["run", "small", "--protocol", "x", "-o", "runs"], "error: unknown protocol 'x'"),
        (["run", "small", "--folds", "3", "-o", "runs"], "the set already has 3 folds"),
        (
            ["run", "small", "--no-train", "--method", "shared-lemmas", "-o", "runs"],
            "must be trained",
        ),
        (["run", "small", "--plugin", "none.py", "-o", "runs"], "none.py: file not found"),
        (["report", "small"], "no runs found"),
        (["build", "-o", "new"], "give --labels and --corpora, or --references, or --hub"),
        (["build", "--labels", "labels.csv", "-o", "new"], "give --labels and --corpora"),
        (["build", "--hub", "a", "--labels", "b", "-o", "new"], "give --labels and --corpora"),
        (["build", "--hub", "small", "-o", "small"], "small/labels.csv already exists"),
        (["export", "small", "--layout", "csv", "-o", "out"], "unknown layout 'csv'"),
        (["export", "small", "-o", "small"], "small is one of the inputs"),
    ],
)
def test_errors_are_one_line(run, arguments, problem):
    done = run(*arguments)
    assert (done.code, done.out) == (1, "")
    assert problem in done.err
    assert "Traceback" not in done.err


def test_a_report_is_written(run, folder):
    run("run", "small", "--method", "bm25", "--method", "bm25-surface", "-o", "runs")
    done = run("report", "runs", "--baseline", "bm25")
    assert (done.code, done.out) == (0, "")
    report = (folder / "runs" / "report" / "report.md").read_text(encoding="utf-8")
    assert "differs from bm25 with" in report
    assert (folder / "runs" / "report" / "figures" / "recall-cit.svg").is_file()


def test_a_baseline_without_results_is_an_error(run):
    run("run", "small", "--method", "bm25", "-o", "runs")
    done = run("report", "runs", "--baseline", "tfidf-lemma")
    assert done.code == 1
    assert "unknown baseline 'tfidf-lemma'; choose one of bm25" in done.err


def test_results_are_added_to_a_leaderboard_once(run, folder):
    run("run", "small", "--method", "bm25", "-o", "runs")
    for _ in range(2):
        arguments = ("--leaderboard", "board.json", "--submitted-by", "A. Name")
        assert run("report", "runs", *arguments).code == 0
    (entry,) = json.loads((folder / "board.json").read_text(encoding="utf-8"))["entries"]
    assert (entry["method"], entry["description"]) == ("bm25", "BM25 over lemmas")


def test_a_leaderboard_needs_a_submitter(run, folder):
    run("run", "small", "--method", "bm25", "-o", "runs")
    done = run("report", "runs", "--leaderboard", "board.json")
    assert done.code == 1
    assert "say who measured the results" in done.err
    assert not (folder / "board.json").exists()


def test_a_set_is_exported(run, folder):
    done = run("export", "small", "--layout", "beir", "-o", "beir")
    assert done.code == 0
    assert len((folder / "beir" / "corpus.jsonl").read_text().splitlines()) == 12


def test_a_copy_of_a_hub_dataset_is_loaded(run, folder):
    done = run("build", "--hub", "small", "-o", "copy")
    assert done.code == 0
    assert "12 query segments, 12 source segments, 6 references" in done.err
    assert Benchmark.load(folder / "copy").folds == (0, 1, 2)


def test_the_published_set_is_built(run, folder, monkeypatch):
    given = []

    def build(labels, corpora, **options):
        given.append((labels.name, corpora.name, sorted(options)))
        return Benchmark.load(folder / "small")

    monkeypatch.setattr("locisimiles.benchmark.sets.build.build_benchmark", build)
    done = run(
        "build", "--labels", "labels.csv", "--corpora", "texts", "-o", "small", "--overwrite"
    )
    assert done.code == 0
    assert given == [("labels.csv", "texts", ["progress"])]
