"""Guessing analyses, and learning to rank them."""

import numpy as np
import pytest

from locisimiles.latin.guesser import Analysis
from locisimiles.progress import silent
from locisimiles.train.lemmatizer import guesses
from locisimiles.train.lemmatizer.analyses import count_analyses, prepare
from locisimiles.train.lemmatizer.guesses import (
    fit_guesser,
    guess_background,
    last_resort,
    read_word_list,
)

NOUN = "NOUN"


@pytest.fixture
def counts(treebank):
    return count_analyses(prepare(treebank))


@pytest.fixture
def guesser(counts):
    return fit_guesser(counts, counts.analyses, seed=0)


def background(guesser, counts, forms):
    found = guess_background(guesser, counts, forms, read_word_list(), seed=0, progress=silent)
    return {entry.form: entry for entry in found}


def test_without_simplemma_there_is_no_word_list():
    assert read_word_list() == {}


def test_the_word_list_is_brought_into_our_spelling(word_list):
    word_list({"Adtulit": "adfero", "vīrum": "vir", "x": "x", "res publica": "res", "nil": "12"})
    assert read_word_list() == {"attulit": "affero", "uirum": "uir"}


def test_where_a_name_and_a_word_are_the_same_the_word_is_meant(word_list):
    word_list({"Rosa": "Rosa", "rosa": "rodo", "Rosā": "Rosae"})
    assert read_word_list()["rosa"] == "rodo"


def test_known_lemmas_are_preferred(guesser):
    best = guesser.guess("nautam")[0]
    assert best[0] == Analysis("nauta", NOUN)


def test_rules_are_learnt_for_new_words(guesser):
    assert guesser.guess("agricolam")[0][0] == Analysis("agricola", NOUN)
    assert guesser.guess("spectat")[0][0] == Analysis("specto", "VERB")


def test_fitting_is_the_same_each_time(counts):
    one, other = (fit_guesser(counts, counts.analyses, seed=3) for _ in range(2))
    np.testing.assert_array_equal(one.weights, other.weights)


def test_a_form_left_out_is_as_if_it_had_never_been_counted(treebank, counts, monkeypatch):
    monkeypatch.setattr(guesses, "_FEWEST_FORMS", {})
    sentences = prepare(treebank)
    whole = guesses._make_guesser(counts, counts.analyses)
    for form, analysis in guesses._rare_forms(counts, 0):
        unseen = guesses._as_if_unseen(whole, counts, form, analysis)
        without = [[word for word in sentence if word[0] != form] for sentence in sentences]
        recounted = guesses._make_guesser(count_analyses(without), counts.analyses)
        assert dict(unseen.candidates(form)) == pytest.approx(dict(recounted.candidates(form)))
        assert dict(unseen.known) == recounted.known
        assert dict(unseen.known_lemmas) == recounted.known_lemmas
        assert len(unseen.known) == len(recounted.known)


def test_the_right_candidates_are_made_likely():
    # The second column marks the right one, the first the wrong one.
    groups = [(np.eye(2), np.array([False, True])) for _ in range(9)]
    wrong, right = guesses._fit(groups, 2)
    assert right > 1
    assert wrong < 0


def test_a_feature_that_tells_nothing_gets_no_weight():
    groups = [(np.array([[1.0, 1.0], [1.0, 0.0]]), np.array([True, False]))] * 5
    assert guesses._fit(groups, 2)[0] == pytest.approx(0, abs=1e-4)


def test_forms_of_a_corpus_get_analyses(guesser, counts):
    entries = background(guesser, counts, ["agricolam", "zzz"])
    assert list(entries) == ["agricolam"]
    analyses = entries["agricolam"].analyses
    assert analyses[0][0] == Analysis("agricola", NOUN)
    chances = [chance for _, chance in analyses]
    assert 0 < sum(chances) <= 1 + 1e-9
    assert chances == sorted(chances, reverse=True)
    assert not entries["agricolam"].from_word_list


def test_late_spellings_are_recognised(guesser, counts):
    # No rule leads from *rosham* to *rosa*, but it may be *rosam*.
    rosa = Analysis("rosa", NOUN)
    assert rosa not in dict(guesser.candidates("rosham"))
    assert rosa in dict(guesses._Helper(guesser, counts, read_word_list()).candidates("rosham"))


@pytest.mark.parametrize(("written", "meant"), [("puelle", "puellae"), ("cena", "caena")])
def test_variants_differ_by_one_change(written, meant):
    assert meant in set(guesses._variants(written))


def test_the_word_list_helps_where_no_rule_does(guesser, counts, word_list):
    word_list({"zzz": "zzo"})
    entry = background(guesser, counts, ["zzz"])["zzz"]
    assert (entry.analyses[0][0].lemma, entry.from_word_list) == ("zzo", True)


def test_the_word_list_is_believed_against_rules(guesser, counts, word_list):
    word_list({"agricolam": "agricolas"})
    (first, chance), *others = background(guesser, counts, ["agricolam"])["agricolam"].analyses
    assert (first.lemma, chance) == ("agricolas", pytest.approx(0.8))
    assert all(other < chance for _, other in others)


@pytest.mark.parametrize("listed", ["agricolior", "agricolissimus"])
def test_the_word_list_is_not_believed_about_comparatives(guesser, listed):
    assert not guesses._is_trusted(listed, Analysis("agricola", NOUN), guesser)
    assert guesses._is_trusted("agricolas", Analysis("agricola", NOUN), guesser)


def test_the_word_list_is_not_believed_about_participles_of_known_verbs(guesser):
    assert not guesses._is_trusted("amatus", Analysis("amo", "VERB"), guesser)
    assert guesses._is_trusted("amatus", Analysis("clamo", "VERB"), guesser)
    assert guesses._is_trusted("amicus", Analysis("amo", "VERB"), guesser)


def test_the_last_resort_is_for_forms_that_occur_nowhere_and_rules_get_wrong(guesser, word_list):
    word_list(
        {
            "xerxen": "xerxes",  # no rule fits
            "agricolam": "agricola",  # a rule is right
            "rosam": "rosarium",  # a treebank has it
            "λόγος": "λέγω",
        }
    )
    assert last_resort(guesser, read_word_list(), progress=silent) == {"xerxen": "xerxes"}


def test_progress_is_reported_to_the_end(guesser, counts):
    reports = []
    list(
        guess_background(
            guesser,
            counts,
            ["agricolam"],
            read_word_list(),
            seed=0,
            progress=lambda *report: reports.append(report),
        )
    )
    assert reports[0] == ("guessing", 0, 1)
    assert reports[-1] == ("guessing", 1, 1)
