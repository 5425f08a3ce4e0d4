"""The accuracy of a lemmatizer, as the benchmark script measures it."""

import pytest

from lemmas import Accuracy, measure_accuracy
from locisimiles.train.lemmatizer.treebanks import TaggedWord, TreebankText


def text_of(lines):
    """Return a text of a treebank: a sentence per line, form/lemma/tag per word."""
    sentences = (
        tuple(TaggedWord(*word.split("/")) for word in line.split()) for line in lines.splitlines()
    )
    return TreebankText("text", tuple(sentences))


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
def test_lemmas_may_differ_by_convention_only(right, found, same, folded, among):
    text = text_of(f"forma/{right}/NOUN")
    assert measure_accuracy([text], lambda _: [found]) == Accuracy(1, same, folded, among)


def test_words_without_a_lemma_and_numbers_do_not_count():
    text = text_of("arma/arma/NOUN uirum//NOUN 12/duodecim/NUM ,/,/X")
    measured = measure_accuracy([text], lambda words: [["arma"] for _ in words])
    assert measured == Accuracy(words=1, same=1, folded=1, among=1)


def test_texts_are_lemmatised_sentence_by_sentence():
    asked = []

    def answer(words):
        asked.append(list(words))
        return [[word] for word in words]

    texts = [text_of("arma/arma/NOUN uirum/uir/NOUN\ncano/cano/VERB"), text_of("uox/uox/NOUN")]
    assert measure_accuracy(texts, answer) == Accuracy(4, 3, 3, 3)
    assert asked == [["arma", "uirum"], ["cano"], ["uox"]]


def test_too_few_lemmas_are_an_error():
    with pytest.raises(ValueError, match="shorter"):
        measure_accuracy([text_of("arma/arma/NOUN uirum/uir/NOUN")], lambda _: [["arma"]])
