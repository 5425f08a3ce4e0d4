"""Searching with word vectors: the formula, and what must not change its results."""

import random
from itertools import combinations

import numpy as np
import pytest

from locisimiles import (
    Document,
    ParameterError,
    Segment,
)
from locisimiles.index import TextPart
from locisimiles.latin.frequencies import Frequencies
from locisimiles.models.vectors import Rows, Subwords, WordVectors
from locisimiles.retrieve.lexical.terms import term_function, weighted_terms
from locisimiles.retrieve.vectors.word_vectors import WordVectorSearch, content_words, cosines

ALL = 10_000
SETTINGS = [
    {},
    {"interval": 0, "best_pairs": 2, "weighting": "equal", "sharpness": 1},
    {"interval": 1, "best_pairs": 3, "weighting": "rarity", "least": 0.2},
]


@pytest.fixture(scope="module")
def vectors(query, source):
    """Vectors at random for most of the words, so few dimensions that many are similar."""
    terms = term_function("lemma")([*query.texts, *source.texts])
    words = sorted({term for own in terms for term in own})[::-1]
    rng = np.random.default_rng(5)
    kept = [word for word in words if rng.random() < 0.8]
    matrix = rng.normal(size=(len(kept), 5)).astype(np.float32)
    matrix[::50] = 0
    return WordVectors.from_matrix(kept, matrix)


def document(*texts, prefix="s"):
    return Document.from_segments(Segment(f"{prefix}{n}", t) for n, t in enumerate(texts, start=1))


def search(queries, source, vectors, *, k=ALL, **parameters):
    """Return, for each query id, its candidates as pairs of source id and score."""
    candidates = WordVectorSearch(vectors, **parameters).index(source).search(queries, k)
    found = {query_id: [] for query_id in queries.ids}
    for row, position, score in zip(
        candidates.query, candidates.source, candidates.score, strict=True
    ):
        found[queries.ids[row]].append((source.ids[position], float(score)))
    return found


def close_pairs(words, interval):
    return [
        (words[one], words[other])
        for one, other in combinations(range(len(words)), 2)
        if other - one <= interval + 1
    ]


def by_the_formula(query, source, vectors, *, interval, best_pairs, least, weighting, sharpness):
    """Return all positive scores, by comparing every pair with every pair."""
    words = {
        text: content_words(weighted_terms("lemma"), TextPart.of([text]))[0]
        for text in query + source
    }
    distinct = sorted({word for own in words.values() for word in own})
    number = {word: place for place, word in enumerate(distinct)}
    unit = np.rint(vectors.unit(distinct) * 2047).astype(np.float64)
    cosine = np.minimum(unit @ unit.T / 2047**2, 1)
    np.fill_diagonal(cosine, 1)
    cosine = np.where(cosine >= least, np.abs(cosine) ** sharpness, -np.inf)
    frequencies = Frequencies.shipped()
    rarity = np.array([frequencies.rarity(w) for w in distinct]) / np.log(frequencies.sentences)
    weight = rarity if weighting == "rarity" else np.ones(len(distinct))

    def best_answer(one, other, segment_pairs):
        a, b = number[one], number[other]
        c, d = np.array([[number[x], number[y]] for x, y in segment_pairs]).T
        straight = weight[a] * cosine[a, c] + weight[b] * cosine[b, d]
        crossed = weight[a] * cosine[a, d] + weight[b] * cosine[b, c]
        return max(0, np.maximum(straight, crossed).max() / 2)

    scores = np.zeros((len(query), len(source)))
    for row, text in enumerate(query):
        pairs = {tuple(sorted(p)) for p in close_pairs(words[text], interval) if p[0] != p[1]}
        for column, other in enumerate(source):
            answering = close_pairs(words[other], interval)
            if pairs and answering:
                values = sorted((best_answer(*pair, answering) for pair in pairs), reverse=True)
                scores[row, column] = sum(values[:best_pairs]) / best_pairs
    return scores


@pytest.mark.parametrize(
    "chosen",
    [
        {"interval": 2, "best_pairs": 1, "least": 0.5, "weighting": "equal", "sharpness": 1},
        {"interval": 0, "best_pairs": 3, "least": 0.1, "weighting": "rarity", "sharpness": 2.5},
    ],
)
def test_scores_are_those_of_the_formula(query, source, vectors, chosen):
    queries, sources = query.select(range(6)), source.select(range(0, len(source), 3))
    expected = by_the_formula(list(queries.texts), list(sources.texts), vectors, **chosen)
    found = np.zeros_like(expected)
    candidates = WordVectorSearch(vectors, **chosen).index(sources).search(queries, ALL)
    found[candidates.query, candidates.source] = candidates.score
    assert (expected > 0).sum() > 50
    assert found == pytest.approx(expected, abs=1e-6)


def test_cosines_are_right_to_three_digits_and_the_same_in_any_company():
    rng = np.random.default_rng(2)
    vectors = rng.normal(size=(300, 100)).astype(np.float32)
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    steps = np.rint(unit * 2047)
    together = cosines(steps, steps)
    assert together == pytest.approx(unit @ unit.T, abs=1e-3)
    alone = np.array([[cosines(a[None], b[None])[0, 0] for b in steps[:9]] for a in steps[:9]])
    assert np.array_equal(together[:9, :9], alone)


