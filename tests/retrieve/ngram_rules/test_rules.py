"""What the rules take for a parallel, case by case."""

from math import inf, log, nan

import numpy as np
import pytest

from locisimiles import ParameterError
from locisimiles.latin import Frequencies
from locisimiles.retrieve.ngram_rules import NgramRules


def rarity(*lemmas):
    return [Frequencies.shipped().rarity(lemma) for lemma in lemmas]


@pytest.fixture
def score(find, make):
    """Return the score of two texts, or 0."""

    def score(query, source, **parameters):
        (found,) = find(make(query), make(source), **parameters).values()
        return found[0][1] if found else 0

    return score


def test_two_neighbours_in_the_same_order_count_with_their_whole_rarity(score):
    assert score("uox haesit", "vocem haerere") == pytest.approx(sum(rarity("uox", "haereo")))


def test_rarity_is_the_logarithm_of_how_seldom_a_word_occurs(score):
    frequencies = Frequencies.shipped()
    expected = sum(
        log(frequencies.sentences / frequencies.count(lemma)) for lemma in ("uox", "haereo")
    )
    assert score("uox haesit", "uox haesit") == pytest.approx(expected)


def test_words_in_the_other_order_count_less(score):
    same, other = (score("uox haesit", text) for text in ("uox haesit", "haesit uox"))
    assert other == pytest.approx(0.75 * same)
    assert score("uox haesit", "haesit uox", reordered=0.2) == pytest.approx(0.2 * same)


def test_words_further_apart_count_less(score):
    near, far = (score("uox haesit", t) for t in ("uox haesit", "uox in ore suo tristi haesit"))
    assert far == pytest.approx(near / (1 + 0.5 * 2))


def test_a_word_counts_by_its_nearest_companion(score):
    # uox and faux are neighbours; haereo is two words from faux in the source.
    uox, faux, haereo = rarity("uox", "faux", "haereo")
    found = score("uox faucibus haesit", "uox faucibus misero haesit")
    assert found == pytest.approx(uox + faux + haereo / 1.5)


@pytest.mark.parametrize(("between", "found"), [(2, True), (3, False)])
def test_the_window_is_counted_without_stop_words(score, between, found):
    words = " ".join(["magna", "tristis", "pulchra"][:between])
    assert bool(score("uox haesit", f"uox et {words} in haesit", window=3)) is found


def test_both_sides_must_be_close(score):
    assert not score("uox magna tristis pulchra haesit", "uox haesit", window=3)


@pytest.mark.parametrize("sign", list(".!?;:"))
def test_punctuation_that_ends_a_clause_cuts_words_apart(score, sign):
    assert not score("uox haesit", f"uox{sign} haesit")
    assert not score(f"uox{sign} haesit", "uox haesit")
    assert score("uox haesit", f"uox{sign} haesit", clause_ends="")


@pytest.mark.parametrize("sign", [",", " / ", " - "])
def test_other_signs_cut_nothing(score, sign):
    assert score("uox haesit", f"uox{sign} haesit")
    assert not score("uox haesit", f"uox{sign}haesit", clause_ends=",/-")


def test_the_stop_of_an_abbreviation_ends_no_clause(score):
    assert score("uox M. haesit", "uox haesit") > 0


@pytest.mark.parametrize("text", ["et in", "sum ego", "uox", "uox uox", "uox et", "12 13"])
def test_fewer_than_two_words_are_no_parallel(score, text):
    assert not score(text, text)


def test_other_stopwords_may_be_chosen(score):
    assert not score("uox haesit", "uox haesit", stopwords=frozenset(["uox"]))
    assert score("et in", "et in", stopwords=frozenset(), pos_words=0)


def test_three_words_can_be_required(score):
    assert not score("uox haesit", "uox haesit", n=3)
    assert score("uox faucibus haesit", "haesit uox faucibus", n=3)


def test_the_words_must_be_in_one_clause(score):
    query = "uox faucibus haesit comae"
    assert score(query, "uox faucibus haesit", n=3, complura=None)
    assert not score(query, "uox faucibus; haesit comae", n=3, complura=None)


def test_surface_terms_need_the_same_form(score):
    assert not score("uox haesit", "vocem haerere", terms="surface")
    assert score("Vox haesitque", "uox haesit", terms="surface")


def test_many_words_count_wherever_they_stand(score):
    query = "arma; uirum; troia; litora"
    source = "litora! troia! uir! arma!"
    assert not score(query, source, complura=None)
    assert not score(query, source, complura=5)
    expected = 0.75 / (1 + 0.5 * 6) * sum(rarity("arma", "uir", "troia", "litus"))
    assert score(query, source, complura=4) == pytest.approx(expected)


