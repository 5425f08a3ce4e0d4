"""The words that two segments have in common."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from locisimiles.evidence import SharedWords, shared_words
from locisimiles.latin import STOPWORDS

PHRASES = st.lists(
    st.sampled_from("Haesit uox, vōx et arma ARMA amor non timeo. / 3".split(" ")), max_size=8
).map(" ".join)


def words(text, spans):
    return [text[start:end] for start, end in spans]


def test_shared_words_and_their_places():
    assert shared_words("Haesit uox, et", "comae et vox haesit") == SharedWords(
        lemmas=("haereo", "uox"), in_query=((0, 6), (7, 10)), in_source=((9, 12), (13, 19))
    )


def test_places_count_characters_however_words_are_accented():
    query, source = "— vo\u0304x —", "æquora: uōx!"
    shared = shared_words(query, source)
    assert words(query, shared.in_query) == ["vo\u0304x"]
    assert words(source, shared.in_source) == ["uōx"]


def test_a_word_that_is_repeated_is_one_lemma_in_several_places():
    shared = shared_words("arma, arma", "ARMA / arma armis")
    assert shared == SharedWords(("arma",), ((0, 4), (6, 10)), ((0, 4), (7, 11), (12, 17)))


def test_lemmas_come_in_the_order_of_the_query():
    assert shared_words("uox arma", "arma vox").lemmas == ("uox", "arma")


@pytest.mark.parametrize("word", ["et", "ET", "vel", "Jam", "quī", "vero", "fuit", "huius"])
def test_function_words_are_left_out(word):
    assert shared_words(f"arma {word}", f"{word} arma") == SharedWords(
        ("arma",), ((0, 4),), ((len(word) + 1, len(word) + 5),)
    )


@pytest.mark.parametrize(
    ("query", "source"), [("", ""), ("arma", ""), ("arma", "uox"), ("et", "et"), ("3 /", "3 /")]
)
def test_texts_with_nothing_in_common_share_nothing(query, source):
    assert shared_words(query, source) == SharedWords((), (), ())


@settings(deadline=None)
@given(PHRASES, PHRASES)
def test_query_and_source_can_be_exchanged(query, source):
    there, back = shared_words(query, source), shared_words(source, query)
    assert (there.in_query, there.in_source) == (back.in_source, back.in_query)
    assert set(there.lemmas) == set(back.lemmas)


@settings(deadline=None)
@given(PHRASES)
def test_a_text_shares_all_its_words_but_function_words_with_itself(text):
    shared = shared_words(text, text)
    expected = [w.strip(",.") for w in text.split() if w.strip(",.").isalpha()]
    assert words(text, shared.in_query) == [w for w in expected if w not in ("et", "non")]
    assert STOPWORDS.isdisjoint(shared.lemmas)
