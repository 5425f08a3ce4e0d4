"""The pipeline: search, and say what was searched how."""

import hashlib
from importlib import resources
from importlib.metadata import version

import numpy as np
import pytest

from locisimiles import (
    BM25,
    Candidates,
    Document,
    ParameterError,
    Pipeline,
    Segment,
    load_example_ground_truth,
    load_example_query,
    load_example_source,
)
from locisimiles.retrieve import Combined

QUERY = Document.from_segments([Segment("q", "arma uirumque")])
SOURCE = Document.from_segments([Segment("a", "arma"), Segment("b", "uirumque")])


def sha256(*parts):
    digest = hashlib.sha256()
    for part in parts:
        digest.update(len(part.encode()).to_bytes(8, "big") + part.encode())
    return digest.hexdigest()


class LastFirst:
    """A retriever of somebody else's: the last segments of the source come first."""

    def index(self, source, *, progress):  # noqa: ARG002
        self.size = len(source)
        return self

    def search(self, queries, k, *, progress):  # noqa: ARG002
        positions = np.arange(self.size)[::-1][:k]
        return Candidates.join([(positions, positions + 1.0) for _ in queries])

    def parameters(self):
        return {"name": "last first"}


def sha256_of_the_model():
    model = resources.files("locisimiles.latin") / "data" / "lemmatizer.npz"
    return hashlib.sha256(model.read_bytes()).hexdigest()


def test_the_manifest_says_all_that_matters():
    manifest = dict(Pipeline(BM25(k1=2.0), k=7).run(query=QUERY, source=SOURCE).manifest)
    manifest.pop("libraries")
    assert manifest == {
        "locisimiles": version("locisimiles"),
        "retriever": {
            "name": "bm25",
            "terms": "lemma",
            "k1": 2.0,
            "b": 0.75,
            "lemmatizer": "fast",
            "lemmatizer_sha256": sha256_of_the_model(),
        },
        "k": 7,
        "query": {"segments": 1, "sha256": sha256("q", "arma uirumque")},
        "source": {"segments": 2, "sha256": sha256("a", "arma", "b", "uirumque")},
    }


@pytest.mark.parametrize("library", ["numpy"])
def test_the_manifest_names_the_libraries_that_compute_scores(library):
    manifest = Pipeline(BM25()).run(query=QUERY, source=SOURCE).manifest
    assert manifest["libraries"][library] == version(library)


def test_the_manifest_is_the_same_every_time():
    first, second = (Pipeline(BM25()).run(query=QUERY, source=SOURCE).manifest for _ in range(2))
    assert first == second


def test_another_text_has_another_fingerprint():
    other = Document.from_segments([Segment("a", "arma"), Segment("b", "uirum")])
    manifests = [Pipeline(BM25()).run(query=QUERY, source=s).manifest for s in (SOURCE, other)]
    assert manifests[0]["source"] != manifests[1]["source"]


@pytest.mark.parametrize("k", [1, 2, 3])
def test_each_query_gets_at_most_k_candidates(k):
    assert len(Pipeline(BM25(), k=k).run(query=QUERY, source=SOURCE)) == min(k, 2)


@pytest.mark.parametrize("k", [0, -1])
def test_less_than_one_candidate_is_refused(k):
    with pytest.raises(ParameterError, match=f"^k={k} asks for no candidates; 1 is the least$"):
        Pipeline(k=k)


def test_ten_candidates_by_all_parts_with_priors_are_the_default():
    assert (Pipeline().retriever, Pipeline().k) == (Combined(priors=True), 10)


def test_a_retriever_of_ones_own_can_be_used():
    results = Pipeline(LastFirst(), k=1).run(query=QUERY, source=SOURCE)
    assert [(r.source.id, r.rank, r.score) for r in results] == [("b", 1, 2.0)]
    assert results.manifest["retriever"] == {"name": "last first"}


@pytest.fixture(scope="module")
def examples():
    """What the default finds in the examples that are shipped."""
    return Pipeline().run(query=load_example_query(), source=load_example_source())


def test_jerome_quotes_virgil(examples):
    # Virgil has the phrase four times among the examples.
    first = [candidate.source for candidate in examples.for_query("hier. epist. 130.5.5.3")[:4]]
    assert "verg. aen. 2.774.1" in [source.id for source in first]
    assert all("faucibus haesit" in source.text for source in first)


def test_most_references_that_are_known_are_found(examples):
    found = {(one.query.id, one.source.id) for one in examples}
    known = {(one.query_id, one.source_id) for one in load_example_ground_truth()}
    assert len(known & found) > 0.7 * len(known)


def test_searching_again_finds_the_same(examples):
    again = Pipeline().run(query=load_example_query(), source=load_example_source())
    assert list(again) == list(examples)
    assert again.manifest == examples.manifest


def test_a_query_without_words_finds_nothing():
    empty = Document.from_segments([Segment("q", ""), Segment("r", "..."), Segment("s", "arma")])
    assert {one.query.id for one in Pipeline().run(query=empty, source=SOURCE)} == {"s"}


@pytest.mark.parametrize("retriever", [BM25(), Combined()], ids=["bm25", "default"])
@pytest.mark.parametrize(("query", "source"), [(QUERY[:0], SOURCE), (QUERY, SOURCE[:0])])
def test_a_search_without_segments_finds_nothing(retriever, query, source):
    assert list(Pipeline(retriever).run(query=query, source=source)) == []
