"""The worst errors of a classifier."""

import numpy as np
import pytest
from typer.testing import CliRunner

from locisimiles import Document, ParameterError, Segment
from locisimiles.benchmark.protocols import JudgedFold, PairGrid
from locisimiles.benchmark.runs.execution import judge_benchmark
from locisimiles.benchmark.runs.worst_errors import worst_errors
from locisimiles.benchmark.sets.dataset import Benchmark
from locisimiles.benchmark.sets.references import References
from locisimiles.classify.thresholds import Thresholds
from locisimiles.cli import app

QUERY = Document.from_segments([Segment("q1", "haesit uox faucibus"), Segment("q2", "arma cano")])
SOURCE = Document.from_segments(
    [Segment("s1", "uox faucibus haesit"), Segment("s2", "arma"), Segment("s3", "cano")]
)
LABELS = References.from_columns([0, 1], [0, 1], label=[1, 2], fold=[0, 0])


@pytest.fixture
def fold():
    chances = np.zeros((2, 3, 3), np.float32)
    chances[0] = [[0.9, 0.1, 0.0], [0.2, 0.8, 0.0], [0.4, 0.0, 0.6]]
    chances[1] = [[1.0, 0.0, 0.0], [0.7, 0.0, 0.3], [0.1, 0.9, 0.0]]
    pool = Benchmark(QUERY, SOURCE, LABELS)
    return JudgedFold(pool, PairGrid.from_references(chances, LABELS, fold=3), Thresholds(0.5, 0.5))


def test_the_worst_come_first(fold):
    found = [(error.kind, error.query.id, error.source.id) for error in worst_errors([fold])]
    assert found == [
        ("false negative", "q1", "s1"),
        ("false negative", "q2", "s2"),
        ("false positive", "q2", "s3"),
        ("false positive", "q1", "s2"),
        ("false positive", "q1", "s3"),
    ]


def test_at_most_n_errors_are_listed(fold):
    found = [(error.kind, error.query.id) for error in worst_errors([fold], 1)]
    assert found == [("false negative", "q1"), ("false positive", "q2")]


def test_right_decisions_are_not_listed(fold):
    assert worst_errors([fold._replace(rule=Thresholds(0.1, 0.95))]) != worst_errors([fold])
    found = worst_errors([fold._replace(rule=Thresholds(0.1, 0.95))])
    assert ("q1", "s1") not in [(error.query.id, error.source.id) for error in found]


def test_an_error_has_label_and_evidence(fold):
    first = worst_errors([fold])[0]
    assert (first.fold, first.label.text) == (3, "cit")
    assert first.probabilities.cit == pytest.approx(0.1)
    assert "haereo" in first.sentence


def test_errors_of_all_folds_are_ranked_together(fold):
    other = fold._replace(
        grid=PairGrid(fold.grid.probabilities, fold.grid.label, 4, fold.grid.query)
    )
    found = worst_errors([fold, other], 1)
    assert [error.fold for error in found] == [3, 3]
    assert len(worst_errors([fold, other])) == 10


def test_n_must_be_positive(fold):
    with pytest.raises(ParameterError, match="n must be at least 1"):
        worst_errors([fold], 0)


def test_judged_folds_are_reused(tiny, tmp_path):
    first = judge_benchmark(tiny, "shared-lemmas", tmp_path)
    again = judge_benchmark(tiny, "shared-lemmas", tmp_path)
    for one, two in zip(first, again, strict=True):
        assert np.array_equal(one.grid.probabilities, two.grid.probabilities)


def test_a_retriever_is_refused(tiny, tmp_path):
    with pytest.raises(ParameterError, match="bm25 cannot be measured"):
        judge_benchmark(tiny, "bm25", tmp_path)


def test_the_command_writes_a_table(tiny, tmp_path):
    tiny.save(tmp_path / "set")
    table = tmp_path / "errors.csv"
    done = CliRunner().invoke(
        app,
        ["benchmark", "errors", str(tmp_path / "set"), "--runs", str(tmp_path / "runs"),
         "--classifier", "shared-lemmas", "--worst", "2", "-o", str(table)],
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    header, *rows = table.read_text(encoding="utf-8").splitlines()
    assert header.startswith("error,fold,query,source,label,p cit,p cf,evidence")
    assert 0 < len(rows) <= 4
