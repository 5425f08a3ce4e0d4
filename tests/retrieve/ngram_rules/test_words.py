"""Words, their clauses, and the pairs they make."""

import numpy as np
import pytest

from locisimiles.index import TextPart
from locisimiles.latin import STOPWORDS
from locisimiles.retrieve.ngram_rules.pairs import terms_of_key, word_pairs
from locisimiles.retrieve.ngram_rules.words import WordExtractor, Words


def extractor(terms="lemma", lemmatizer="fast", stopwords=STOPWORDS, ends=".!?;:", pos=("NOUN",)):
    return WordExtractor(terms, lemmatizer, stopwords, ends, pos)


def terms_of(made, words):
    return [made.vocabulary.terms[term] for term in words.term]


def test_stop_words_and_figures_are_left_out():
    made = extractor()
    assert terms_of(made, made.extract(TextPart.of(["et vox 12 in faucibus haesit"]))) == [
        "uox",
        "faux",
        "haereo",
    ]


def test_clauses_are_numbered_through_all_texts():
    words = extractor().extract(TextPart.of(["uox: haesit", "", "uox haesit; uox", ".; uox"]))
    assert words.clause.tolist() == sorted(words.clause.tolist())
    clauses = words.clause.tolist()
    assert clauses[0] < clauses[1] < clauses[2] == clauses[3] < clauses[4] < clauses[5]
    assert words.segment.tolist() == [0, 0, 2, 2, 2, 3]


def test_letters_outside_the_basic_plane_do_not_shift_clauses():
    words = extractor().extract(TextPart.of(["\U00010300 uox haesit; uox", "uox haesit"]))
    clauses = words.clause.tolist()[-5:]
    assert clauses[0] == clauses[1] < clauses[2] < clauses[3] == clauses[4]


def test_lemmas_by_context_are_chosen_text_by_text():
    def first_word_of_all(words):
        return [words[0].lower()] * len(words) if words else []

    made = extractor(lemmatizer=first_word_of_all, stopwords=frozenset())
    words = made.extract(TextPart.of(["arma uirum", "uox haesit"]))
    assert terms_of(made, words) == ["arma", "arma", "uox", "uox"]


def test_batches_of_words_are_joined():
    texts = ["uox: haesit", "", "arma uirum", "cano"]
    made = extractor()
    whole, joined = (
        made.extract(TextPart.of(texts)),
        Words.join([made.extract(TextPart.of(texts[:2])), made.extract(TextPart.of(texts[2:]))], 2),
    )
    for column in ("term", "segment", "clause", "form"):
        assert np.array_equal(getattr(whole, column), getattr(joined, column))


def test_no_batches_join_to_no_words():
    assert len(Words.join([], 10)) == 0


def in_reading_order(made, pairs):
    """Return pairs as (what comes first, what comes second, how far apart)."""
    names = [[made.vocabulary.terms[term] for term in side] for side in terms_of_key(pairs.key)]
    return sorted(
        (one, other, distance) if distance > 0 else (other, one, -distance)
        for one, other, distance in zip(*names, pairs.distance.tolist(), strict=True)
    )


@pytest.mark.parametrize(
    ("text", "window", "expected"),
    [
        ("uox haesit", 1, [("uox", "haereo", 1)]),
        ("uox tristis haesit", 1, [("uox", "tristis", 1), ("tristis", "haereo", 1)]),
        (
            "uox in mari haesit",
            2,
            [("uox", "mare", 1), ("mare", "haereo", 1), ("uox", "haereo", 2)],
        ),
        ("uox; haesit", 5, []),
        ("uox uox", 5, []),
        ("uox haesit uox", 2, [("uox", "haereo", 1), ("haereo", "uox", 1)]),
    ],
)
def test_pairs_have_distance_and_direction(text, window, expected):
    made = extractor()
    pairs = word_pairs(made.extract(TextPart.of([text])), window)
    assert in_reading_order(made, pairs) == sorted(expected)


def test_of_several_occurrences_the_closest_counts():
    made = extractor()
    pairs = word_pairs(made.extract(TextPart.of(["uox mare haesit uox haesit"])), 4)
    between = [pair for pair in in_reading_order(made, pairs) if "mare" not in pair]
    assert between == [("haereo", "uox", 1), ("uox", "haereo", 1)]
