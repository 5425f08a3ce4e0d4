"""Words, phrases, lemmas and wildcards, found in texts."""

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from locisimiles.latin.word_search import SearchableTexts, WordQuery, _wildcards

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
