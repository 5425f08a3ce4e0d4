"""Words and where they stand."""

import re
import unicodedata

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from locisimiles.latin import Token, fold_word, lemmatize, tokenize, tokenize_all
from locisimiles.latin import tokens as tokens_module
from locisimiles.latin.tokens import KINDS, Tokenizer

SIGNS = "[](){}<>⟨⟩〈〉‹›†|"
ANYTHING = (
    st.text(alphabet=st.characters())  # half characters too
    | st.text(alphabet="aeuvAEā\u0304\u0301 .,;/-_3²½\n\t<>[]†|XVI\x00😀שּׁλ")
    | st.lists(st.sampled_from("uirum que mecum [ ] <que> M. āst 12 XII . \ud800".split())).map(
        "".join
    )
)
TEXTS = st.lists(ANYTHING, max_size=5)


def texts_of(tokens):
    return [token.text for token in tokens]


def is_part_of_a_token(character):
    return character.isalpha() or unicodedata.combining(character) > 0 or character in SIGNS


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", []),
        (" \n\t ", []),
        ("... — / ?!", []),
        ("Arma uirumque cano", ["Arma", "uirum", "que", "cano"]),
        ("Arma, virumque; cano.", ["Arma", "virum", "que", "cano"]),
        ("primus ab oris / Italiam", ["primus", "ab", "oris", "Italiam"]),
        ("arma/uirum", ["arma", "uirum"]),
        ("'te ipsum intellege'! —", ["te", "ipsum", "intellege"]),
        ("res publica-que", ["res", "publica", "que"]),
        ("arma_uirum 12a", ["arma", "uirum", "12", "a"]),
        ("3, 14", ["3", "14"]),
        ("uo\u0304x Cæsar aër", ["uo\u0304x", "Cæsar", "aër"]),
        ("\u0304 uox", ["uox"]),
        ("γνῶθι σεαυτόν, dixit", ["γνῶθι", "σεαυτόν", "dixit"]),
        ("arma\u200buirum\x00cano", ["arma", "uirum", "cano"]),
        ("<arma> uir[um] [cano]", ["arma", "uir[um", "cano"]),
        ("†arma† |uirum|", ["arma", "uirum"]),
        ("[]<> uox", ["uox"]),
        ("mecum nobiscum", ["me", "cum", "nobis", "cum"]),
        ("factumst factust", ["factum", "st", "factus", "t"]),
        ("inque deque", ["in", "que", "de", "que"]),
        ("uirúmque ARMAQVE", ["uirúm", "que", "ARMA", "QVE"]),
        ("Æneamque", ["Æneam", "que"]),
        ("uiru\u0304mque\u0301", ["uiru\u0304m", "que\u0301"]),
        ("arma\ud800uox", ["arma", "uox"]),
    ],
)
def test_a_text_is_cut_into_words_and_enclitics(text, words):
    assert texts_of(tokenize(text)) == words


def test_a_token_has_a_span_and_a_kind():
    assert tokenize("et, tuque M. 12") == [
        Token("et", 0, 2, "word"),
        Token("tu", 4, 6, "word"),
        Token("que", 6, 9, "enclitic"),
        Token("M.", 10, 12, "abbreviation"),
        Token("12", 13, 15, "numeral"),
    ]


@settings(deadline=None)
@given(ANYTHING)
def test_a_token_is_the_text_of_its_span(text):
    tokens = tokenize(text)
    assert [text[token.start : token.end] for token in tokens] == texts_of(tokens)


@settings(deadline=None)
@given(st.text(alphabet="M.'’ aPC"))
@example("'uidi M.'.")
def test_a_token_is_the_text_of_its_span_between_stops_and_apostrophes(text):
    tokens = tokenize(text)
    assert [text[token.start : token.end] for token in tokens] == texts_of(tokens)


@settings(deadline=None)
@given(ANYTHING)
def test_tokens_come_one_after_the_other(text):
    tokens = tokenize(text)
    places = [place for token in tokens for place in (token.start, token.end)]
    assert places == sorted(places)
    assert all(0 <= token.start < token.end <= len(text) for token in tokens)
    assert all(token.kind in KINDS for token in tokens)


@settings(deadline=None)
@given(ANYTHING)
def test_a_word_contains_only_letters_marks_and_signs_between_them(text):
    for token in tokenize(text):
        if token.kind == "word":
            assert all(map(is_part_of_a_token, token.text))
            assert any(map(str.isalpha, token.text))
            assert token.text[0].isalpha()


@pytest.mark.parametrize("text", ["uirum[que]", "uirum<que>", "<uirum>que", "[uirum]que"])
def test_a_bracket_before_an_enclitic_is_not_part_of_the_word(text):
    tokens = tokenize(text)
    assert [fold_word(token.text) for token in tokens] == ["uirum", "que"]
    assert lemmatize(texts_of(tokens)) == ["uir", "que"]


@settings(deadline=None)
@given(ANYTHING)
def test_no_letter_is_lost(text):
    inside = {place for token in tokenize(text) for place in range(token.start, token.end)}
    wanted = (place for place, c in enumerate(text) if c.isalpha() or c in "0123456789")
    assert all(place in inside for place in wanted)


