"""Similarity of meaning."""

import numpy as np
import pytest

from locisimiles.evidence import EncoderMeanings, VectorMeanings, align
from locisimiles.late.search import Late
from locisimiles.latin.text_words import TextWords
from locisimiles.models.vectors import WordVectors, shipped_vectors

TEXTS = ["metuit 12 arma uirumque.", "mare timet"]


def all_places(words, row):
    own = words.of(row)
    return np.arange(own.stop - own.start)


def test_vectors_give_the_cosines_of_lemmas():
    words, meanings = TextWords.read(TEXTS), VectorMeanings()
    meanings.prepare(words, TEXTS, np.array([0, 1]))
    cosines = meanings.cosines(0, 1, np.array([0, 2]), np.array([1, 0]))
    expected = [
        [shipped_vectors().similarity(one, other) for other in ("timeo", "mare")]
        for one in ("metuo", "arma")
    ]
    assert cosines == pytest.approx(np.array(expected), abs=1e-6)


def test_custom_vectors_can_be_used():
    vectors = WordVectors.from_matrix(["rosa", "mare"], np.array([[3, 4], [3, 4]], np.float32))
    pairs = align("uox rosa", "uox mare", meanings=VectorMeanings(vectors)).pairs
    assert [(pair.query_lemma, pair.source_lemma, pair.strength) for pair in pairs] == [
        ("uox", "uox", 1.0),
        ("rosa", "mare", 1.0),
    ]


@pytest.mark.parametrize("meanings", [VectorMeanings, EncoderMeanings])
def test_without_preparation_nothing_is_similar(meanings):
    assert not meanings().cosines(0, 1, np.array([0]), np.array([0, 1])).any()


def test_an_encoder_gives_the_cosines_of_words_in_context(tiny_latin):
    late = Late(tiny_latin, cache=None)
    meanings, words = EncoderMeanings(tiny_latin), TextWords.read(TEXTS)
    meanings.prepare(words, TEXTS, np.array([0, 1]))
    found = meanings.cosines(0, 1, all_places(words, 0), all_places(words, 1))
    expected = late_cosines(late, *TEXTS)
    for row, start in enumerate(words.start[words.of(0)].tolist()):
        for column, other in enumerate(words.start[words.of(1)].tolist()):
            # Figures are no words for the encoder.
            assert found[row, column] == pytest.approx(expected.get((start, other), 0), abs=1e-6)
    assert not found[1].any()
    assert found[0].any()


def late_cosines(late, query, source):
    """The mean of a word's pieces, each with the nearest piece of the other word, by loops."""
    sides = []
    for text in (query, source):
        read = late.encoder().encode_pieces([text])
        vectors = np.rint(np.clip(read.vectors, -1, 1) * 127)
        sides.append({})
        for start, vector in zip(read.start.tolist(), vectors, strict=True):
            sides[-1].setdefault(start, []).append(vector)
    return {
        (one, other): np.mean([max(p @ o / 127**2 for o in theirs) for p in own]).clip(-1, 1)
        for one, own in sides[0].items()
        for other, theirs in sides[1].items()
    }


def test_texts_without_words_have_no_similar_words(tiny_latin):
    meanings = EncoderMeanings(tiny_latin)
    assert align("12", "uox", meanings=meanings).pairs == ()
    assert align("uox", "", meanings=meanings).pairs == ()
    assert [p.bond for p in align("uox", "uox", meanings=meanings).pairs] == ["form"]
