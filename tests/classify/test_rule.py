"""Verbatim reference or allusion: the definition, case by case."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from locisimiles import ParameterError
from locisimiles.classify import Label, reference_type, reference_types

CIT, CF = Label.CIT, Label.CF


@pytest.mark.parametrize(
    ("query", "source", "expected"),
    [
        ("uox faucibus", "uox faucibus", CIT),
        ("uocem faucium", "faucibus uox", CIT),  # other forms, other order
        ("VOX FAVCIBVS", "uox faucibus", CIT),  # other spelling
        ("uox", "uox", CF),  # one word is not two
        ("uox faucibus", "arma cano", CF),
        ("", "", CF),
    ],
)
def test_at_least_two_lemmas_match(query, source, expected):
    assert reference_type(query, source) == expected


@pytest.mark.parametrize(
    ("between", "expected"),
    [
        ("", CIT),
        ("arma", CIT),
        ("arma cano", CIT),
        ("arma cano regem", CF),
        ("arma cano regem amor", CF),
    ],
)
def test_at_most_two_words_stand_between_them_on_either_side(between, expected):
    apart = f"uox {between} faucibus"
    assert reference_type(apart, "uox faucibus") == expected
    assert reference_type("uox faucibus", apart) == expected
    other = " ".join(["lex", "pax", "miles", "urbs"][: len(between.split())])
    assert reference_type(apart, f"faucibus {other} uox") == expected


@pytest.mark.parametrize("between", ["et in non sed qui", "et in arma non cano sed", "XII 12 et"])
def test_function_words_and_figures_do_not_count_as_words_between(between):
    kept = between.replace("XII ", "")
    assert reference_type(f"uox {kept} faucibus", "uox faucibus") == CIT


def test_function_words_do_not_match():
    assert reference_type("et in uox", "et in faucibus uox") == CF


@pytest.mark.parametrize("stop", list(".;:!?"))
def test_a_hard_stop_separates_words(stop):
    assert reference_type(f"uox{stop} faucibus", "uox faucibus") == CF
    assert reference_type("uox faucibus", f"uox {stop} faucibus") == CF


@pytest.mark.parametrize("sign", [",", " –", ' "', "(", " /", "\n"])
def test_other_punctuation_does_not_separate_words(sign):
    assert reference_type(f"uox{sign} faucibus", f"uox{sign} faucibus") == CIT


def test_a_stop_before_or_after_both_words_does_not_separate_them():
    assert reference_type("Arma. uox faucibus. Cano", "amor! uox faucibus; ora?") == CIT


def test_the_period_of_an_abbreviation_does_not_separate_words():
    assert reference_type("uox Cn. Pompei faucibus", "uox faucibus") == CIT


def test_a_repeated_word_counts_once():
    assert reference_type("uox uocem", "uocis uoce") == CF
    assert reference_type("uox uocem", "uox") == CF
    assert reference_type("uox", "uox uocem") == CF


def test_one_word_does_not_match_two_words_of_the_other_text():
    # 'regi' may be rex or rego: it answers both, but it is one word.
    assert reference_type("regi", "rex rexit") == CF


def test_the_second_lemma_of_a_word_matches_too():
    assert reference_type("regi faucibus", "rexit fauces") == CIT
    assert reference_type("rexit fauces", "regi faucibus") == CIT


def test_any_two_close_words_suffice():
    assert reference_type("uox arma cano regem faucibus haesit", "faucibus haesit amor uox") == CIT


@settings(max_examples=60)
@given(st.data())
def test_the_rule_agrees_with_a_naive_implementation(latin_texts, slow_pair, data):
    pairs = data.draw(st.lists(st.tuples(latin_texts, latin_texts), max_size=4))
    expected = [
        CIT
        if any(
            abs(in_query) <= 3 and abs(in_source) <= 3 and a.clause == c.clause
            and b.clause == d.clause
            for ((a, b), (c, d)), in_query, in_source in slow_pair(*pair).pairs_of_matches
        )
        else CF
        for pair in pairs
    ]  # fmt: skip
    found = reference_types([query for query, _ in pairs], [source for _, source in pairs])
    assert (found.dtype, found.tolist()) == (np.uint8, expected)


def test_pairs_are_judged_independently():
    queries = ["uox faucibus", "arma", "uox faucibus", "", "uox faucibus"]
    sources = ["uox. faucibus", "arma", "faucibus uocis", "arma", "uox"]
    assert reference_types(queries, sources).tolist() == [CF, CF, CIT, CF, CF]


def test_there_must_be_as_many_sources_as_queries():
    with pytest.raises(
        ParameterError, match=r"^query and source must have equal length \(2 and 1\)$"
    ):
        reference_types(["a", "b"], ["c"])


def test_no_pairs():
    assert reference_types([], []).tolist() == []


def test_long_texts_are_judged_in_little_memory():
    text = "uox arma faucibus haesit cano " * 4_000
    assert reference_type(text, text) == CIT
