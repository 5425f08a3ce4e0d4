"""Analyses of forms that no lexicon has."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from locisimiles.latin import Lemmatizer
from locisimiles.latin.guesser import FEATURES, Analysis, Guesser, Rule

RULES = {
    "m": (40.0, [(Rule(1, "", "NOUN"), 0.5), (Rule(2, "us", "ADJ"), 0.5)]),
    "am": (20.0, [(Rule(1, "", "NOUN"), 0.9), (Rule(2, "o", "VERB"), 0.1)]),
    "at": (3.0, [(Rule(2, "o", "VERB"), 1.0)]),
    "ens": (6.0, [(Rule(3, "o", "VERB"), 0.5), (Rule(0, "", "ADJ"), 0.5)]),
    "x": (1.0, [(Rule(1, "", "NOUN"), 1.0)]),
}
KNOWN = {Analysis("silua", "NOUN"): 9, Analysis("amo", "VERB"): 3, Analysis("mens", "NOUN"): 5}


def make(**weights):
    lemmas = {analysis.lemma: count for analysis, count in KNOWN.items()}
    row = np.array([weights.get(name.replace(" ", "_"), 0.0) for name in FEATURES])
    return Guesser(RULES, KNOWN, lemmas, {"silua": 1, "amens": 1}, row)


def test_rules_make_lemmas_of_endings():
    made = dict(make().candidates("clamat"))
    assert made == {Analysis("clamo", "VERB"): 1.0}


def test_longer_endings_count_more():
    trust = 20 / (20 + 3)
    made = dict(make().candidates("siluam"))
    assert made[Analysis("silua", "NOUN")] == pytest.approx((1 - trust) * 0.5 + trust * 0.9)
    assert made[Analysis("siluo", "VERB")] == pytest.approx(trust * 0.1)
    assert made[Analysis("siluus", "ADJ")] == pytest.approx((1 - trust) * 0.5)
    assert sum(made.values()) == pytest.approx(1.0)


@pytest.mark.parametrize("form", ["", "arbor", "λόγος", "b", "x", "ax"])
def test_nothing_is_guessed_without_a_rule(form):
    assert make().guess(form) == []


def test_a_known_lemma_is_more_likely():
    plain, wise = make(rule=1.0), make(rule=1.0, known=5.0)
    unknown = [analysis.lemma for analysis, _ in plain.guess("amam")]
    known = [analysis.lemma for analysis, _ in wise.guess("amam")]
    assert (unknown[0], known[0]) == ("ama", "amo")


def row(guesser, form, lemma):
    candidates = guesser.candidates(form)
    place = [analysis.lemma for analysis, _ in candidates].index(lemma)
    return dict(zip(FEATURES, guesser.features(candidates)[place].tolist(), strict=True))


def test_candidates_are_judged_by_what_is_known_of_them():
    features = row(make(), "siluam", "silua")
    assert features["known"] == features["noun"] == features["attested"] == 1
    assert features["count"] == pytest.approx(math.log(10))
    assert features["verb"] == features["known otherwise"] == features["short"] == 0
    unknown = row(make(), "siluam", "siluus")
    assert unknown["known"] == unknown["count"] == unknown["attested"] == 0
    assert unknown["adjective"] == 1


def test_a_participle_of_a_known_verb_is_noticed():
    assert row(make(), "amens", "amens")["participle of a known verb"] == 1
    assert row(make(), "clemens", "clemens")["participle of a known verb"] == 0
    assert row(make(), "amens", "amo")["participle of a known verb"] == 0


def test_a_lemma_known_as_another_part_of_speech_is_noticed():
    assert row(make(), "mens", "mens")["known otherwise"] == 1


def test_short_lemmas_are_noticed():
    assert row(make(), "dat", "do")["short"] == 1


@settings(deadline=None)
@given(
    st.text(alphabet="amntexsu", max_size=12) | st.text(),
    st.lists(st.floats(-5, 5), min_size=len(FEATURES), max_size=len(FEATURES)),
)
def test_probabilities_descend_and_sum_to_one(form, weights):
    guesser = Guesser(RULES, KNOWN, {}, {}, np.array(weights))
    guesses = guesser.guess(form)
    chances = [probability for _, probability in guesses]
    assert chances == sorted(chances, reverse=True)
    assert not guesses or math.isclose(sum(chances), 1.0)
    assert len({analysis for analysis, _ in guesses}) == len(guesses)
    assert all(len(analysis.lemma) > 1 for analysis, _ in guesses)


def test_few_analyses_are_guessed():
    rules = {"a": (9.0, [(Rule(0, chr(97 + n), "NOUN"), 1 / 26) for n in range(26)])}
    guesser = Guesser(rules, {}, {}, {}, np.zeros(len(FEATURES)))
    assert len(guesser.guess("rosa")) == 14


def by_the_book(guesser, form):
    """Mix the rules of shorter and longer endings as the method is described."""
    mixed = {}
    for length in range(1, min(9, len(form)) + 1):
        total, rules = guesser.rules.get(form[-length:], (0.0, None))
        if rules is None:
            continue
        trust = total / (total + 3.0) if mixed else 1.0
        mixed = {rule: probability * (1 - trust) for rule, probability in mixed.items()}
        for rule, probability in rules:
            mixed[rule] = mixed.get(rule, 0.0) + trust * probability
    made = {}
    for rule, probability in mixed.items():
        analysis = Analysis(form[: len(form) - rule.cut] + rule.add, rule.pos)
        if probability >= 3e-4 and len(analysis.lemma) > 1:
            made[analysis] = made.get(analysis, 0.0) + probability
    return sorted(made.items(), key=lambda item: (-item[1], item[0]))[:14]


def test_the_shipped_rules_are_mixed_by_the_book():
    model = Lemmatizer.shipped()._model
    for form in [*(f"x{form}" for form in model.forms[::2500]), "a", "", "λόγος", "ii"]:
        assert model.guesser.candidates(form) == by_the_book(model.guesser, form)


def test_a_lemma_is_known_otherwise_only_if_it_is_known():
    seen = row(make(), "clamat", "clamo")  # which no text has
    assert [name for name, value in seen.items() if value == 1] == ["verb"]


def test_endings_have_nine_letters_at_most():
    form = "abcdefghijklm"
    rules = {form[-10:]: (5.0, [(Rule(1, "x", "NOUN"), 1.0)])}
    assert Guesser(rules, {}, {}, {}, np.zeros(len(FEATURES))).guess(form) == []
    rules = {form[-9:]: (5.0, [(Rule(1, "x", "NOUN"), 1.0)])}
    assert Guesser(rules, {}, {}, {}, np.zeros(len(FEATURES))).guess(form) == [
        (Analysis(f"{form[:-1]}x", "NOUN"), 1.0)
    ]


def test_lemmas_of_four_letters_are_not_short():
    assert row(make(), "mens", "mens")["short"] == 0
    assert row(make(), "amens", "amo")["short"] == 1


def test_rules_with_little_probability_are_left_out():
    for probability, many in ((3e-4, 2), (2.9e-4, 1)):
        rules = {"a": (9.0, [(Rule(0, "", "NOUN"), 1.0), (Rule(1, "x", "NOUN"), probability)])}
        assert len(Guesser(rules, {}, {}, {}, np.zeros(len(FEATURES))).guess("rosa")) == many


def test_probabilities_are_a_softmax_of_the_scores():
    guesser = make(rule=0.7, known=2.0, noun=-1.0)
    candidates = guesser.candidates("siluam")
    scores = [0.7 * math.log(chance) + 2.0 * (one in KNOWN) - (one.pos == "NOUN")
              for one, chance in candidates]  # fmt: skip
    total = sum(map(math.exp, scores))
    expected = {
        one: math.exp(score) / total for (one, _), score in zip(candidates, scores, strict=True)
    }
    assert len(expected) == 3
    assert dict(guesser.guess("siluam")) == pytest.approx(expected)


def test_large_weights_overflow_nothing():
    guesses = make(known=900.0, noun=900.0, verb=-900.0).guess("siluam")
    assert [round(chance, 6) for _, chance in guesses] == [1.0, 0.0, 0.0]
    assert guesses[0][0] == Analysis("silua", "NOUN")
