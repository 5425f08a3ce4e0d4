"""What surroundings look like to the choice between analyses."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from locisimiles.latin.context import BOUNDARY, analysis_seeds, context_features, feature_slot

FORMS = ["arma", "uirum", "que", "cano"]
LIKELY = ["NOUN", "NOUN", "CCONJ", "VERB"]


def features(at, forms=FORMS, likely=LIKELY, before=BOUNDARY, before_that=BOUNDARY):
    return {f.decode() for f in context_features(forms, likely, at, before, before_that)}


def test_neighbours_are_features_up_to_two_words_away():
    seen = features(1, before=("arma", "NOUN"))
    assert {"aarma", "bque", "c<s>", "dcano"} <= seen
    assert {"eNOUN", "farma", "gNOUN <s>"} <= seen
    assert {"hCCONJ", "iCCONJ VERB", "jNOUN CCONJ"} <= seen
    assert {"krma", "lque", "mma ue", "n<s>", "oano"} <= seen


def test_the_ends_of_a_sentence_are_features():
    assert {"a<s>", "c<s>", "e<s>", "f<s>"} <= features(0)
    assert {"b</s>", "d</s>", "h</s>"} <= features(3)
    assert {"bcano", "d</s>", "iVERB </s>"} <= features(2)


def test_a_word_alone_has_nothing_but_ends():
    assert features(0, ["arma"], ["NOUN"]) >= {"a<s>", "b</s>", "c<s>", "d</s>", "g<s> <s>"}


@pytest.mark.parametrize("change", ["forms", "likely", "before", "before_that"])
def test_everything_around_a_word_counts(change):
    changed = {
        "forms": ["arma", "uirum", "que", "canis"],
        "likely": ["NOUN", "NOUN", "CCONJ", "NOUN"],
        "before": ("armo", "VERB"),
        "before_that": ("et", "CCONJ"),
    }
    assert features(1, **{change: changed[change]}) != features(1)


def test_the_word_itself_does_not_count():
    assert features(1, ["arma", "canis", "que", "cano"]) == features(1)


@settings(deadline=None)
@given(st.lists(st.text(), min_size=1, max_size=6), st.data())
def test_there_are_always_as_many_features(forms, data):
    at = data.draw(st.integers(0, len(forms) - 1))
    found = context_features(forms, ["NOUN"] * len(forms), at, BOUNDARY, BOUNDARY)
    assert len(found) == len(set(found)) == 15


def test_places_are_the_same_on_every_machine():
    # The check value of CRC-32 (ISO 3309).
    assert feature_slot(0, b"123456789", 1 << 32) == 0xCBF43926
    assert analysis_seeds(("123456789", "NOUN"))[0] == 0xCBF43926


@settings(deadline=None)
@given(st.integers(0, 2**32 - 1), st.binary(), st.integers(0, 24))
def test_a_place_is_inside_the_table(seed, feature, bits):
    assert 0 <= feature_slot(seed, feature, 1 << bits) < 1 << bits


def test_lemmas_and_parts_of_speech_are_told_apart():
    assert len({*analysis_seeds(("canis", "NOUN")), *analysis_seeds(("cano", "VERB"))}) == 4
    assert analysis_seeds(("canis", "NOUN"))[1] == analysis_seeds(("silua", "NOUN"))[1]
    assert analysis_seeds(("canis", "NOUN"))[0] == analysis_seeds(("canis", "ADJ"))[0]
    assert len(set(analysis_seeds(("NOUN", "NOUN")))) == 2


def test_in_a_long_sentence_neighbours_are_those_beside_a_word():
    forms, likely = "una duae tres quattuor quinque sex".split(), [*"ABCDEF"]
    seen = features(2, forms, likely)
    assert {"aduae", "bquattuor", "cuna", "dquinque", "hD", "iD E"} <= seen
    assert {"kuae", "luor", "mae or", "nuna", "oque"} <= seen


def test_endings_of_neighbours_have_three_letters_or_two():
    seen = features(2, "prima secunda tertia quarta quinta".split(), [*"ABCDE"])
    assert {"knda", "lrta", "mda ta", "nima", "onta"} <= seen
