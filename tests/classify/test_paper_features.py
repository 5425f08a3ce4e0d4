"""The paper's ten features, against scikit-learn's TF-IDF and against counting by hand."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.feature_extraction.text import TfidfVectorizer

from locisimiles import Document, Segment
from locisimiles.classify import paper_features
from locisimiles.classify.base import Pairs
from locisimiles.classify.paper_features import PAPER_FEATURES, PaperFeatures

TEXTS = [
    "arma uirumque cano Troiae qui primus ab oris",
    "uirum cano et arma",
    "cano cano cano",
    "et uox faucibus haesit",
    "",
    "haesit uox; arma arma",
]
NEW = ["uox noua arma cano", "nihil notum"]


def document(texts):
    return Document.from_segments(Segment(f"s{n}", text) for n, text in enumerate(texts))


@pytest.fixture(scope="module")
def columns():
    own, other = document(TEXTS), document(NEW)
    return PaperFeatures.fit(TEXTS).columns(Pairs.every(own, other))


@pytest.mark.parametrize("column", range(3), ids=["lemmas", "lemmas and pairs", "characters"])
def test_cosines_agree_with_scikit_learn(columns, column):
    vectors = TfidfVectorizer(
        analyzer=lambda text: map(repr, paper_features._terms([text])[column][0]), sublinear_tf=True
    )
    known = vectors.fit_transform(TEXTS)
    expected = (known @ vectors.transform(NEW).T).toarray().ravel()
    np.testing.assert_allclose(columns[:, column], expected, atol=1e-12)


def test_words_and_lengths_are_counted():
    query, source = document(["uirum cano et arma"]), document(["armis cano uirum amans cano"])
    (row,) = PaperFeatures.fit(TEXTS).columns(Pairs.every(query, source)).tolist()
    found = dict(zip(PAPER_FEATURES, row, strict=True))
    assert found["shared words"] == 2  # cano, uirum
    assert found["share of words"] == 2 / 4
    assert found["jaccard of lemmas"] == pytest.approx(3 / 5)  # cano, uir, arma; et, amo
    assert (found["length of the query"], found["length of the source"]) == (4, 5)
    assert (found["difference of lengths"], found["ratio of lengths"]) == (1, 4 / 5)


def test_there_are_ten(columns):
    assert columns.shape == (12, 10) == (12, len(PAPER_FEATURES))


def test_no_pairs_have_no_rows():
    own = document(TEXTS)
    assert PaperFeatures.fit(TEXTS).columns(Pairs(own, own, [], [])).shape == (0, 10)


@settings(max_examples=40)
@given(st.lists(st.text(max_size=20), min_size=1, max_size=4))
def test_any_text_has_finite_features(texts):
    own = document(texts)
    found = PaperFeatures.fit(texts).columns(Pairs.every(own, own))
    assert np.isfinite(found).all()
    assert (found[:, :4] <= 1 + 1e-9).all()


def test_the_order_of_pairs_does_not_matter(columns):
    own, other = document(TEXTS), document(NEW)
    pairs = Pairs.every(own, other)
    order = np.random.default_rng(0).permutation(len(pairs))
    found = PaperFeatures.fit(TEXTS).columns(pairs.select(order))
    np.testing.assert_allclose(found, columns[order], atol=1e-12)


def test_only_the_texts_of_pairs_are_read(columns, monkeypatch):
    own, other = document(TEXTS), document(NEW)
    features, read, terms = PaperFeatures.fit(TEXTS), [], paper_features._terms
    monkeypatch.setattr(
        paper_features, "_terms", lambda texts: read.append(list(texts)) or terms(texts)
    )
    rows, others = np.array([5, 1, 5]), np.array([1, 1, 0])
    found = features.columns(Pairs(own, other, rows, others))
    np.testing.assert_allclose(found, columns[rows * len(NEW) + others])
    assert read == [[TEXTS[1], TEXTS[5]], NEW]