def test_the_parts_of_speech_decide(score):
    # Both are adverbs.
    assert not score("celeriter feliciter", "celeriter feliciter", pos=("NOUN",))
    assert score("celeriter feliciter", "celeriter feliciter", pos_words=0)
    assert score("celeriter uox", "celeriter uox", pos=("NOUN",), pos_words=1)
    assert not score("celeriter uox", "celeriter uox", pos=("NOUN",), pos_words=2)


def test_common_collocations_are_formulas(score):
    count = Frequencies.shipped().pair_count("res", "publicus")
    assert score("rem publicam", "res publica", max_collocations=count)
    assert not score("rem publicam", "res publica", max_collocations=count - 1)


def test_what_the_source_has_often_is_a_formula(find, make):
    source = make("uox haesit", "uox haesit, haesit uox", "uoce haerere")
    assert len(find(make("uox haesit"), source, max_in_source=3)["s1"]) == 3
    assert not find(make("uox haesit"), source, max_in_source=2)["s1"]


def test_words_that_are_alike_are_a_formula(score):
    vectors = {
        "uox": np.array([1.0, 0.0]),
        "haereo": np.array([2.0, 2.0]),
        "faux": np.array([0.0, 3.0]),
        "coma": np.zeros(2),
    }
    assert not score("uox haesit", "uox haesit", vectors=vectors.get, max_similarity=0.70)
    assert score("uox haesit", "uox haesit", vectors=vectors.get, max_similarity=0.71)
    assert score("uox faucibus", "uox faucibus", vectors=vectors.get, max_similarity=0.0)
    # Words without a vector, or with one that points nowhere, are not alike.
    assert score("uox litora", "uox litora", vectors=vectors.get)
    assert score("uox comae", "uox comae", vectors=vectors.get)


def test_vectors_of_different_lengths_are_refused(score):
    vectors = {"uox": np.ones(2), "haereo": np.ones(3)}
    with pytest.raises(ParameterError, match="differ in length"):
        score("uox haesit", "uox haesit", vectors=vectors.get)


def test_candidates_below_the_least_score_are_left_out(score):
    whole = score("uox haesit", "uox haesit")
    assert score("uox haesit", "uox haesit", min_score=whole - 0.01) == whole
    assert not score("uox haesit", "uox haesit", min_score=whole + 0.01)


def test_any_lemmatizer_may_be_used(score):
    def three_letters(words):
        return [word[:3].lower() for word in words]

    assert score("uocare haerere", "uoces haeret", lemmatizer=three_letters, pos_words=0)
    assert not score("uocare haerere", "uoces haeret", pos_words=0)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n": 1}, "n must be between 2 and 1000 (got 1)"),
        ({"window": 0}, "window must be between 1 and 1000 (got 0)"),
        ({"window": 2.5}, "window must be a whole number (got 2.5)"),
        ({"pos_words": 3}, "pos_words must be between 0 and 2 (got 3)"),
        ({"complura": 0}, "complura must be at least 1 (got 0)"),
        ({"max_collocations": -1}, "max_collocations must be at least 0 (got -1)"),
        ({"max_in_source": -1}, "max_in_source must be at least 0 (got -1)"),
        ({"decay": -0.1}, "decay must be at least 0 (got -0.1)"),
        ({"decay": inf}, "decay must be finite"),
        ({"reordered": 1.1}, "reordered must be between 0 and 1 (got 1.1)"),
        ({"min_score": nan}, "min_score must be at least 0 (got nan)"),
        ({"max_similarity": 2}, "max_similarity must be between -1 and 1 (got 2)"),
        ({"pos": ("nomen",)}, "choose from ADJ, ADP"),
        ({"pos": "NOUN"}, "pos must be a list of parts of speech (got NOUN)"),
        ({"clause_ends": ". !"}, "clause_ends must not contain letters or spaces (got '. !')"),
        ({"terms": "stem"}, "choose one of lemma, surface"),
    ],
)
def test_invalid_parameters_are_refused(parameters, message):
    with pytest.raises(ParameterError) as caught:
        NgramRules(**parameters)
    assert message in str(caught.value)


def test_the_parameters_name_everything():
    assert NgramRules(terms="surface", window=4).parameters() == {
        "name": "ngrams",
        "terms": "surface",
        "n": 2,
        "window": 4,
        "clause_ends": ".!?;:",
        "pos": ["NOUN", "PROPN", "VERB", "ADJ", "X"],
        "pos_words": 1,
        "max_collocations": None,
        "max_in_source": None,
        "complura": 4,
        "decay": 0.5,
        "reordered": 0.75,
        "min_score": 0.0,
    }


def test_the_parameters_name_what_is_not_usual():
    parameters = NgramRules(vectors={}.get, stopwords=frozenset(["et", "ac"])).parameters()
    assert parameters["vectors"] == "dict.get"
    assert parameters["max_similarity"] == 0.3
    assert parameters["stopwords"] == ["ac", "et"]
    assert parameters["lemmatizer"] == "fast"
