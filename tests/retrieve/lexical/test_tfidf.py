"""TF-IDF: scikit-learn's scores over our terms."""

import random
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from locisimiles import Document, ParameterError, Segment, load_example_query, load_example_source
from locisimiles.retrieve import TfIdf
from locisimiles.retrieve.lexical.terms import term_function

ALL = 10_000
NGRAMS = [(1, 1), (1, 2)]


def document(*texts, prefix="s"):
    return Document.from_segments(Segment(f"{prefix}{n}", t) for n, t in enumerate(texts, start=1))


def scores(queries, source, **parameters):
    """Return all scores as a matrix, 0 where there is no candidate."""
    found = TfIdf(**parameters).index(source).search(queries, ALL)
    matrix = np.zeros((len(queries), len(source)))
    matrix[found.query, found.source] = found.score
    return matrix


def by_scikit_learn(queries, source, *, terms, ngrams=(1, 1), sublinear_tf=True, max_features=None):
    text = pytest.importorskip("sklearn.feature_extraction.text")
    to_terms = term_function(terms)
    vectorizer = text.TfidfVectorizer(
        tokenizer=lambda t: to_terms([t])[0],
        token_pattern=None,
        lowercase=False,
        ngram_range=ngrams,
        sublinear_tf=sublinear_tf,
        max_features=max_features,
    )
    fitted = vectorizer.fit_transform(source.texts)
    return (vectorizer.transform(queries.texts) @ fitted.T).toarray()


@pytest.fixture(scope="module")
def query():
    return load_example_query()


@pytest.fixture(scope="module")
def source():
    return load_example_source()


@pytest.mark.parametrize("sublinear_tf", [True, False])
@pytest.mark.parametrize("ngrams", NGRAMS)
@pytest.mark.parametrize("terms", ["lemma", "surface"])
def test_scores_are_those_of_scikit_learn(query, source, terms, ngrams, sublinear_tf):
    options = {"terms": terms, "ngrams": ngrams, "sublinear_tf": sublinear_tf}
    expected = by_scikit_learn(query, source, **options)
    assert expected.any()
    np.testing.assert_allclose(scores(query, source, **options), expected, atol=1e-6)


def cuts_between_different_counts(texts, ngrams, most):
    """Tell whether scikit-learn has no choice: between equals, it keeps whatever sorting gives."""
    words = [text.split() for text in texts]
    terms = Counter(word for text in words for word in text)
    if ngrams == (1, 2):
        terms.update(pair for text in words for pair in pairwise(text))
    counts = sorted(terms.values(), reverse=True)
    return most >= len(counts) or counts[most - 1] != counts[most]


WORDS = st.lists(st.sampled_from("arma cano uox et in rosa".split()), max_size=6).map(" ".join)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(WORDS, min_size=1, max_size=5),
    st.lists(WORDS.filter(bool), min_size=1, max_size=8),
    st.sampled_from(NGRAMS),
    st.integers(1, 12),
)
def test_any_texts_have_the_scores_of_scikit_learn(queries, sources, ngrams, most):
    assume(cuts_between_different_counts(sources, ngrams, most))
    queries, sources = document(*queries, prefix="q"), document(*sources)
    options = {"terms": "surface", "ngrams": ngrams, "max_features": most}
    expected = by_scikit_learn(queries, sources, **options)
    np.testing.assert_allclose(scores(queries, sources, **options), expected, atol=1e-6)


def test_only_the_most_common_terms_are_used():
    source = document("arma arma cano", "cano rosa")
    found = scores(document("rosa", "cano"), source, terms="surface", max_features=2)
    assert (found > 0).tolist() == [[False, False], [True, True]]


def test_between_equally_common_terms_the_alphabet_decides():
    source = document("uox rosa", "arma")
    found = scores(document("arma", "rosa", "uox"), source, terms="surface", max_features=2)
    assert found.any(axis=1).tolist() == [True, True, False]


def test_neighbours_count_only_inside_a_segment():
    source = document("arma cano", "uox rosa")
    single, pair = (
        scores(document("arma cano", "cano uox"), source, terms="surface", ngrams=n) for n in NGRAMS
    )
    assert pair[0, 0] == pytest.approx(1)
    assert single[1].tolist() == pytest.approx([2**-0.5 * 2**-0.5] * 2)
    assert pair[1, 0] < single[1, 0]


def test_an_unknown_word_does_not_make_its_neighbours_meet():
    source = document("arma cano", "cano uox")
    found = scores(document("arma nescio cano"), source, terms="surface", ngrams=(1, 2))
    expected = scores(document("cano", "arma"), source, terms="surface", ngrams=(1, 2))
    assert found[0, 0] < 1
    assert found[0, 1] > 0
    assert expected[1, 1] == 0


@pytest.mark.parametrize("texts", [[""], ["", "..."], ["12 13"]])
def test_sources_without_words_are_never_found(texts):
    assert not scores(document("arma"), document(*texts)).any()


def test_no_sources_and_no_queries_are_no_error():
    nothing = Document.from_segments([])
    assert len(TfIdf().index(nothing).search(document("arma"), 5)) == 0
    assert len(TfIdf().index(document("arma")).search(nothing, 5)) == 0


def test_the_order_of_the_sources_does_not_matter(query, source):
    segments = list(source)
    random.Random(1).shuffle(segments)
    shuffled = Document.from_segments(segments)
    one, two = (TfIdf(ngrams=(1, 2)).index(s).search(query, 20) for s in (source, shuffled))
    assert [source.ids[p] for p in one.source] == [shuffled.ids[p] for p in two.source]
    assert one.score.tolist() == two.score.tolist()


def test_candidates_are_the_best_in_order(query, source):
    few, many = (TfIdf().index(source).search(query, k) for k in (3, ALL))
    first = many.rank <= 3
    assert few.source.tolist() == many.source[first].tolist()
    assert all(np.diff(many.score[many.query == 0]) <= 0)


@pytest.mark.parametrize(
    "wrong", [{"terms": "words"}, {"ngrams": (2, 2)}, {"ngrams": (1, 3)}, {"max_features": 0}]
)
def test_invalid_parameters_are_refused(wrong):
    with pytest.raises(ParameterError):
        TfIdf(**wrong)


def test_k_must_be_at_least_one():
    with pytest.raises(ParameterError, match=r"k must be at least 1 \(got 0\)"):
        TfIdf().index(document("arma")).search(document("arma"), 0)


def test_the_manifest_names_all_parameters():
    described = TfIdf(terms="surface", ngrams=(1, 2), max_features=7).parameters()
    assert described == {
        "name": "tfidf",
        "terms": "surface",
        "ngrams": [1, 2],
        "sublinear_tf": True,
        "max_features": 7,
    }
    assert TfIdf().parameters()["lemmatizer"] == "fast"


def test_progress_is_reported(query, source):
    told = []
    index = TfIdf().index(source, progress=lambda *step: told.append(step))
    index.search(query, 1, progress=lambda *step: told.append(step))
    assert ("indexing", len(source), len(source)) in told
    assert told[-1] == ("searching", len(query), len(query))