def test_similar_words_match():
    vectors = WordVectors.from_matrix(
        ["ensis", "gladius", "cado", "mare"],
        np.array([[1, 0, 0], [0.8, 0.6, 0], [0, 0, 1], [0, 1, 0]], np.float32),
    )
    found = search(
        document("ensis cadit"),
        document("gladius cadit", "cadit gladius", "mare cadit", "gladius"),
        vectors,
        weighting="equal",
        sharpness=1,
    )["s1"]
    assert [source_id for source_id, _ in found] == ["s1", "s2"]
    assert [score for _, score in found] == pytest.approx([0.9, 0.9], abs=1e-3)


def test_stopwords_neither_count_nor_stand_between():
    vectors = WordVectors.from_matrix(["et"], np.ones((1, 2), np.float32))
    found = search(document("vox haesit"), document("vox et in illo haesit"), vectors, interval=0)
    assert len(found["s1"]) == 1
    assert search(document("et in illo"), document("et in illo"), vectors) == {"s1": []}


def test_a_word_without_a_vector_matches_only_itself():
    vectors = WordVectors.from_matrix(["uox", "sermo"], np.zeros((2, 3), np.float32))
    found = search(document("vox haesit"), document("sermo haesit", "haesit vox"), vectors)["s1"]
    assert [source_id for source_id, _ in found] == ["s2"]


def test_subwords_make_unknown_words_similar():
    buckets = np.random.default_rng(0).normal(size=(2000, 20)).astype(np.float32)
    vectors = WordVectors.from_matrix(
        ["haereo"], np.ones((1, 20), np.float32), Subwords(Rows(buckets), 3, 6)
    )
    query, source = document("fluctisonus haeret"), document("fluctisonans haeret")
    chosen = {"terms": "surface", "least": 0.3, "weighting": "equal"}
    assert len(search(query, source, vectors, **chosen)["s1"]) == 1
    assert search(query, source, vectors, subwords=False, **chosen)["s1"] == []
    assert WordVectorSearch(vectors).parameters()["name"] == "fasttext"
    assert WordVectorSearch(vectors, subwords=False).parameters()["name"] == "word2vec"


def test_a_rare_pair_is_worth_more_where_rarity_counts():
    vectors = WordVectors.from_matrix(["et"], np.ones((1, 2), np.float32))
    query = document("deus dicit, vox faucibus haesit")
    source = document("deus dicit", "faucibus haesit")
    found = search(query, source, vectors, weighting="rarity")["s1"]
    assert [source_id for source_id, _ in found] == ["s2", "s1"]
    assert found[0][1] > found[1][1]


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_the_first_ten_are_the_beginning_of_the_first_hundred(query, source, vectors, settings):
    ten = search(query, source, vectors, k=10, **settings)
    hundred = search(query, source, vectors, k=100, **settings)
    assert ten == {query_id: found[:10] for query_id, found in hundred.items()}
    assert any(len(found) > 10 for found in hundred.values())


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_the_order_of_the_sources_does_not_matter(query, source, vectors, settings):
    order = list(range(len(source)))
    random.Random(4).shuffle(order)
    shuffled = search(query, source.select(order), vectors, **settings)
    assert shuffled == search(query, source, vectors, **settings)


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_a_query_is_scored_the_same_alone(query, source, vectors, settings):
    together = search(query, source, vectors, **settings)
    alone = search(query.select([3]), source, vectors, **settings)
    assert alone[query.ids[3]] == together[query.ids[3]] != []


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_a_source_that_is_there_twice_has_the_same_score_twice(query, source, vectors, settings):
    twin = Document.from_segments(
        [*source, *(Segment(f"{segment.id} again", segment.text) for segment in source)]
    )
    for found in search(query, twin, vectors, **settings).values():
        scores = dict(found)
        assert all(scores[f"{i.removesuffix(' again')} again"] == s for i, s in found)


@pytest.mark.parametrize("text", ["", "...", "et", "uox", "1 2 3", "λόγος"])
def test_a_query_without_a_pair_finds_nothing(source, vectors, text):
    assert search(document(text or " "), source, vectors) == {"s1": []}


def test_sources_without_words_are_no_candidates(vectors):
    assert search(document("vox haesit"), document("...", "et"), vectors) == {"s1": []}


def test_no_queries_find_nothing(query, source, vectors):
    assert len(WordVectorSearch(vectors).index(source).search(query.select([]), 5)) == 0


@pytest.mark.parametrize(
    "wrong",
    [
        {"interval": -1},
        {"best_pairs": 0},
        {"least": 0},
        {"least": 1.5},
        {"least": float("nan")},
        {"weighting": "heavy"},
        {"sharpness": 0},
        {"sharpness": float("nan")},
        {"terms": "letters"},
        {"weighting": "rarity", "terms": "surface"},
    ],
    ids=str,
)
def test_invalid_settings_are_refused(vectors, wrong):
    with pytest.raises(ParameterError, match=next(iter(wrong))):
        WordVectorSearch(vectors, **wrong)


def test_k_must_be_at_least_one(query, source, vectors):
    with pytest.raises(ParameterError, match=r"k must be at least 1 \(got 0\)"):
        WordVectorSearch(vectors).index(source).search(query, 0)


def test_the_manifest_knows_the_vectors_and_the_lemmatizer(vectors):
    parameters = WordVectorSearch(vectors, interval=4).parameters()
    assert parameters["name"] == "word2vec"
    assert parameters["vectors_sha256"] == vectors.fingerprint()
    assert parameters["interval"] == 4
    assert "lemmatizer_sha256" in parameters


def test_progress_is_reported_to_the_end(query, source, vectors):
    reported = []
    index = WordVectorSearch(vectors).index(source, progress=lambda *step: reported.append(step))
    index.search(query, 3, progress=lambda *step: reported.append(step))
    assert ("indexing", len(source), len(source)) in reported
    assert reported[-1] == ("searching", len(query), len(query))
