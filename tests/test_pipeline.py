"""The pipeline: search, and say what was searched how."""

import hashlib
from importlib import resources
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from locisimiles import (
    BM25,
    Candidates,
    ClassificationPipeline,
    Document,
    MalformedInputError,
    ParameterError,
    Pipeline,
    Results,
    Segment,
    load_example_ground_truth,
    load_example_query,
    load_example_source,
)
from locisimiles.classify import Ensemble, Selection, expect_references
from locisimiles.classify.calibration import Calibration
from locisimiles.classify.ensemble_weights import EnsembleWeights
from locisimiles.classify.methods import make_classifier
from locisimiles.classify.selection import Tally
from locisimiles.pipeline import classification
from locisimiles.pipeline import search as pipeline_search
from locisimiles.retrieve import Combined, Late, MethodOptions

QUERY = Document.from_segments([Segment("q", "arma uirumque")])
SOURCE = Document.from_segments([Segment("a", "arma"), Segment("b", "uirumque")])


def sha256(*parts):
    digest = hashlib.sha256()
    for part in parts:
        digest.update(len(part.encode()).to_bytes(8, "big") + part.encode())
    return digest.hexdigest()


class LastFirst:
    """A custom retriever: the last segments of the source come first."""

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


def test_the_manifest_has_everything_that_matters():
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
def test_a_k_below_one_is_refused(k):
    with pytest.raises(ParameterError, match=rf"^k must be at least 1 \(got {k}\)$"):
        Pipeline(k=k)


def test_the_default_search_is_that_of_the_command_line():
    default = Pipeline()
    assert (default.retriever, default.classifier) == (Combined(priors=True), Ensemble(priors=True))
    assert (default.k, default.depth, default.selection) == (10, 100, Selection())


def test_methods_and_classifiers_are_chosen_by_name():
    pipeline = Pipeline("default", classifier="ensemble", options=MethodOptions(priors=False))
    assert (pipeline.retriever, pipeline.classifier) == (
        Combined(priors=False),
        Ensemble(priors=False),
    )
    assert Pipeline("bm25", settings={"k1": "2"}).retriever == BM25(k1=2)
    with pytest.raises(ParameterError, match="unknown method 'bm52'; choose one of bm25,"):
        Pipeline("bm52")


@pytest.mark.parametrize("retriever", ["bm25", BM25()], ids=["name", "object"])
def test_other_methods_are_judged_only_for_a_selection(retriever):
    assert Pipeline(retriever).classifier is None
    selected = Pipeline(retriever, selection=Selection(budget=3))
    assert selected.classifier == Ensemble()
    assert selected.k == selected.depth == 100  # of which the selection keeps some
    assert Pipeline("default", classifier=None).classifier is None


def test_a_prepared_source_is_indexed_once():
    indexed = []

    class Counted(LastFirst):
        def index(self, source, *, progress):
            indexed.append(len(source))
            return super().index(source, progress=progress)

    searcher = Pipeline(Counted(), k=1).prepare(SOURCE)
    whole = Pipeline(LastFirst(), k=1).run(query=QUERY, source=SOURCE)
    for _ in range(2):
        results = searcher.run(QUERY)
        assert (list(results), results.manifest) == (list(whole), whole.manifest)
    assert indexed == [2]


def test_search_and_classifier_share_the_vectors_of_a_prepared_source(monkeypatch):
    query, source = load_example_query()[:3], load_example_source()[:30]
    searcher = Pipeline(k=2).prepare(source)
    whole = searcher.run(query)
    monkeypatch.setattr(Late, "_build", lambda *_: pytest.fail("vectors were made again"))
    again = searcher.run(query)
    assert (list(again), again.manifest) == (list(whole), whole.manifest)


def test_a_custom_retriever_can_be_used():
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


def test_most_known_references_are_found(examples):
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


# Judging. A classifier that is told what to think is enough to see what the pipeline does with it.


class Told:
    """A classifier that knows the probability of *cit.* and *cf.* of pairs by their ids."""

    calibration = Calibration(spread=0.25)

    def __init__(self, known):
        self.known = known
        self.asked = []

    def probabilities(self, pairs, *, progress):  # noqa: ARG002
        self.asked += pairs.ids
        known = [self.known.get(pair, (0.0, 0.0)) for pair in pairs.ids]
        rows = [[1 - cit - cf, cit, cf] for cit, cf in known]
        return np.array(rows, np.float32).reshape(len(rows), 3)

    def parameters(self):
        return {"classifier": "told"}