@pytest.mark.parametrize("text", ["uirum²", "uirum ½", "uirum Ⅷ", "uirum ①", "uirum ٣"])
def test_other_kinds_of_numbers_are_not_part_of_a_word(text):
    assert texts_of(tokenize(text)) == ["uirum"]


def naive_tokens(text):
    """The same by a regular expression over the kinds of characters."""
    classes = "".join(
        "D"
        if c in "0123456789"
        else "L"
        if c.isalpha()
        else "M"
        if unicodedata.combining(c)
        else "S"
        if c in SIGNS
        else " "
        for c in text
    )
    found = re.finditer("L(?:[LMS]*[LM])?|D+", classes)
    return [(text[m.start() : m.end()], m.start(), m.end()) for m in found]


@settings(deadline=None)
@given(ANYTHING)
def test_without_a_lexicon_words_are_whole(text):
    assert [token[:3] for token in Tokenizer().tokenize(text)] == naive_tokens(text)


def test_without_a_lexicon_there_are_no_enclitics_and_no_abbreviations():
    tokens = Tokenizer().tokenize("M. uirumque nobiscum 12 XII")
    assert texts_of(tokens) == ["M", "uirumque", "nobiscum", "12", "XII"]
    assert {token.kind for token in tokens} == {"word", "numeral"}


def test_the_lexicon_decides_what_is_split():
    text = "terraue omne"
    split = Tokenizer({"terra"}.__contains__).tokenize(text)
    whole = Tokenizer({"terra", "terraue"}.__contains__).tokenize(text)
    assert (texts_of(split), texts_of(whole)) == (["terra", "ue", "omne"], ["terraue", "omne"])


@pytest.mark.parametrize(
    "text", ["12", "0", "1848", "XII", "MCMXCIX", "IIII", "VIIII", "XL", "II", "V", "X", "CCCC"]
)
def test_numerals_are_known(text):
    assert [(token.text, token.kind) for token in tokenize(text)] == [(text, "numeral")]


@pytest.mark.parametrize(
    "text", ["DI", "MI", "I", "A", "VIX", "CIVI", "DIVI", "ILLI", "xii", "Mi", "dic", "IC", "VV"]
)
def test_words_are_not_taken_for_numerals(text):
    assert [(token.text, token.kind) for token in tokenize(text)] == [(text, "word")]


def test_many_texts_are_columns():
    table = tokenize_all(["arma uirumque", "", "uirumque M."])
    assert [table.vocabulary[word] for word in table.word] == [
        *["arma", "uirum", "que"],
        *["uirum", "que", "M."],
    ]
    assert table.bounds.tolist() == [0, 3, 3, 6]
    assert table.start.tolist() == [0, 5, 10, 0, 5, 9]
    assert table.end.tolist() == [4, 10, 13, 5, 8, 11]
    assert [KINDS[kind] for kind in table.kinds[table.word]] == [
        *["word", "word", "enclitic"],
        *["word", "enclitic", "abbreviation"],
    ]
    assert len(table) == 6


@settings(deadline=None)
@given(TEXTS)
def test_many_texts_are_cut_like_each_of_them(texts):
    table = tokenize_all(texts)
    assert len(table.bounds) == len(texts) + 1
    assert [table.tokens(i) for i in range(len(texts))] == [tokenize(text) for text in texts]


@settings(deadline=None)
@given(TEXTS)
def test_texts_can_be_cut_in_batches_of_any_size(texts):
    expected = [Tokenizer().tokenize(text) for text in texts]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tokens_module, "_BATCH", 4)
        table = Tokenizer().tokenize_all(texts)
    assert [table.tokens(i) for i in range(len(texts))] == expected


def test_no_texts_have_no_tokens():
    table = tokenize_all([])
    assert (len(table), table.bounds.tolist()) == (0, [0])


def test_a_table_stays_valid_when_its_tokenizer_is_used_again():
    tokenizer = Tokenizer()
    table = tokenizer.tokenize_all(["arma uirum"])
    tokenizer.tokenize_all(["cano Troiae", "qui primus"])
    assert texts_of(table.tokens(0)) == ["arma", "uirum"]


def test_a_stop_in_the_next_text_makes_no_abbreviation():
    table = tokenize_all(["M", ". uox", "M", "'."])
    assert [texts_of(table.tokens(i)) for i in range(4)] == [["M"], ["uox"], ["M"], []]


WORDS = ["uirumque", "hominesne", "terraue", "nobiscum", "factumst", "iuuenisque", "aequorque"]


@pytest.mark.parametrize("word", WORDS)
def test_spelling_makes_no_difference_to_what_is_split(word):
    spellings = [
        word,
        word.upper(),
        word.title(),
        word.replace("u", "v"),
        word.replace("i", "j"),
        word.replace("u", "v").upper(),
        word.replace("e", "ē").replace("o", "ŏ"),
        "".join(f"{c}\u0304" if c in "aeiou" else c for c in word),
        word.replace("ae", "æ"),
    ]
    cut = {tuple(fold_word(token.text) for token in tokenize(spelled)) for spelled in spellings}
    assert len(cut) == 1
    assert len(cut.pop()) == 2


def test_the_last_character_of_unicode_is_no_letter():
    assert texts_of(tokenize("arma\U0010ffffuirum")) == ["arma", "uirum"]
