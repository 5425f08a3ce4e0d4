"""Runs: what is written, and going on after an interruption."""

import json
from dataclasses import replace

import numpy as np
import pytest

from locisimiles.benchmark.protocols import evaluate_retrieval
from locisimiles.benchmark.runs.execution import describe_benchmark, run_benchmark
from locisimiles.benchmark.runs.fold_files import FoldFiles
from locisimiles.benchmark.runs.loading import Runs
from locisimiles.benchmark.runs.methods import BenchmarkMethod
from locisimiles.benchmark.runs.trec import read_qrels, read_run
from locisimiles.classify.calibration import Calibration
from locisimiles.classify.thresholds import Thresholds
from locisimiles.errors import InputError, OutputError, ParameterError
from locisimiles.learn.feature_classifier import FeatureClassifier
from locisimiles.learn.shared_lemmas import SharedLemmas
from locisimiles.retrieve import BM25


def contents(folder):
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


class CutError(Exception):
    """The power fails."""


class Constant:
    """A classifier that gives all pairs the same probabilities, without thresholds."""

    calibration = Calibration()

    def probabilities(self, pairs, *, progress=None):  # noqa: ARG002
        return np.broadcast_to([0.2, 0.7, 0.1], (len(pairs), 3))

    def parameters(self):
        return {"name": "constant"}


class LearningBM25:
    """Learns nothing, but notes what it was shown."""

    def __init__(self, shown):
        self.shown = shown

    def fit(self, training, source, *, progress=None):  # noqa: ARG002
        self.shown.append(training.folds)
        return BM25()

    def parameters(self):
        return {"name": "learning-bm25"}


def test_the_files_of_a_run(tiny_runs):
    names = set(contents(tiny_runs))
    assert {"benchmark.json", "qrels/pooled.qrels", "qrels/cit.qrels", "qrels/cf.qrels"} <= names
    assert {
        f"retrieval/bm25/{name}"
        for name in ("manifest.json", "results.json", "queries/results.json", "run.trec")
    } <= names
    assert {f"calibration/shared-lemmas/{n}.json" for n in ("manifest", "results")} <= names


def test_figures_can_be_computed_again_from_run_and_qrels(tiny, tiny_runs):
    run = read_run(tiny_runs / "retrieval/bm25/run.trec", tiny.query, tiny.source)
    qrels = read_qrels(tiny_runs / "qrels/pooled.qrels", tiny.query, tiny.source)
    folds = dict(zip(tiny.references.query.tolist(), tiny.references.fold.tolist(), strict=True))
    qrels = replace(qrels, fold=np.array([folds[q] for q in qrels.query.tolist()], np.int8))
    runs = Runs.read(tiny_runs)
    for measured in evaluate_retrieval(run, qrels):
        row = runs.row("bm25", "retrieval", measured.group, measured.metric)
        assert row.mean == pytest.approx(measured.mean, abs=1e-6)


def test_only_queries_with_references_are_searched(tiny, tiny_runs):
    run = read_run(tiny_runs / "retrieval/bm25/run.trec", tiny.query, tiny.source)
    assert set(run.query.tolist()) <= set(tiny.references.queries.tolist())


def test_rows_say_what_gives_them_again(tiny_runs):
    row = Runs.read(tiny_runs).row("bm25", "retrieval", "cit", "R@10")
    assert row.command == (
        "locisimiles benchmark run tiny --method bm25 --protocol retrieval -o RUNS"
    )


def test_a_second_run_does_nothing(tiny, tiny_runs):
    before = contents(tiny_runs)
    finished = run_benchmark(tiny, ["bm25", "shared-lemmas"], None, tiny_runs)
    assert all(one.skipped for one in finished)
    assert contents(tiny_runs) == before