QUERIES = Document.from_segments([Segment("q", "arma"), Segment("r", "uir")])
SOURCES = Document.from_segments([Segment(name, "arma uirumque") for name in "abcd"])
KNOWN = {
    ("q", "a"): (0.1, 0.1), ("q", "b"): (0.7, 0.2), ("q", "c"): (0.1, 0.4), ("q", "d"): (0.5, 0.0),
    ("r", "a"): (0.0, 0.3), ("r", "b"): (0.0, 0.0), ("r", "c"): (0.6, 0.0), ("r", "d"): (0.0, 0.8),
}  # fmt: skip


def judge(**options):
    pipeline = Pipeline(LastFirst(), classifier=Told(KNOWN), **options)
    return pipeline.run(query=QUERIES, source=SOURCES), pipeline.classifier


def hits(results):
    return [(one.query.id, one.source.id, round(one.score, 3)) for one in results]


def test_judged_candidates_are_ordered_by_probability():
    results, _ = judge()
    assert hits(results) == [
        ("q", "b", 0.9), ("q", "c", 0.5), ("q", "d", 0.5), ("q", "a", 0.2),
        ("r", "d", 0.8), ("r", "c", 0.6), ("r", "a", 0.3), ("r", "b", 0.0),
    ]  # fmt: skip
    assert [one.rank for one in results] == [1, 2, 3, 4] * 2
    assert [one.probabilities.kind for one in results.for_query("q")][:3] == ["cit.", "cf.", "cit."]
    assert tuple(next(iter(results)).probabilities) == pytest.approx((0.1, 0.7, 0.2))


def test_the_order_of_the_sources_does_not_matter():
    moved = SOURCES.select([3, 1, 0, 2])
    results = Pipeline(LastFirst(), classifier=Told(KNOWN)).run(query=QUERIES, source=moved)
    assert hits(results) == hits(judge()[0])


@pytest.mark.parametrize(
    ("k", "depth", "seen"), [(1, 2, 2), (3, 2, 3), (2, 3, 3), (10, 1, 4), (1, 100, 4)]
)
def test_depth_candidates_are_judged_and_k_are_kept(k, depth, seen):
    results, classifier = judge(k=k, depth=depth)
    assert len(classifier.asked) == 2 * seen
    assert [len(results.for_query(name)) for name in "qr"] == [min(k, seen)] * 2
    assert (results.manifest["k"], results.manifest["depth"]) == (k, max(k, depth))


def test_all_candidates_are_judged_at_once():
    calls = []

    class Counted(Told):
        def probabilities(self, pairs, **options):
            calls.append(len(pairs))
            return super().probabilities(pairs, **options)

    Pipeline(LastFirst(), classifier=Counted(KNOWN)).run(query=QUERIES, source=SOURCES)
    assert calls == [8]


@pytest.mark.parametrize(
    ("selection", "expected"),
    [
        (Selection(budget=3), [("q", "b"), ("r", "d"), ("r", "c")]),
        (Selection(budget=100), [*KNOWN]),
        (Selection(threshold=0.6), [("q", "b"), ("r", "d"), ("r", "c")]),
        (Selection(threshold=1.0), []),
        (Selection(precision=0.8), [("q", "b"), ("r", "d")]),
        (Selection(precision=0.7), [("q", "b"), ("r", "d"), ("r", "c"), ("q", "c")]),
    ],
)
def test_a_selection_spans_all_queries(selection, expected):
    results, _ = judge(selection=selection)
    assert {(one.query.id, one.source.id) for one in results} == set(expected)
    assert results.manifest["selection"] == selection.as_dict()
    ranks = [one.rank for one in results.for_query("r")]
    assert ranks == list(range(1, len(ranks) + 1))


def test_the_manifest_has_the_classifier_and_expected_references():
    results, _ = judge(selection=Selection(budget=2))
    assert results.manifest["classifier"] == {"classifier": "told"}
    expected = expect_references(np.array([0.9, 0.8]), spread=0.25)
    assert results.manifest["references"] == expected.as_dict()
    assert results.manifest["retriever"] == {"name": "last first"}
    assert "selection" not in judge()[0].manifest


def test_without_a_classifier_the_manifest_has_none():
    results = Pipeline(LastFirst()).run(query=QUERIES, source=SOURCES)
    assert results.probabilities is None
    assert not {"classifier", "selection", "depth", "references"} & results.manifest.keys()


def test_a_selection_needs_a_classifier():
    with pytest.raises(ParameterError, match="a selection needs probabilities"):
        Pipeline(LastFirst(), classifier=None, selection=Selection(budget=3))


