"""Contextual tokens, with an encoder that needs no model."""

import random

import numpy as np
import pytest

from locisimiles import Document, ParameterError, Segment
from locisimiles.latin import Frequencies, lemmatize, tokenize
from locisimiles.latin.stopwords import STOPWORDS
from locisimiles.retrieve.vectors.contextual import Contextual

VARIANTS = [{}, {"dimensions": 16}, {"power": 3.0, "centre": False}, {"rarity": False}]


def document(*texts, prefix="s"):
    return Document.from_segments(Segment(f"{prefix}{n}", t) for n, t in enumerate(texts, start=1))


@pytest.fixture
def search(word_encoder, search_with):
    def run(queries, source, *, k=10_000, **options):
        retriever = Contextual(word_encoder, **{"cache": None, **options})
        return search_with(retriever, queries, source, k)

    return run


def naive(encoder, query_text, source_text, *, power, rarity):
    """Return the score as the formula is written."""

    def words(text):
        tokens = [token.text for token in tokenize(text)]
        lemmas = [lemmatize([token], mode="fast")[0] for token in tokens]
        vectors = encoder.encode_tokens([text]).vectors
        vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        return [
            (Frequencies.shipped().rarity(lemma) if rarity else 1.0, vector)
            for lemma, vector in zip(lemmas, vectors, strict=True)
            if lemma not in STOPWORDS
        ]

    own, other = words(query_text), words(source_text)
    total = sum(weight for weight, _ in own)
    return sum(
        weight * max(max(float(v @ u), 0) for _, u in other) ** power / total for weight, v in own
    )


@pytest.mark.parametrize(("power", "rarity"), [(1.0, True), (3.0, True), (2.0, False)])
def test_scores_are_those_of_the_formula(search, word_encoder, power, rarity):
    queries = document("haesit uox faucibus", "quis furor iste", prefix="q")
    source = document("et uox faucibus haesit", "sonus armorum", "tanta caelestibus ira")
    found = search(queries, source, centre=False, power=power, rarity=rarity)
    for segment in queries:
        expected = {
            s.id: naive(word_encoder, segment.text, s.text, power=power, rarity=rarity)
            for s in source
        }
        positive = {source_id: score for source_id, score in expected.items() if score > 0}
        assert positive
        assert dict(found[segment.id]) == pytest.approx(positive, abs=2e-3)


def test_all_words_of_a_query_in_a_source_make_one(search):
    found = search(document("uox haesit"), document("haesit et uox", "arma"), centre=False)
    assert found["s1"][0] == ("s1", pytest.approx(1, abs=1e-3))


def test_near_words_are_found_without_being_shared(search):
    found = search(document("sonus"), document("tempora mores", "uox clara"), centre=False)
    assert found["s1"][0][0] == "s2"
    assert found["s1"][0][1] > 0.8


def test_stop_words_count_only_if_asked_for(search):
    queries, source = document("et"), document("et", "uox")
    assert search(queries, source) == {"s1": []}
    assert search(queries, source, stopwords=True, centre=False)["s1"][0][0] == "s1"


def test_the_mean_of_all_words_is_subtracted_if_asked_for(search, query, source):
    raw = search(query[:3], source[:30], centre=False)
    assert search(query[:3], source[:30]) != raw


@pytest.mark.parametrize("options", VARIANTS)
def test_the_first_ten_begin_the_first_hundred(search, query, source, options):
    ten, hundred = (search(query, source, k=k, **options) for k in (10, 100))
    assert ten == {query_id: pairs[:10] for query_id, pairs in hundred.items()}
    assert max(map(len, hundred.values())) == 100


@pytest.mark.parametrize("options", VARIANTS)
def test_the_order_of_source_and_queries_does_not_matter(search, query, source, options):
    shuffled = source.select(random.Random(1).sample(range(len(source)), len(source)))
    assert search(query[::-1], shuffled, **options) == search(query, source, **options)


@pytest.mark.parametrize("options", VARIANTS)
def test_a_duplicate_gets_an_equal_score(search, query, source, options):
    doubled = Document.from_segments(
        [*source, *(Segment(f"{segment.id}, again", segment.text) for segment in source)]
    )
    for pairs in search(query, doubled, **options).values():
        scores = dict(pairs)
        assert pairs
        assert all(scores[i] == scores[f"{i}, again"] for i in scores if not i.endswith("again"))


@pytest.mark.parametrize("empty", ["", "…", "et", "12"])
def test_a_text_without_words_finds_nothing_and_is_not_found(search, source, empty):
    assert search(document(empty, prefix="q"), source) == {"q1": []}
    found = search(document("uox haesit"), document(empty, "uox", "arma uirumque"))
    assert found["s1"][0][0] == "s2"
    assert "s1" not in dict(found["s1"])


def test_an_empty_source_and_no_queries_are_no_problem(search, source):
    nothing = Document.from_segments([])
    assert search(document("uox"), nothing) == {"s1": []}
    assert search(nothing, source) == {}


def test_vectors_are_computed_once_and_kept(tmp_path, word_encoder, query, source):
    contextual = Contextual(word_encoder, cache=tmp_path)
    first = contextual.index(source).search(query, 10)
    count = len(word_encoder.encoded)
    assert contextual.index(source).search(query, 10) == first
    # What is fitted on the source is fitted again; the rest comes from files.
    assert len(word_encoder.encoded) - count == len({*source.texts})
    assert count == 2 * len({*source.texts}) + len({*query.texts})


def test_what_matters_is_in_the_manifest(word_encoder):
    parameters = Contextual(word_encoder, dimensions=64, cache=None).parameters()
    assert parameters == {
        "name": "contextual",
        "model": "words",
        "centre": True,
        "dimensions": 64,
        "power": 1.0,
        "rarity": True,
        "stopwords": False,
    }


@pytest.mark.parametrize("wrong", [{"power": 0}, {"power": float("nan")}, {"dimensions": 0}])
def test_invalid_options_are_refused(word_encoder, wrong):
    with pytest.raises(ParameterError):
        Contextual(word_encoder, **wrong)


def test_k_must_be_at_least_one(word_encoder, source):
    with pytest.raises(ParameterError, match="k must be at least 1"):
        Contextual(word_encoder, cache=None).index(source).search(source, 0)
