"""Guessing the analyses of a corpus, with a word list and late spellings."""

import pytest

from locisimiles.latin.guesser import Analysis
from locisimiles.progress import silent
from locisimiles.train.lemmatizer import background as module
from locisimiles.train.lemmatizer.analyses import count_analyses, prepare
from locisimiles.train.lemmatizer.background import (
    guess_background,
    last_resort,
    read_word_list,
)
from locisimiles.train.lemmatizer.guesser import fit_guesser

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


def test_a_word_takes_precedence_over_a_name(word_list):
    word_list({"Rosa": "Rosa", "rosa": "rodo", "Rosā": "Rosae"})
    assert read_word_list()["rosa"] == "rodo"


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
    assert rosa in dict(
        module._WordListGuesser(guesser, counts, read_word_list()).candidates("rosham")
    )


@pytest.mark.parametrize(("written", "meant"), [("puelle", "puellae"), ("cena", "caena")])
def test_variants_differ_by_one_change(written, meant):
    assert meant in set(module._variants(written))


def test_the_word_list_covers_forms_without_rules(guesser, counts, word_list):
    word_list({"zzz": "zzo"})
    entry = background(guesser, counts, ["zzz"])["zzz"]
    assert (entry.analyses[0][0].lemma, entry.from_word_list) == ("zzo", True)


def test_the_word_list_overrides_rules(guesser, counts, word_list):
    word_list({"agricolam": "agricolas"})
    (first, chance), *others = background(guesser, counts, ["agricolam"])["agricolam"].analyses
    assert (first.lemma, chance) == ("agricolas", pytest.approx(0.8))
    assert all(other < chance for _, other in others)


@pytest.mark.parametrize("listed", ["agricolior", "agricolissimus"])
def test_the_word_list_is_not_trusted_about_comparatives(guesser, listed):
    assert not module._is_trusted(listed, Analysis("agricola", NOUN), guesser)
    assert module._is_trusted("agricolas", Analysis("agricola", NOUN), guesser)


def test_the_word_list_is_not_trusted_about_participles_of_known_verbs(guesser):
    assert not module._is_trusted("amatus", Analysis("amo", "VERB"), guesser)
    assert module._is_trusted("amatus", Analysis("clamo", "VERB"), guesser)
    assert module._is_trusted("amicus", Analysis("amo", "VERB"), guesser)


def test_the_last_resort_covers_unattested_forms_that_rules_get_wrong(guesser, word_list):
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
