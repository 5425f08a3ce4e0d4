"""The paper's package itself and `compat`, on the same files.

Needs a Python that has the package, in ``LOCISIMILES_PAPER_PYTHON``; docs/coming-from-the-paper.md
says how to make one.
"""

import json
import os
import subprocess
from pathlib import Path

import pytest

from locisimiles.compat import (
    BM25RetrievalPipeline,
    CandidateJudge,
    Document,
    GroundTruth,
    IntertextEvaluator,
    RuleBasedPipeline,
    TfidfRetrievalPipeline,
)
from locisimiles.examples import example_path

THEIR_PYTHON = os.environ.get("LOCISIMILES_PAPER_PYTHON", "")
PROGRAM = Path(__file__).parents[1] / "support" / "their_package.py"
TOP_K = 10
OURS = {
    "bm25": BM25RetrievalPipeline,
    "tfidf": TfidfRetrievalPipeline,
    "rules": RuleBasedPipeline,
}
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not THEIR_PYTHON, reason="LOCISIMILES_PAPER_PYTHON names no Python"),
]


@pytest.fixture(scope="module")
def theirs():
    files = [example_path(f"{name}.csv") for name in ("query", "source", "ground_truth")]
    done = subprocess.run(
        [THEIR_PYTHON, PROGRAM, *files, str(TOP_K)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    line = next(line for line in done.stdout.splitlines() if line.startswith("RESULT"))
    found = json.loads(line.removeprefix("RESULT"))
    assert found["version"].startswith("2.")
    return found


@pytest.fixture(scope="module")
def texts():
    return Document(example_path("query.csv")), Document(example_path("source.csv"))


@pytest.fixture(scope="module")
def known():
    return GroundTruth(example_path("ground_truth.csv"))


def recall(results, known):
    found = {(query_id, name) for query_id, listed in results.items() for name, *_ in listed}
    return sum((entry.query_id, entry.source_id) in found for entry in known) / len(known)


@pytest.mark.parametrize("name", OURS)
def test_results_have_the_same_shape_and_find_more(theirs, texts, known, name):
    query, source = texts
    listed = {
        query_id: [(one.segment.id, one.candidate_score, one.judgment_score) for one in found]
        for query_id, found in OURS[name]().run(query=query, source=source, top_k=TOP_K).items()
    }
    their = theirs["pipelines"][name]
    if name == "rules":  # theirs leaves out queries without candidates
        assert set(their) <= set(listed)
    else:
        assert list(listed) == list(their)
    assert all(len(found) <= TOP_K for found in listed.values())
    for found in (*listed.values(), *their.values()):
        assert [type(value) for row in found for value in row] == [str, float, float] * len(found)
        scores = [score for _, score, _ in found]
        assert name == "rules" or scores == sorted(scores, reverse=True)
    assert recall(listed, known) >= recall(their, known) > 0


class Recorded:
    """A pipeline that returns what theirs found."""

    def __init__(self, found, source):
        self.found, self.source = found, source

    def run(self, **_):
        return {
            query_id: [CandidateJudge(self.source[name], *scores) for name, *scores in listed]
            for query_id, listed in self.found.items()
        }


def test_the_evaluator_measures_the_same_in_the_same_results(theirs, texts, known):
    query, source = texts
    evaluator = IntertextEvaluator(
        query_doc=query,
        source_doc=source,
        ground_truth=known,
        pipeline=Recorded(theirs["pipelines"]["bm25"], source),
        top_k=TOP_K,
        threshold=0.5,
    )
    wanted = theirs["measured"]
    best, thresholds = evaluator.find_best_threshold(metric="f1", thresholds=[0.5])
    assert list(evaluator.evaluate().columns) == wanted["columns"]
    assert list(evaluator.evaluate_all_queries().columns) == wanted["query_columns"]
    assert sorted(best) == wanted["best"]
    assert list(thresholds.columns) == wanted["threshold_columns"]
    for average in ("macro", "micro"):
        found = evaluator.evaluate(average=average).iloc[0].to_dict()
        assert found == pytest.approx(wanted[average])
    matched = evaluator.evaluate(average="micro", with_match_only=True).iloc[0].to_dict()
    assert matched == pytest.approx(wanted["matched"])
    for k, measured in evaluator.evaluate_k_values(k_values=[1, 3]).items():
        assert measured == pytest.approx(wanted["k"][str(k)])