def test_a_depth_of_zero_is_refused():
    with pytest.raises(ParameterError, match=r"^depth must be at least 1 \(got 0\)"):
        Pipeline(depth=0)


@pytest.mark.parametrize(
    ("query", "source"),
    [(QUERIES[:0], SOURCES), (QUERIES, SOURCES[:0]), (QUERIES[:0], SOURCES[:0])],
)
def test_judging_without_segments_finds_nothing(query, source):
    results = Pipeline(BM25(), classifier=Told({})).run(query=query, source=source)
    assert (len(results), results.manifest["references"]["expected"]) == (0, 0.0)
    assert len(ClassificationPipeline().run(query=query, source=source)) == 0


@pytest.fixture
def told(monkeypatch):
    """Make every classifier name stand for one with known probabilities."""
    classifier = Told(KNOWN)
    for module in (pipeline_search, classification):
        monkeypatch.setattr(module, "make_classifier", lambda *_, **__: classifier)
    return classifier


def test_every_pair_is_judged(told):
    results = ClassificationPipeline(k=1).run(query=QUERIES, source=SOURCES)
    assert told.asked == [(q, s) for q in "qr" for s in "abcd"]
    assert hits(results) == [("q", "b", 0.9), ("r", "d", 0.8)]
    assert (results.manifest["retriever"], results.manifest["k"]) == (None, 1)
    selected = ClassificationPipeline(selection=Selection(threshold=0.6)).run(
        query=QUERIES, source=SOURCES
    )
    assert len(selected) == 3


def test_retrieved_candidates_are_judged(told):
    pipeline = Pipeline("bm25", classifier="told", depth=3, k=2)
    results = pipeline.run(query=QUERIES, source=SOURCES)
    assert len(told.asked) == 6
    assert len(results) == 4
    assert results.manifest["retriever"]["name"] == "bm25"
    assert results.manifest["depth"] == 3


# Blocks.

SELECTIONS = [
    Selection(),
    Selection(budget=1),
    Selection(budget=3),
    Selection(budget=7),
    Selection(threshold=0.5),
    Selection(precision=0.55),
]
LONG = Document.from_segments([Segment(f"{name}{n}", "arma") for n in range(5) for name in "qr"])
LONG_KNOWN = {(f"{q}{n}", s): judged for (q, s), judged in KNOWN.items() for n in range(5)}


