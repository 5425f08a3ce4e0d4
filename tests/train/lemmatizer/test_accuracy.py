"""How often a lemmatizer is right."""

import pytest

from locisimiles.train.lemmatizer.accuracy import Accuracy, measure_accuracy


@pytest.mark.parametrize(
    ("right", "found", "same", "folded", "among"),
    [
        ("uir", ["uir"], 1, 1, 1),
        ("vir1", ["uir"], 1, 1, 1),
        ("uir", ["uirus"], 0, 0, 0),
        ("uir", ["uirus", "uir"], 0, 0, 1),
        ("facile", ["facilis"], 0, 1, 1),
        ("facilis", ["facile"], 0, 1, 1),
        ("facile", ["facio", "facilis"], 0, 0, 1),
        ("nos", ["ego"], 0, 1, 1),
        ("bellum", ["bellus"], 0, 0, 0),
    ],
)
def test_a_lemma_is_the_same_or_another_by_convention_only(  # noqa: PLR0917
    make_text, right, found, same, folded, among
):
    text = make_text(f"forma/{right}/NOUN")
    assert measure_accuracy([text], lambda _: [found]) == Accuracy(1, same, folded, among)


def test_words_without_a_lemma_and_what_is_no_word_do_not_count(make_text):
    text = make_text("arma/arma/NOUN uirum//NOUN 12/duodecim/NUM ,/,/X")
    measured = measure_accuracy([text], lambda words: [["arma"] for _ in words])
    assert measured == Accuracy(words=1, same=1, folded=1, among=1)


def test_words_of_all_texts_are_counted_and_asked_for_sentence_by_sentence(make_text):
    asked = []

    def answer(words):
        asked.append(list(words))
        return [[word] for word in words]

    texts = [make_text("arma/arma/NOUN uirum/uir/NOUN\ncano/cano/VERB"), make_text("uox/uox/NOUN")]
    assert measure_accuracy(texts, answer) == Accuracy(4, 3, 3, 3)
    assert asked == [["arma", "uirum"], ["cano"], ["uox"]]


def test_too_few_answers_are_an_error(make_text):
    with pytest.raises(ValueError, match="shorter"):
        measure_accuracy([make_text("arma/arma/NOUN uirum/uir/NOUN")], lambda _: [["arma"]])
