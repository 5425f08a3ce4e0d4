"""Notes of editors, corrected by rule."""

import numpy as np
import pytest

from locisimiles.benchmark.sets.note_corrections import RULES, Verses, correct_notes
from locisimiles.benchmark.sets.shared_words import LemmaTable

VERSES = {
    ("Ps.", "18.2"): "Caeli enarrant gloriam Dei et opera manuum eius annuntiat firmamentum.",
    ("Ps.", "18.3"): "Dies diei eructat uerbum et nox nocti indicat scientiam.",
    ("Ps.", "18.4"): "Non sunt loquelae neque sermones quorum non audiantur uoces eorum.",
    ("Ps.", "19.2"): "Exaudiat te Dominus in die tribulationis protegat te nomen Iacob.",
    ("Ps.", "21.2"): "Longe a salute mea uerba delictorum meorum.",
    ("Ioan.", "1.14"): "Et Verbum caro factum est et habitauit in nobis.",
}
OTHERS = {("Gen.", f"{n}.1"): f"uerbum{n} aliud{n} tertium{n}" for n in range(400)}
OTHERS["Gen.", "14.14"] = "quartum quintum sextum"
ADDRESSES = [*VERSES, *OTHERS]


@pytest.fixture
def corrected():
    def corrected(sentences, sentence, verse):
        texts = [*VERSES.values(), *OTHERS.values()]
        found = correct_notes(
            [sentence],
            [ADDRESSES.index(verse)],
            LemmaTable([*texts, *sentences], counted=len(texts)),
            np.zeros(len(sentences), np.int64),
            Verses.of([book for book, _ in ADDRESSES], [locus for _, locus in ADDRESSES]),
        )
        (rule,) = (name for name, count in found.rules.items() if count)
        return rule, int(found.query[0]), ADDRESSES[int(found.source[0])]

    return corrected


QUOTED = "Scriptum est: Caeli enarrant gloriam Dei, et firmamentum annuntiat opera manuum."


@pytest.mark.parametrize(
    ("sentences", "sentence", "noted", "expected"),
    [
        ([QUOTED], 0, ("Ps.", "18.2"), ("kept", 0, ("Ps.", "18.2"))),
        ([QUOTED], 0, ("Ps.", "18.3"), ("other verse", 0, ("Ps.", "18.2"))),
        ([QUOTED], 0, ("Ps.", "19.2"), ("misprint", 0, ("Ps.", "18.2"))),
        ([QUOTED, "Quid ergo?"], 1, ("Ps.", "18.2"), ("sentence off", 0, ("Ps.", "18.2"))),
        (["Quid ergo?", QUOTED], 0, ("Ps.", "18.2"), ("sentence off", 1, ("Ps.", "18.2"))),
        (["Quid ergo?", "Ita."], 0, ("Ps.", "18.2"), ("no words", 0, ("Ps.", "18.2"))),
        # A verse of another book may be quoted, but the note names this one.
        ([QUOTED], 0, ("Ioan.", "1.14"), ("no words", 0, ("Ioan.", "1.14"))),
    ],
)
def test_each_rule(corrected, sentences, sentence, noted, expected):
    assert corrected(sentences, sentence, noted) == expected


@pytest.mark.parametrize(
    ("ahead", "noted", "rule"),
    [
        # "Vers. 14" stands before the verse that is explained next.
        ("Verbum caro factum est et habitauit in nobis.", ("Gen.", "14.14"), "verse ahead"),
        # Another number, or more than the verse.
        ("Verbum caro factum est et habitauit in nobis.", ("Gen.", "13.1"), "no words"),
        (
            "Verbum caro factum est, inquit sanctus euangelista, quem diligebat saluator.",
            ("Gen.", "14.14"),
            "no words",
        ),
    ],
)
def test_a_note_before_the_verse(corrected, ahead, noted, rule):
    expected = (1, ("Ioan.", "1.14")) if rule == "verse ahead" else (0, noted)
    assert corrected(["Quid ergo?", ahead], 0, noted) == (rule, *expected)


def test_every_note_is_counted_once():
    table = LemmaTable([*VERSES.values(), QUOTED], counted=len(VERSES))
    verses = Verses.of([book for book, _ in VERSES], [locus for _, locus in VERSES])
    found = correct_notes([0] * 6, list(range(6)), table, np.zeros(1, np.int64), verses)
    assert sum(found.rules.values()) == 6
    assert tuple(found.rules) == RULES


SHORT = "Ecce, fratres, quoniam ita est, nox nocti indicat multa quidem et talia."


@pytest.mark.parametrize(
    ("sentences", "sentence", "noted", "expected"),
    [
        ([SHORT], 0, ("Ps.", "18.13"), ("wrong sign", 0, ("Ps.", "18.3"))),
        ([SHORT], 0, ("Ps.", "17.3"), ("wrong sign", 0, ("Ps.", "18.3"))),
        ([SHORT, "Quid ergo?"], 1, ("Ps.", "17.3"), ("wrong sign", 0, ("Ps.", "18.3"))),
        # Neither number is the noted one, or the other is too far off.
        ([SHORT], 0, ("Ps.", "17.13"), ("no words", 0, ("Ps.", "17.13"))),
        ([SHORT], 0, ("Ps.", "18.26"), ("no words", 0, ("Ps.", "18.26"))),
        ([SHORT], 0, ("Ioan.", "18.13"), ("no words", 0, ("Ioan.", "18.13"))),
    ],
)
def test_one_sign_of_a_number(corrected, sentences, sentence, noted, expected):
    if noted not in ADDRESSES:
        ADDRESSES[-1] = noted
    assert corrected(sentences, sentence, noted) == expected


@pytest.mark.parametrize(
    ("sentences", "sentence", "noted", "expected"),
    [
        # The note before a quotation names a verse of the book quoted last.
        (["Unde dicit:", QUOTED], 0, ("Gen.", "7.2"), ("other book", 1, ("Ps.", "18.2"))),
        (["Unde dicit:", QUOTED], 0, ("Gen.", "7.1"), ("no words", 0, ("Gen.", "7.1"))),
        # Sentence and verse are both off by one.
        ([QUOTED, "Quid ergo?"], 1, ("Ps.", "18.3"), ("sentence off", 0, ("Ps.", "18.2"))),
        # The chapter was read as the verse.
        ([QUOTED], 0, ("Ps.", "1.18"), ("misprint", 0, ("Ps.", "18.2"))),
        # A part of a long verse is all that the sentence says.
        (
            ["Opera manuum annuntiat firmamentum."],
            0,
            ("Ps.", "21.2"),
            ("misprint", 0, ("Ps.", "18.2")),
        ),
    ],
)
def test_what_stands_further_off(corrected, sentences, sentence, noted, expected):
    if noted not in ADDRESSES:
        ADDRESSES[-1] = noted
    assert corrected(sentences, sentence, noted) == expected


def test_doubtful_notes_have_nothing_in_common():
    texts = list(VERSES.values())
    table = LemmaTable([*texts, QUOTED], counted=len(texts))
    verses = Verses.of([book for book, _ in VERSES], [locus for _, locus in VERSES])
    found = correct_notes([0, 0], [0, 5], table, np.zeros(1, np.int64), verses)
    assert found.doubtful.tolist() == [False, True]
