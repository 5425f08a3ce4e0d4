"""Words, phrases, lemmas and wildcards, found in texts."""

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from locisimiles.latin.word_search import SearchableTexts, WordQuery, _apart, _wildcards

TEXTS = [
    "Arma virumque cano, Troiae qui primus ab oris",
    "uirum bonum arma ferre",
    "JUVENIS tulit arma; virum canit",
    "Āstra [ca]nunt et adferunt",
    "",
]
SEARCHED = SearchableTexts(TEXTS)


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("arma", [0, 1, 2]),
        ("ARMA uirum", [0, 1, 2]),  # in any order
        ('"arma virumque"', [0]),
        ("“arma virum”", [0, 2]),  # an enclitic is a word of its own
        ('"virum arma"', []),
        ("virumque", [0]),
        ("virum", [0, 1, 2]),
        ("iuuenis", [2]),
        ("lemma:fero", [1, 2]),
        ("lemma:adfero", [3]),
        ("lemma:cano arma", [0, 2]),
        ('"arma lemma:fero"', [1]),
        ("can*", [0, 2, 3]),
        ("ca?o", [0]),
        ("*s", [0, 2]),
        ("?", []),
        ("astra", [3]),
        ("canunt affer*", []),  # wildcards take letters as they are
        ("canunt affer?nt", []),
        ("canunt adfer?nt", [3]),
        ("afferunt", [3]),
        ("arm", []),
        ("arma quercus", []),
        ("", []),
        ("... -", []),
    ],
)
def test_queries_find_texts(query, found):
    assert SEARCHED.find(WordQuery.parse(query)).tolist() == found


def test_hits_are_where_the_words_are():
    text = "Arma virumque cano; cano"
    assert [text[a:b] for a, b in WordQuery.parse('"arma virumque" can*').spans(text)] == [
        "Arma virumque", "cano", "cano",
    ]  # fmt: skip
    assert WordQuery.parse("arma bellum").spans(text) == []


def test_hits_that_overlap_are_one():
    text = "cano arma; arma virum bonum cano; virum bonum"
    found = WordQuery.parse('"arma virum" "virum bonum" "bonum cano" cano').spans(text)
    assert [text[a:b] for a, b in found] == ["cano", "arma virum bonum cano", "virum bonum"]
    inner = WordQuery.parse('"arma virum bonum" virum').spans("bonum; arma virum bonum; virum")
    assert inner == [(7, 23), (25, 30)]


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(1, 5)), max_size=8))
def test_spans_are_joined_where_they_share_a_letter(found):
    spans = sorted((begin, begin + size) for begin, size in found)
    joined = _apart(spans)
    letters = {letter for begin, end in spans for letter in range(begin, end)}
    assert letters == {letter for begin, end in joined for letter in range(begin, end)}
    assert all(one[1] <= other[0] for one, other in pairwise(joined))
    assert {begin for begin, _ in joined} <= {begin for begin, _ in spans}
    # Those that only touch stay two.
    assert len(joined) == sum(
        all(begin >= end for _, end in spans[:place]) for place, (begin, _) in enumerate(spans)
    )


@pytest.mark.parametrize(
    ("lemma", "forms"),
    [
        ("uir", [("uirum", 3)]),
        ("vir", []),  # lemmas are spelt as the lexicon spells them
        ("arma", [("arma", 3)]),
        ("fero", [("ferre", 1), ("tulit", 1)]),
        ("nusquam", []),
    ],
)
def test_forms_of_a_lemma_are_counted(lemma, forms):
    assert list(SEARCHED.forms(lemma).items()) == forms


def test_a_phrase_does_not_go_on_in_the_next_text():
    texts = SearchableTexts(["arma", "uirum", "arma uirum", "", "arma"])
    assert texts.find(WordQuery.parse('"arma uirum"')).tolist() == [2]
    assert texts.find(WordQuery.parse('"arma uirum arma"')).tolist() == []
    assert SearchableTexts([]).find(WordQuery.parse("arma")).tolist() == []
    assert SearchableTexts(["arma"]).find(WordQuery.parse('"arma arma"')).tolist() == []
    assert SearchableTexts(["arma"]).all_spans(WordQuery.parse("arma")) == [[(0, 4)]]


@pytest.mark.parametrize(
    ("text", "phrases"),
    [
        ("Arma", [[("form", "arma")]]),
        ("LEMMA:Vir", [[("lemma", "uir")]]),
        ("lemma:v*", [[("wildcard", "u*")]]),
        ("arma-uirum", [[("form", "arma"), ("form", "uirum")]]),
        ("virumque", [[("form", "uirum"), ("form", "que")]]),
        ("«arma *» cano", [[("form", "arma"), ("wildcard", "*")], [("form", "cano")]]),
        ("lemma: arma", [[("form", "arma")]]),
        ("_ - arma", [[("form", "arma")]]),
        ("_-arma", [[("form", "arma")]]),
        ('"arma" "uirum cano', [[("form", "arma")], [("form", "uirum"), ("form", "cano")]]),
        ('""', []),
    ],
)
def test_queries_are_read_as_they_are_written(text, phrases):
    assert WordQuery.parse(text).phrases == tuple(map(tuple, phrases))


@pytest.mark.parametrize(
    ("unfinished", "closed"),
    [('"', '""'), ('"arma uirum', '"arma uirum"'), ('arma "uirum" "cano', 'arma "uirum" "cano"')],
)
def test_a_quotation_that_is_not_closed_goes_to_the_end(unfinished, closed):
    assert WordQuery.parse(unfinished) == WordQuery.parse(closed)


def test_many_stars_are_not_tried_in_all_ways():
    pattern = _wildcards("a*" * 60 + "b")
    assert pattern.fullmatch("a" * 20_000) is None


@given(st.text("ab*?", max_size=8), st.text("ab", max_size=8))
def test_wildcards_mean_what_they_say(pattern, word):
    plain = "".join({"*": "(?:.*)", "?": "."}.get(c, c) for c in pattern)
    assert bool(_wildcards(pattern).fullmatch(word)) == bool(re.fullmatch(plain, word))


@given(st.lists(st.text(max_size=30), max_size=4), st.text(max_size=20))
def test_a_text_is_found_exactly_if_it_has_hits(texts, words):
    query = WordQuery.parse(words)
    searched = SearchableTexts(texts)
    found = searched.find(query).tolist()
    assert found == [n for n, spans in enumerate(searched.all_spans(query)) if spans]
    for number in found:
        spans = searched.all_spans(query)[number]
        assert all(0 <= a < b <= len(texts[number]) for a, b in spans)
        assert all(one[1] <= other[0] for one, other in pairwise(spans))
