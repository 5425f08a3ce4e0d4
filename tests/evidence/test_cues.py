"""Cues of quotation."""

import re

import pytest

from locisimiles.evidence import Cue
from locisimiles.evidence.cues import NEAR, find_cues


def found(text, quoted="uox haesit"):
    start = text.index(quoted)
    words = [(start + m.start(), start + m.end()) for m in re.finditer(r"\w+", quoted)]
    return [
        (cue.kind, cue.text, cue.author)
        for cue in find_cues(text, (start, start + len(quoted)), words)
    ]


@pytest.mark.parametrize(
    "phrase",
    ["ut ait", "Scriptum est", "ut scriptum est", "inquit", "poeta", "iuxta illud", "in proverbio"],
)
def test_attributions_are_found_as_they_are_written(phrase):
    assert found(f"{phrase}: uox haesit") == [("attribution", phrase, "")]
    assert found(f"uox haesit, {phrase}") == [("attribution", phrase, "")]


@pytest.mark.parametrize(
    ("name", "author"),
    [
        ("Tullius", "Cicero"),
        ("Tulli", "Cicero"),
        ("Ciceronis", "Cicero"),
        ("Vergilii", "Virgil"),
        ("Virgilio", "Virgil"),
        ("Maronem", "Virgil"),
        ("Flacci", "Horace"),
        ("Ouidium", "Ovid"),
        ("Iuvenalem", "Juvenal"),
        ("Senecae", "Seneca"),
        ("Virgilianum", "Virgil"),
        ("Uergiliano", "Virgil"),
        ("Tullianae", "Cicero"),
    ],
)
def test_authors_are_known_in_every_case(name, author):
    assert found(f"apud {name} uox haesit") == [("author", name, author)]


def test_names_need_a_capital_letter():
    assert found("Et flaccus uox haesit") == []
    assert found("Et tullius uox haesit") == []
    assert found("Flaccus uox haesit") == [("author", "Flaccus", "Horace")]


def test_without_capitals_only_unambiguous_names_count():
    assert found("flaccus naso uox haesit") == []
    assert found("ut tullius uox haesit") == [("author", "tullius", "Cicero")]


def test_a_demonstrative_alone_is_not_an_attribution():
    assert found("illud uox haesit") == []


def test_near_means_within_twelve_words():
    assert NEAR == 12  # as the documentation says


def test_cues_must_be_near():
    near, far = "et " * (NEAR - 1), "et " * NEAR
    assert found(f"inquit {near}uox haesit") == [("attribution", "inquit", "")]
    assert found(f"inquit {far}uox haesit") == []
    assert found(f"uox haesit {near}inquit") == [("attribution", "inquit", "")]
    assert found(f"uox haesit {far}inquit") == []


@pytest.mark.parametrize("marks", ["«»", "“”", '""', "‘’", "‹›", "„“", "''"])
def test_quotation_marks_around_the_words(marks):
    text = f"dixit {marks[0]}uox haesit{marks[1]} et"
    assert found(text) == [("quotation", "uox haesit", "")]
    assert found(f"dixit {marks[0]}aliud{marks[1]} et uox haesit") == []


def test_aligned_words_are_not_cues():
    text = "poeta haesit"
    assert [cue.text for cue in find_cues(text, (0, 12), [(6, 12)])] == ["poeta"]
    assert find_cues(text, (0, 12), [(0, 5), (6, 12)]) == ()


def test_without_aligned_words_the_whole_text_is_searched():
    text = "inquit " + "et " * 30 + "Tullius"
    assert find_cues(text, None, ()) == (
        Cue("attribution", "inquit", (0, 6)),
        Cue("author", "Tullius", (97, 104), "Cicero"),
    )


def test_an_empty_text_has_no_cues():
    assert find_cues("", None, ()) == ()
