"""Word features, compared with a naive implementation and by hand."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from locisimiles.classify.comparison import ComparableTexts
from locisimiles.classify.word_features import WORD_FEATURES
from locisimiles.index import TextPart
from locisimiles.latin import Frequencies

FREQUENCIES = Frequencies.shipped()


def features(query, *others):
    """Return the features of a query with each other text, by name."""
    texts = ComparableTexts(TextPart.of([query, *others]))
    found = texts.compare(0, 1 + np.arange(len(others)))
    return {name: feature(found).tolist() for name, feature in WORD_FEATURES.items()}


def alone(query, other):
    return {name: value for name, (value,) in features(query, other).items()}


def lemmas_of(pair):
    """Return each shared lemma of the query with its rarity, and whether a form is the same."""
    shared = {}
    for a, b in pair.matches:
        rarity, same = shared.get(a.lemma, (0.0, False))
        shared[a.lemma] = max(rarity, min(a.rarity, b.rarity)), same or a.form == b.form
    return shared


def expected_of_lemmas(pair):
    shared = lemmas_of(pair)
    rarities = sorted((rarity for rarity, _ in shared.values()), reverse=True)
    of_forms = [rarity for rarity, same in shared.values() if same]
    query, source = (
        [word.rarity for word in side if word.content] for side in (pair.query, pair.source)
    )
    norm = math.hypot(*query) * math.hypot(*source)
    functions = {word.form for word in pair.query}
    return {
        "shared lemmas": math.log(1 + len(shared)),
        "rarity": sum(rarities),
        "rarest": [*rarities, 0, 0, 0][0],
        "second rarest": [*rarities, 0, 0, 0][1],
        "third rarest": [*rarities, 0, 0, 0][2],
        "shared forms": math.log(1 + len(of_forms)),
        "rarity of forms": sum(of_forms),
        "share of the query": sum(rarities) / max(sum(query), 1e-6),
        "share of the source": sum(rarities) / max(sum(source), 1e-6),
        "cosine": sum(rarity**2 for rarity in rarities) / max(norm, 1e-6),
        "jaccard": len(shared) / max(len(query) + len(source) - len(shared), 1e-6),
        "function words": math.log(
            1 + sum(not word.content and word.form in functions for word in pair.source)
        ),
        "length of the query": math.log(1 + len(pair.query)),
        "length of the source": math.log(1 + len(pair.source)),
    }


def expected_of_pairs(pair):
    found = list(pair.pairs_of_matches)
    close = [one for one in found if abs(one[1]) <= 3 and abs(one[2]) <= 3]

    def rarity(one):
        return sum(min(a.rarity, b.rarity) for a, b in one[0])

    def unusual(one):
        (a, _), (c, _) = one[0]
        return math.log(FREQUENCIES.sentences / (FREQUENCIES.pair_count(a.lemma, c.lemma) + 3))

    def apart(one):
        return abs(one[1]) + abs(one[2])

    def in_clause(one):
        (a, b), (c, d) = one[0]
        return a.clause == c.clause and b.clause == d.clause

    return {
        "rule": float(any(in_clause(one) for one in close)),
        "close pairs": math.log(1 + len(close)),
        "rarity of a close pair": max(map(rarity, close), default=0),
        "unusual close pair": max(map(unusual, close), default=0),
        "near pair": max((rarity(one) / (1 + 0.25 * (apart(one) - 2)) for one in found), default=0),
        "near pairs": math.log(1 + sum(1 / apart(one) for one in found)),
        "near in the query": max((1 / abs(one[1]) for one in found), default=0),
        "near in the source": max((1 / abs(one[2]) for one in found), default=0),
        "same order": float(any(one[1] * one[2] > 0 for one in close)),
    }


@settings(max_examples=100)
@given(st.data())
def test_every_feature_agrees_with_a_naive_implementation(latin_texts, slow_pair, data):
    query = data.draw(latin_texts)
    others = data.draw(st.lists(latin_texts, min_size=1, max_size=3))
    found = features(query, *others)
    for number, other in enumerate(others):
        pair = slow_pair(query, other)
        expected = expected_of_lemmas(pair) | expected_of_pairs(pair)
        assert {name: own[number] for name, own in found.items()} == pytest.approx(expected)
        assert set(expected) == set(WORD_FEATURES)


def test_a_quotation_by_hand():
    found = alone("Haesit uox in faucibus eius.", "et vox mihi faucibus haesit")
    haereo, uox, faux = map(FREQUENCIES.rarity, ("haereo", "uox", "faux"))
    assert math.expm1(found["shared lemmas"]) == pytest.approx(3)
    assert math.expm1(found["shared forms"]) == pytest.approx(3)
    assert found["rarity"] == found["rarity of forms"] == pytest.approx(haereo + uox + faux)
    assert found["rarest"] == max(haereo, uox, faux)
    assert found["third rarest"] == min(haereo, uox, faux)
    assert found["share of the query"] == pytest.approx(1)
    assert [found["cosine"], found["jaccard"]] == pytest.approx([1, 1])
    assert found["rule"] == found["same order"] == 1  # uox … faucibus
    assert math.expm1(found["close pairs"]) == pytest.approx(3)
    # Neighbours but for a function word, on both sides: worth all of their rarity.
    assert found["near pair"] == pytest.approx(max(uox + faux, (haereo + faux) / 1.25))
    # uox … faucibus 1 + 1, haesit … uox 1 + 2, haesit … faucibus 2 + 1
    assert math.expm1(found["near pairs"]) == pytest.approx(1 / 2 + 1 / 3 + 1 / 3)
    assert math.expm1(found["length of the query"]) == pytest.approx(5)


def test_a_pair_that_shares_nothing_has_lengths_only():
    found = alone("arma cano", "uox faucibus haesit")
    told = {name: value for name, value in found.items() if value}
    assert {name: round(math.expm1(value)) for name, value in told.items()} == {
        "length of the query": 2,
        "length of the source": 3,
    }


def test_two_words_far_apart_count_less_than_neighbours():
    near = alone("uox faucibus", "uox faucibus arma cano regem amor")
    far = alone("uox faucibus", "uox arma cano regem amor faucibus")
    assert near["near pair"] > far["near pair"] > 0
    assert near["close pairs"] > far["close pairs"] == 0
    assert near["rarity"] == far["rarity"]


def test_reversed_words_are_not_in_the_same_order():
    assert alone("uox faucibus", "faucibus uox")["same order"] == 0
    assert alone("uox faucibus", "uox faucibus")["same order"] == 1


@pytest.mark.parametrize("text", ["", "...", "et", "12", "\0"])
def test_features_of_texts_without_words_are_finite(text):
    for found in (alone(text, "uox"), alone("uox", text), alone(text, text)):
        assert np.isfinite(list(found.values())).all()
        assert found["rarity"] == found["cosine"] == found["jaccard"] == 0