@pytest.mark.parametrize("selection", SELECTIONS, ids=str)
@pytest.mark.parametrize("size", [1, 3, 4, 100])
def test_blocks_joined_are_the_whole(selection, size):
    pipeline = Pipeline(LastFirst(), classifier=Told(LONG_KNOWN), selection=selection, k=3)
    searcher = pipeline.prepare(SOURCES)
    whole, blocks = searcher.run(LONG), list(searcher.blocks(LONG, size))
    assert len(blocks) == -(-len(LONG) // size)
    joined = Results.join(blocks)
    assert list(joined) == list(whole)
    assert joined.manifest == blocks[-1].manifest == whole.manifest
    places = [one.candidates.query // size for one in blocks]
    assert all((own == number).all() for number, own in enumerate(places))


def test_only_the_last_block_says_how_many_references_to_expect():
    searcher = Pipeline(LastFirst(), classifier=Told(LONG_KNOWN)).prepare(SOURCES)
    manifests = [block.manifest for block in searcher.blocks(LONG, 4)]
    expected = [manifest.pop("references", None) for manifest in manifests]
    assert "refers as often" in manifests[2].pop("assumption")
    assert manifests[0] == manifests[1] == manifests[2]
    assert expected[:2] == [None, None]
    assert expected[2]["pairs"] == 40


def test_a_budget_holds_no_more_pairs_than_it_needs(monkeypatch):
    held = []
    join = Results.join

    def counted(parts):
        held.append(sum(map(len, parts)))
        return join(parts)

    monkeypatch.setattr(Results, "join", counted)
    pipeline = Pipeline(LastFirst(), classifier=Told(LONG_KNOWN), selection=Selection(budget=2))
    list(pipeline.prepare(SOURCES).blocks(LONG, 1))
    assert max(held) <= 2 * 2 + 4


def test_a_query_without_segments_is_one_empty_block():
    searcher = Pipeline(LastFirst(), classifier=Told({})).prepare(SOURCES)
    (block,) = searcher.blocks(LONG[:0], 3)
    assert (len(block), block.manifest["references"]["pairs"]) == (0, 0)


def test_a_block_size_of_zero_is_refused():
    with pytest.raises(ParameterError, match=r"^size must be at least 1 \(got 0\)"):
        next(Pipeline(LastFirst()).prepare(SOURCES).blocks(LONG, 0))


def test_blocks_report_how_many_queries_are_done():
    reported = []
    searcher = Pipeline(LastFirst()).prepare(SOURCES)
    list(searcher.blocks(LONG, 4, progress=lambda *report: reported.append(report)))
    assert reported == [("searching", done, 10) for done in (0, 4, 8, 10)]


@given(st.lists(st.lists(st.floats(0, 1, width=32), max_size=20), max_size=5))
def test_expected_references_do_not_depend_on_blocks(blocks):
    tally = Tally()
    for block in blocks:
        tally.add(np.array(block, np.float32))
    whole = np.array([chance for block in blocks for chance in block], np.float32)
    assert tally.expectation(0.5) == expect_references(whole, 0.5)


@pytest.mark.parametrize("k", [0, -1])
def test_a_k_below_one_is_refused_before_judging(told, k):
    for pipeline in (ClassificationPipeline, Pipeline):
        with pytest.raises(ParameterError, match=rf"^k must be at least 1 \(got {k}\)"):
            pipeline(k=k)
    with pytest.raises(ParameterError, match=rf"^depth must be at least 1 \(got {k}\)"):
        Pipeline(depth=k)
    assert told.asked == []


def test_too_many_pairs_are_not_judged_one_by_one(told, monkeypatch):
    monkeypatch.setattr(classification, "_MOST_PAIRS", 7)
    with pytest.raises(ParameterError, match=r"2 × 4 pairs are too many.*Pipeline"):
        ClassificationPipeline().run(query=QUERIES, source=SOURCES)
    assert told.asked == []


def test_classifiers_have_names(tmp_path, tiny_cross):
    assert make_classifier("ensemble") == Ensemble()
    assert make_classifier("ensemble", priors=False) == Ensemble(priors=False)
    file = tmp_path / "weights.json"
    EnsembleWeights.shipped().save(file)
    for name in (file, str(file)):
        read = make_classifier(name, priors=False)
        assert read.loaded_weights().fingerprint() == EnsembleWeights.shipped().fingerprint()
        assert read.priors is False
    assert make_classifier(tiny_cross).model == str(tiny_cross)


@pytest.mark.parametrize("content", [None, "", "{}", "[" * 100_000])
def test_a_file_without_weights_is_an_error(tmp_path, content):
    file = tmp_path / "weights.json"
    if content is not None:
        file.write_text(content, encoding="utf-8")
    with pytest.raises(MalformedInputError, match="not a weights file of locisimiles"):
        make_classifier(file)


def test_a_cross_encoder_can_judge(tiny_cross):
    results = ClassificationPipeline(tiny_cross, k=2).run(query=QUERIES, source=SOURCES)
    assert len(results) == 4
    assert results.manifest["classifier"]["classifier"] == "cross-encoder"


SNIPPET = """
from locisimiles import *

# 1. Load query and source documents
query_doc = Document("query.csv")
source_doc = Document("source.csv")

# 2. Initialize the pipeline
pipeline = ClassificationPipeline(
    classification_name="...",
)

# 3. Run the pipeline
results = pipeline.run(
    query=query_doc,
    source=source_doc,
)

# 4. Display results
pretty_print(results)
"""


@pytest.mark.parametrize(
    "name", ['classification_name="ensemble",', ""], ids=["named", "not named"]
)
def test_the_snippet_of_the_paper_works_as_printed(tmp_path, monkeypatch, capsys, name):
    monkeypatch.chdir(tmp_path)
    Path("query.csv").write_text(
        "seg_id,text\nhier. 1,Haesit uox faucibus eius.\nhier. 2,Nihil aliud dixit.\n"
    )
    Path("source.csv").write_text(
        "seg_id,text\nverg. 1,obstipui steteruntque comae et vox faucibus haesit\nverg. 2,arma\n"
    )
    exec(SNIPPET.replace('classification_name="...",', name), {})
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].endswith("\ttype")
    first = lines[1].split("\t")
    assert (first[0], first[1], first[3], first[-1]) == ("hier. 1", "1", "verg. 1", "cit.")
    assert len(lines) == 1 + 4


def test_a_mistyped_classifier_is_reported_as_such():
    with pytest.raises(ParameterError, match="unknown classifier 'ensembel'"):
        make_classifier("ensembel")
