"""Synthetic pairs."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from locisimiles.errors import ParameterError
from locisimiles.train.late.alterations import WordChoices
from locisimiles.train.late.synthetic import PairSettings, SyntheticPair, make_synthetic_pairs

WORDS = ["arma", "armis", "uirum", "uiros", "cano", "canit", "troia", "troiae", "et", "qui"]
LEMMA = {word: word[:3] for word in WORDS}
CHOICES = WordChoices.from_words(WORDS, LEMMA, {"arm": ["uir"], "tro": ["arm", "can"]})
COMMON = {"et", "qui", ",", "."}
CONTEXT = ["nunc", "autem", "sic", "dixit", ",", "iam", "fecit"]
UNCHANGED = {"dropped": 0, "inflected": 0, "replaced": 0, "shuffled": 0, "mixed": 0}

sources = st.lists(
    st.lists(st.sampled_from([*WORDS, ","]), max_size=12).map(lambda own: ["cano", "arma", *own]),
    min_size=1,
    max_size=5,
)
seeds = st.integers(0, 1000)


def make(texts, contexts=(CONTEXT,), count=20, seed=0, **changes):
    chosen = PairSettings(**changes)
    return make_synthetic_pairs(
        texts, contexts, CHOICES, COMMON, count=count, settings=chosen, seed=seed
    )


@given(sources, seeds)
@settings(max_examples=40, deadline=None)
def test_the_same_seed_makes_the_same_pairs(texts, seed):
    assert make(texts, seed=seed) == make(texts, seed=seed)


def test_another_seed_makes_other_pairs():
    assert make([WORDS], seed=1) != make([WORDS], seed=2)


@given(sources, seeds)
@settings(max_examples=40, deadline=None)
def test_without_alterations_a_span_of_the_source_is_in_the_sentence(texts, seed):
    for pair in make(texts, seed=seed, **UNCHANGED):
        carried = [word for word in pair.words if word in LEMMA or word not in CONTEXT]
        text = " ".join(texts[pair.source])
        inside = " ".join(pair.words)
        assert any(
            " ".join(texts[pair.source][begin:end]) in inside
            for begin in range(len(texts[pair.source]))
            for end in range(begin + 2, len(texts[pair.source]) + 1)
        )
        assert all(word in text for word in carried)


@given(sources, seeds)
@settings(max_examples=40, deadline=None)
def test_every_word_comes_from_the_source_the_context_or_the_choices(texts, seed):
    for pair in make(texts, seed=seed):
        allowed = set(CONTEXT)
        for word in texts[pair.source]:
            allowed |= {word, *CHOICES.forms.get(LEMMA.get(word), ())}
            for other in CHOICES.synonyms.get(LEMMA.get(word), ()):
                allowed |= set(CHOICES.forms[other])
        assert set(pair.words) <= allowed


@given(sources, seeds)
@settings(max_examples=40, deadline=None)
def test_without_synonyms_a_lemma_of_the_source_is_left(texts, seed):
    for pair in make(texts, seed=seed, replaced=0):
        own = {LEMMA.get(word, word) for word in texts[pair.source]}
        assert own & {LEMMA.get(word, word) for word in pair.words}


def test_a_span_may_stand_alone():
    texts = [["arma", "uirum", "cano"]]
    pairs = make(texts, alone=1, shortest=3, longest=3, **UNCHANGED)
    assert set(pairs) == {SyntheticPair(("arma", "uirum", "cano"), 0)}


def test_words_of_the_context_are_mixed_in():
    texts = [["arma", "uirum", "cano"]]
    options = {**UNCHANGED, "mixed": 1, "shortest": 3, "longest": 3, "alone": 0}
    orders = {tuple(w for w in pair.words if w in LEMMA) for pair in make(texts, **options)}
    apart = [pair for pair in make(texts, **options) if "arma uirum" not in " ".join(pair.words)]
    assert orders == {("arma", "uirum", "cano")}
    assert apart


def test_a_span_has_two_words_that_are_not_common():
    texts = [["et", "qui", "et"], ["arma", "et", "cano"]]
    assert {pair.source for pair in make(texts, count=30)} == {1}


@pytest.mark.parametrize("texts", [[], [[]], [["et", "qui"]], [["arma"]]], ids=str)
def test_sources_without_two_words_are_reported(texts):
    with pytest.raises(ParameterError, match="two content words"):
        make(texts)


@pytest.mark.parametrize(
    "wrong", [{"shortest": 0}, {"shortest": 5, "longest": 4}, {"alone": 1.5}, {"dropped": -0.1}]
)
def test_invalid_settings_are_refused(wrong):
    with pytest.raises(ParameterError):
        PairSettings(**wrong)