def test_a_run_that_was_cut_off_goes_on_to_the_same_bytes(tiny, tiny_runs, tmp_path, monkeypatch):
    whole = {
        name: content
        for name, content in contents(tiny_runs).items()
        if "shared-lemmas" in name or "/" not in name or name.startswith("qrels")
    }
    fitted = []
    learn = SharedLemmas.fit

    def fit(self, training, source, **options):
        if len(fitted) == 2:
            raise CutError
        fitted.append(training.folds)
        return learn(self, training, source, **options)

    monkeypatch.setattr(SharedLemmas, "fit", fit)
    with pytest.raises(CutError):
        run_benchmark(tiny, ["shared-lemmas"], None, tmp_path)
    monkeypatch.setattr(
        SharedLemmas,
        "fit",
        lambda self, t, s, **o: fitted.append(t.folds) or learn(self, t, s, **o),
    )
    run_benchmark(tiny, ["shared-lemmas"], None, tmp_path)
    assert fitted == [(1, 2), (0, 2), (0, 1)]
    assert contents(tmp_path) == whole


@pytest.mark.parametrize("lost", ["manifest.json", "results.json"])
def test_what_is_not_finished_is_done_again(tiny, tiny_runs, tmp_path, lost):
    run_benchmark(tiny, ["bm25"], ["retrieval"], tmp_path)
    (tmp_path / "retrieval/bm25" / lost).unlink()
    (finished,) = run_benchmark(tiny, ["bm25"], ["retrieval"], tmp_path)
    assert not finished.skipped
    again = (tmp_path / "retrieval/bm25/results.json").read_bytes()
    assert again == (tiny_runs / "retrieval/bm25/results.json").read_bytes()


def test_other_options_are_another_run(tiny, tmp_path):
    run_benchmark(tiny, ["bm25"], None, tmp_path, k=5)
    (finished,) = run_benchmark(tiny, ["bm25"], None, tmp_path, k=6)
    assert not finished.skipped
    manifest = json.loads((tmp_path / "retrieval/bm25/manifest.json").read_text())
    assert manifest["k"] == 6


def test_a_folder_of_another_set_is_refused(tiny, tiny_runs):
    with pytest.raises(OutputError, match="another set"):
        run_benchmark(tiny.with_folds(2), ["bm25"], None, tiny_runs)


def test_the_description_of_a_set_changes_with_its_labels(tiny):
    other = replace(tiny, references=replace(tiny.references, label=3 - tiny.references.label))
    one, two = (describe_benchmark(b)["sha256"] for b in (tiny, other))
    assert one["query"] == two["query"]
    assert one["references"] != two["references"]


def test_a_retriever_that_learns_is_trained_for_each_fold(tiny, tiny_runs, tmp_path):
    shown = []
    method = BenchmarkMethod("learner", "", learn=lambda: LearningBM25(shown))
    run_benchmark(tiny, [method], None, tmp_path)
    assert shown == [(1, 2), (0, 2), (0, 1)]
    learned, plain = (
        {(r.group, r.metric): r.mean for r in Runs.read(f).rows if r.method == m}
        for f, m in ((tmp_path, "learner"), (tiny_runs, "bm25"))
    )
    assert learned == {key: mean for key, mean in plain.items() if key in learned}


def test_thresholds_of_a_classifier_without_any_are_tuned_on_the_other_folds(tiny, tmp_path):
    run_benchmark(
        tiny,
        [BenchmarkMethod("constant", "", Constant, kind="classifier")],
        ["classification"],
        tmp_path,
    )
    row = Runs.read(tmp_path).row("constant", "classification", "cit", "threshold")
    assert row.mean == pytest.approx(0.7)


def test_without_training_thresholds_are_one_half(tiny, tmp_path):
    run_benchmark(
        tiny,
        [BenchmarkMethod("constant", "", Constant, kind="classifier")],
        ["classification"],
        tmp_path,
        train=False,
    )
    assert Runs.read(tmp_path).row("constant", "classification", "cit", "threshold").mean == 0.5


