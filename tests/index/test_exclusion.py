"""Pairs that are no candidates."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from locisimiles import Document, Index, ParameterError, Pipeline, Segment, load_example_source
from locisimiles.index.exclusion import EXCLUSIONS, Exclusion
from locisimiles.pipeline import Searcher, prepare_query

VIRGIL = Segment("a", "arma uirumque cano", author="Virgil", work="Aeneis")
VERGIL = Segment("verg. aen. 2.1", "arma uirum", author="P. Vergilius Maro", work="Aeneid")
GEORGICS = Segment("g", "arma agricolae", author="Vergil", work="Georgica")
LUCAN = Segment("c", "arma ducum", author="Lucan", work="Pharsalia")
UNKNOWN = Segment("x", "arma nullius")
FRIEND = Segment("f", "arma amici", author="Friend", work="Letters", meta={"year": "100"})
TEXTS = Document.from_segments([VIRGIL, VERGIL, GEORGICS, LUCAN, UNKNOWN, FRIEND])
NAMES = "virgil vergil georgics lucan unknown friend".split()


def excluded(kind):
    exclusion = Exclusion([kind] if kind else [], TEXTS, TEXTS)
    return {
        name: {NAMES[row] for row in np.flatnonzero(exclusion.of_query(query)).tolist()} - {name}
        for query, name in enumerate(NAMES)
    }


def test_works_are_known_by_the_names_of_the_catalogue():
    found = excluded("same-work")
    assert found["virgil"] == {"vergil"}
    assert found["vergil"] == {"virgil"}
    assert not any(found[name] for name in ("georgics", "lucan", "unknown", "friend"))


def test_authors_are_known_by_the_names_of_the_catalogue():
    found = excluded("same-author")
    assert found["virgil"] == {"vergil", "georgics"}
    assert found["georgics"] == {"virgil", "vergil"}
    assert not any(found[name] for name in ("lucan", "unknown", "friend"))


def test_later_works_are_excluded_and_undated_ones_are_not():
    found = excluded("later")
    assert found["virgil"] == {"lucan", "friend"}
    assert found["lucan"] == {"friend"}
    assert found["friend"] == found["unknown"] == set()


def test_a_segment_is_never_its_own_candidate():
    for kind in (*EXCLUSIONS, None):
        exclusion = Exclusion([kind] if kind else [], TEXTS, TEXTS)
        assert all(exclusion.of_query(row)[row] for row in range(len(TEXTS)))
    other = Document.from_segments([Segment("x", "another text with this id")])
    assert not Exclusion(["same-work"], other, TEXTS).of_query(0).any()


def test_segments_without_a_title_are_of_one_work_if_their_ids_begin_alike():
    segments = [Segment(name, "arma") for name in ("letter 1", "letter 2", "sermon 1", "x")]
    texts = Document.from_segments(segments)
    assert Exclusion(["same-work"], texts, texts).of_query(0).tolist() == [True, True, False, False]


def test_it_is_counted_what_is_unknown():
    exclusion = Exclusion(EXCLUSIONS, TEXTS, TEXTS)
    assert exclusion.unknown("same-work") == exclusion.unknown("same-author") == (1, 1)
    assert exclusion.unknown("later") == (1, 1)


@given(st.lists(st.sampled_from([*EXCLUSIONS]), unique=True), st.data())
def test_pairs_queries_and_keys_agree(kinds, data):
    exclusion = Exclusion(kinds, TEXTS, TEXTS)
    pairs = data.draw(st.lists(st.tuples(*[st.integers(0, len(TEXTS) - 1)] * 2), min_size=1))
    query, source = np.array(pairs).T
    by_query = [exclusion.of_query(row)[other] for row, other in pairs]
    assert exclusion.of_pairs(query, source).tolist() == by_query
    for one in range(len(TEXTS)):
        for two in range(len(TEXTS)):
            if exclusion.key(one) == exclusion.key(two):
                assert (exclusion.of_query(one) == exclusion.of_query(two)).all()


def test_an_unknown_kind_is_refused():
    with pytest.raises(
        ParameterError, match="unknown exclude 'same-word'; choose one of same-work"
    ):
        Pipeline("bm25", exclude=["same-word"])


# Methods. Scores of these do not depend on the other candidates of a query.

CORPUS = load_example_source()


def rows(results):
    return [(one.query.id, one.source.id, one.score) for one in results]


def filtered(results, exclusion, k):
    kept = results.candidates.select(
        ~exclusion.of_pairs(results.candidates.query, results.candidates.source)
    )
    kept = kept.select(kept.rank <= k)
    ids = results.query.ids
    columns = kept.query.tolist(), kept.source.tolist(), kept.score.tolist()
    return [(ids[q], ids[s], score) for q, s, score in zip(*columns, strict=True)]


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    return Index.build(tmp_path_factory.mktemp("index") / "poets", CORPUS, None)


@pytest.mark.parametrize("kind", ["same-work", "same-author", "later"])
@pytest.mark.parametrize("method", ["bm25", "tfidf-lemma", "ngrams", "word2vec"])
@pytest.mark.parametrize("stored", [False, True], ids=["texts", "index"])
def test_as_many_candidates_as_ever_are_left(index, method, kind, stored):
    corpus = index if stored else CORPUS
    query = CORPUS[::23]
    everything = Pipeline(method, k=len(CORPUS)).run(query=query, source=corpus)
    # Positions of all-against-all are those of one document.
    exclusion = Exclusion([kind], query, corpus)
    found = Pipeline(method, k=3, exclude=[kind]).run(query=query, source=corpus)
    places = {name: row for row, name in enumerate(query.ids)}
    expected, count = [], dict.fromkeys(query.ids, 0)
    for one in everything:
        pair = np.array([places[one.query.id]]), np.array([corpus.index(one.source.id)])
        if not exclusion.of_pairs(*pair)[0] and count[one.query.id] < 3:
            count[one.query.id] += 1
            expected.append((one.query.id, one.source.id, one.score))
    assert rows(found) == expected != []
    assert found.manifest["exclude"] == [kind]


@pytest.mark.parametrize("method", ["fusion", "default", "late"])
def test_combined_methods_exclude_before_they_cut(method):
    query = CORPUS[::51]
    pipeline = Pipeline(method, k=5, exclude=["same-author", "later"], classifier=None)
    results = pipeline.run(query=query, source=CORPUS)
    exclusion = Exclusion(["same-author", "later"], query, CORPUS)
    assert not exclusion.of_pairs(results.candidates.query, results.candidates.source).any()
    open_to = [int((~exclusion.of_query(row)).sum()) for row in range(len(query))]
    counts = np.bincount(results.candidates.query, minlength=len(query)).tolist()
    assert counts == [min(5, most) for most in open_to]


def test_equal_texts_of_different_works_exclude_their_own():
    segments = [
        Segment("1", "arma uirumque cano", author="A", work="One"),
        Segment("2", "arma uirumque cano", author="B", work="Two"),
        Segment("3", "arma uirumque", author="B", work="Two"),
    ]
    texts = Document.from_segments(segments)
    for method in ("late", "default", "bm25"):
        pipeline = Pipeline(method, exclude=["same-work"], classifier=None)
        found = {(one.query.id, one.source.id) for one in pipeline.run(query=texts, source=texts)}
        assert found == {("1", "2"), ("1", "3"), ("2", "1"), ("3", "1")}


@pytest.mark.parametrize("size", [1, 3])
def test_blocks_exclude_the_same(size):
    query = CORPUS[::40]
    searcher = Pipeline("bm25", k=4, exclude=["same-work"]).prepare(CORPUS)
    whole = rows(searcher.run(query))
    assert [row for block in searcher.blocks(query, size) for row in rows(block)] == whole


def test_a_retriever_that_does_not_ask_gets_its_pairs_removed():
    class Everything:
        def index(self, source, *, progress):  # noqa: ARG002
            self.size = len(source)
            return self

        def search(self, queries, k, *, progress):  # noqa: ARG002
            from locisimiles import Candidates

            found = np.arange(self.size)[:k], np.arange(self.size, 0, -1.0)[:k]
            return Candidates.join([found for _ in queries])

        def parameters(self):
            return {"name": "everything"}

    results = Searcher(Pipeline(Everything(), exclude=["same-author"]), TEXTS).run(TEXTS)
    found = {one.source.id for one in results.for_query("a")}
    assert found == {"c", "x", "f"}
    assert [one.rank for one in results.for_query("a")] == [1, 2, 3]


def test_a_prepared_query_keeps_its_exclusion_in_blocks():
    query = prepare_query(TEXTS)
    assert query.excluded(0) is None
    query.exclude(Exclusion(["same-work"], TEXTS, TEXTS), np.arange(len(TEXTS)))
    assert query[1:3].excluded(0).tolist() == [True, True, False, False, False, False]
