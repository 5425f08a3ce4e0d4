"""An index on disk is the document it was built from, prepared for every method."""

import numpy as np
import pytest

from locisimiles import (
    BM25,
    Document,
    Ensemble,
    Index,
    IndexEncoder,
    Pipeline,
    load_example_query,
    load_example_source,
)
from locisimiles.index import PreparedDocument, shards
from locisimiles.latin import tokens as tokens_module
from locisimiles.retrieve import make_retriever
from locisimiles.retrieve.combined.priors import SourceWorks, verse_column
from locisimiles.retrieve.methods import METHODS
from locisimiles.retrieve.ngram_rules import NgramRules
from support.indexes import WordEncoder, by_id, works

NEEDS_NO_ENCODER = [
    "bm25", "tfidf-lemma", "tfidf-surface", "ngrams", "word2vec", "fusion",
]  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return an index of the examples, in several shards."""
    before = shards._SEGMENTS_PER_SHARD
    shards._SEGMENTS_PER_SHARD = 64
    folder = tmp_path_factory.mktemp("examples") / "i"
    Index.build(folder, load_example_source(), IndexEncoder())
    shards._SEGMENTS_PER_SHARD = before
    return folder


@pytest.fixture(scope="module")
def index(folder):
    return Index.open(folder)


def found(results):
    return [(pair.query.id, pair.source.id, pair.score) for pair in results]


def test_an_index_is_a_document(index):
    source = load_example_source()
    assert len(index.manifest.shards) > 2
    assert by_id(index) == by_id(source)
    order = Document.from_segments(source[segment_id] for segment_id in index.ids)
    assert index == order
    assert (index.ids, index.texts, index.authors) == (order.ids, order.texts, order.authors)
    assert index.fingerprint() == order.fingerprint()
    assert index.meta == order.meta
    assert index.texts[3:5] == order.texts[3:5]
    assert index.texts[-1] == order.texts[-1]
    assert hash(index) == hash(order)
    first = source.ids[0]
    assert first in index
    assert "none" not in index
    assert index[first] == index[index.index(first)] == source[first]
    with pytest.raises(KeyError):
        index.index("none")
    with pytest.raises(IndexError):
        index.texts[len(index)]


def test_columns_are_those_of_the_document(index):
    plain = PreparedDocument(Document.from_segments(index))
    assert index.ties.tolist() == plain.ties.tolist()
    for sign in " /q":
        assert index.count(sign).tolist() == plain.count(sign).tolist()
    assert verse_column(index).tolist() == verse_column(plain).tolist()
    one, other = SourceWorks.of(index), SourceWorks.of(plain)
    assert [one.works[at] for at in one.work] == [other.works[at] for at in other.work]
    assert [one.authors[at] for at in one.author] == [other.authors[at] for at in other.author]


def test_texts_of_any_kind_come_back(tmp_path):
    documents = works(1, 2)  # one with a further column, one without
    index = Index.build(tmp_path / "i", documents)
    assert by_id(index) == by_id(documents)
    assert set(index.meta["note"]) == {"", "n0", "n1", "n2", "n3"}


@pytest.mark.parametrize("method", NEEDS_NO_ENCODER)
def test_a_search_of_an_index_finds_what_the_texts_give(index, method):
    assert method in METHODS
    query, source = load_example_query(), load_example_source()
    pipeline = Pipeline(method, k=20)
    expected = found(pipeline.run(query=query, source=source))
    assert expected
    assert found(pipeline.run(query=query, source=index)) == expected


def test_the_default_search_of_an_index_finds_what_the_texts_give(index, monkeypatch):
    query, source = load_example_query(), load_example_source()
    expected = Pipeline(k=5).run(query=query, source=source)
    asked = []
    tokenize_all = tokens_module.Tokenizer.tokenize_all
    monkeypatch.setattr(
        tokens_module.Tokenizer,
        "tokenize_all",
        lambda self, texts: asked.append(len(texts)) or tokenize_all(self, texts),
    )
    results = Pipeline(k=5).run(query=query, source=index)
    assert found(results) == found(expected)
    assert max(asked) < len(source)  # the texts of candidates, for the classifier; never all


@pytest.mark.parametrize(
    "rules",
    [
        NgramRules(window=1, complura=None),
        NgramRules(n=3, window=8, pos_words=0),
        NgramRules(max_in_source=1, max_collocations=50),
        NgramRules(terms="surface"),
        NgramRules(clause_ends=""),
        NgramRules(lemmatizer="context"),
        NgramRules(stopwords=frozenset()),
    ],
)
def test_rules_of_any_settings_find_the_same(index, rules):
    query, plain = load_example_query(), Document.from_segments(index)
    expected = rules.index(plain).search(query, 50)
    assert rules.index(index).search(query, 50) == expected
    assert len(expected)


@pytest.mark.parametrize("settings", [{}, {"k1": 0.3, "b": 0.0}, {"lemmatizer": "context"}])
def test_bm25_of_any_settings_gives_the_same_bits(index, settings):
    query, plain = load_example_query(), Document.from_segments(index)
    retriever = BM25(**settings)
    assert retriever.index(index).search(query, 50) == retriever.index(plain).search(query, 50)


def test_other_lemmas_than_the_stored_are_found_in_the_texts(index):
    assert index.lemma_rows("fast") is not None
    assert index.lemma_rows("context") is None
    assert index.lemma_rows(lambda words: words) is None
    retriever = BM25(lemmatizer=lambda words: [word[:3] for word in words])
    query, plain = load_example_query(), Document.from_segments(index)
    assert retriever.index(index).search(query, 9) == retriever.index(plain).search(query, 9)


def test_classifiers_read_an_index(index):
    query, source = load_example_query(), load_example_source()
    settings = {"classifier": Ensemble(cross_encoder=None), "k": 5}
    expected = found(Pipeline("bm25", **settings).run(query=query, source=source))
    assert found(Pipeline("bm25", **settings).run(query=query, source=index)) == expected


def test_vectors_of_another_encoder_are_not_used(tmp_path, tiny_latin):
    folder = tmp_path / "i"
    index = Index.build(folder, works(1, 2), WordEncoder())
    late = make_retriever("late")
    late = type(late)(tiny_latin, cache=None)
    query = works(1)
    expected = late.index(Document.from_segments(index)).search(query, 5)
    assert late.index(index).search(query, 5) == expected
    assert np.isfinite(expected.score).all()