def test_without_training_the_shipped_model_is_measured(tiny, tmp_path):
    calibration = Calibration(Thresholds(0.3, 0.3))
    shipped = FeatureClassifier(
        {"name": "equal"},
        lambda pairs, **_: np.zeros((len(pairs), 1)),
        lambda rows: np.full((len(rows), 3), 1 / 3),
        calibration,
    )
    method = BenchmarkMethod("shared", "", lambda: shipped, SharedLemmas, kind="classifier")
    run_benchmark(tiny, [method], ["classification"], tmp_path, train=False)
    runs = Runs.read(tmp_path)
    assert runs.row("shared", "classification", "cit", "R").mean == 1
    assert runs.manifests["classification", "shared"]["trained"] is False


def test_without_training_and_shipped_model_there_is_an_error(tiny, tmp_path):
    with pytest.raises(ParameterError, match="must be trained"):
        run_benchmark(tiny, ["shared-lemmas"], None, tmp_path, train=False)


def test_without_folds_a_classifier_cannot_be_measured_but_a_retriever_can(tiny, tmp_path):
    no_folds = replace(
        tiny,
        references=replace(tiny.references, fold=np.full(len(tiny.references), -1, np.int8)),
    )
    with pytest.raises(ParameterError, match="no folds; make some: --folds"):
        run_benchmark(no_folds, ["shared-lemmas"], None, tmp_path)
    run_benchmark(no_folds, ["bm25"], None, tmp_path)
    assert Runs.read(tmp_path).row("bm25", "retrieval", "cit", "R@10").std is None


@pytest.mark.parametrize(
    ("methods", "protocols", "problem"),
    [
        (["bm25"], ["retrieve"], "no protocol 'retrieve'"),
        (["bm25"], ["classification"], "bm25 cannot be measured by classification"),
        (["bm52"], None, "unknown method 'bm52'"),
        ([], None, "no method was named"),
    ],
)
def test_what_cannot_be_run_is_refused(tiny, tmp_path, methods, protocols, problem):
    with pytest.raises(ParameterError, match=problem):
        run_benchmark(tiny, methods, protocols, tmp_path)
    assert not list(tmp_path.iterdir())


def test_protocols_are_left_out_where_they_do_not_fit(tiny, tmp_path):
    finished = run_benchmark(
        tiny, ["bm25", "shared-lemmas"], ["retrieval", "calibration"], tmp_path
    )
    assert [(one.method, one.protocol) for one in finished] == [
        ("bm25", "retrieval"),
        ("shared-lemmas", "calibration"),
    ]


def test_progress_names_the_method(tiny, tmp_path):
    told = []
    run_benchmark(tiny, ["bm25"], None, tmp_path, progress=lambda *step: told.append(step))
    assert ("bm25: searching", 12, 12) in told


def test_a_folder_without_runs_is_an_error(tmp_path):
    with pytest.raises(InputError, match="no runs here"):
        Runs.read(tmp_path)


def test_a_folder_without_a_finished_run_is_an_error(tiny, tmp_path):
    run_benchmark(tiny, ["bm25"], None, tmp_path)
    (tmp_path / "retrieval/bm25/manifest.json").unlink()
    with pytest.raises(InputError, match="no run is finished"):
        Runs.read(tmp_path)


def test_files_of_folds_are_read_by_whoever_has_the_same_key(tmp_path):
    files = FoldFiles(tmp_path / "folds", {"a": 1})
    assert files.read(0) is None
    files.write(0, {"x": np.arange(3)})
    assert files.read(0)["x"].tolist() == [0, 1, 2]
    assert files.read(1) is None
    assert FoldFiles(tmp_path / "folds", {"a": 2}).read(0) is None


def test_a_broken_file_of_a_fold_counts_as_none(tmp_path):
    files = FoldFiles(tmp_path, {})
    files.write(0, {"x": np.arange(3)})
    (path,) = tmp_path.iterdir()
    path.write_bytes(path.read_bytes()[:20])
    assert files.read(0) is None
