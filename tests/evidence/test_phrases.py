"""What an explanation says, before it is said in a language."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from locisimiles.evidence import explanation
from locisimiles.evidence.phrases import ENGLISH, Phrase, phrases_as_json, phrases_from_json, say

WORDS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)


def shares(*lemmas):
    facts = [Phrase("words", {"count": len(lemmas)}), Phrase("order_same")]
    return Phrase("shares", {"lemmas": list(lemmas), "facts": facts})


@pytest.mark.parametrize(
    ("lemmas", "told"),
    [
        ("a", "Shares a (1 word, in the same order)."),
        ("abcdef", "Shares a, b, c, d, e, f (6 words, in the same order)."),
        ("abcdefgh", "Shares a, b, c, d, e, f and 2 more (8 words, in the same order)."),
    ],
)
def test_long_lists_are_cut_and_one_is_not_many(lemmas, told):
    assert say([shares(*lemmas)]) == told


def test_numbers_are_written_as_the_language_does():
    pool = Phrase("nowhere_word", {"lemmas": "uox", "pool": Phrase("pool", {"count": 1234567})})
    assert say([pool]) == "uox stands nowhere else in 1,234,567 segments."
    assert "1.234.567" in say([pool], number=lambda n: f"{n:,}".replace(",", "."))


@given(st.lists(WORDS, min_size=1, max_size=9), WORDS)
def test_what_was_kept_is_said_as_before(lemmas, author):
    phrases = [shares(*lemmas), Phrase("source_author", {"author": author})]
    again = phrases_from_json(phrases_as_json(phrases))
    assert say(again) == say(phrases)
    assert again[1] == phrases[1]


def test_all_that_is_chosen_can_be_said():
    code = Path(explanation.__file__).read_text(encoding="utf-8")
    plain = set(re.findall(r'Phrase\(\s*"(\w+)"', code))
    assert len(plain) > 10
    assert plain <= set(ENGLISH)
    ones = {key.removesuffix("_one") for key in ENGLISH if key.endswith("_one")}
    assert ones <= set(ENGLISH)
