"""Imitations are found by what they share, and some of that is hidden."""

import random
from dataclasses import replace

import numpy as np
import pytest

from locisimiles.corpus import Document, Segment
from locisimiles.errors import ParameterError
from locisimiles.train.late.alterations import WordChoices
from locisimiles.train.late.imitations import (
    ImitationSettings,
    find_imitations,
    hide_words,
    without_copies,
)

SOURCES = [
    "arma uirum que cano troiae qui primus ab oris".split(),
    "nox erat et placidum carpebant fessa soporem".split(),
    "gallia est omnis diuisa in partes tres".split(),
    *[["canis", "latrat", str(number)] for number in range(60)],
]
FORMS = sorted({word for words in SOURCES for word in words})
LEMMA = {form: form for form in FORMS}
SETTINGS = ImitationSettings(least=6.0)


def found(*sentences, **changes):
    document = Document.from_segments(
        Segment(str(number), " ".join(words)) for number, words in enumerate(SOURCES)
    )
    choices = WordChoices.from_words(FORMS, LEMMA, {})
    return find_imitations(
        [sentence.split() for sentence in sentences],
        document,
        SOURCES,
        choices,
        frozenset({"et", "est", "que"}),
        settings=replace(SETTINGS, **changes),
    )


def test_two_rare_words_near_each_other_are_an_imitation():
    pairs = found("tum placidum misero soporem", "omnis et est", "nihil horum")
    assert pairs.answer.tolist() == [1]
    assert pairs.negatives.shape == (1, 24)
    assert 1 not in pairs.negatives


def test_what_is_far_apart_is_none():
    far = "placidum " + "aliud " * 9 + "soporem"
    assert len(found(far).queries) == 0
    assert len(found(far, span=20).queries) == 1


def test_some_of_what_is_shared_is_hidden():
    for seed in range(20):
        settings = replace(SETTINGS, all_hidden=0.0, replaced=0.0)
        choices = WordChoices.from_words(FORMS, LEMMA, {})
        words = "tum placidum misero soporem".split()
        left = hide_words(words, [1, 3], choices, settings, random.Random(seed))
        assert ("placidum" in left) + ("soporem" in left) == 1
        assert "misero" in left


def test_all_of_it_may_be_hidden():
    settings = replace(SETTINGS, all_hidden=1.0, replaced=0.0)
    choices = WordChoices.from_words(FORMS, LEMMA, {})
    assert hide_words(["a", "b"], [0, 1], choices, settings, random.Random(0)) == []


def test_copies_are_left_out():
    text = "arma uirum que cano troiae qui primus".split()
    assert without_copies([["o", *text], text[:5]], [text]) == [text[:5]]


def test_no_sentence_is_no_pair():
    pairs = found()
    assert (len(pairs.queries), pairs.negatives.shape) == (0, (0, 24))
    assert pairs.answer.dtype == np.int32


def test_settings_are_checked():
    with pytest.raises(ParameterError, match="span"):
        ImitationSettings(span=0)
