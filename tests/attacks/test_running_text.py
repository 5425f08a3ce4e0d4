"""Running text that keeps the segmenter busy."""

import pytest

from locisimiles.corpus.formats.running_text import guess_segmentation
from locisimiles.corpus.sentences import sentence_ends

pytestmark = pytest.mark.usefixtures("must_end")


@pytest.mark.parametrize("piece", ["a. ", "P. ", "A. ", "X. ", "(a. ", "a: ", "?! ", "'a.' ", "a-"])
def test_many_stops_are_fast(piece):
    text = piece * 20_000
    assert all(end <= len(text) for end in sentence_ends(text))


def test_a_long_poem_is_segmented_fast(attack):
    lines = "\n".join(f"<a 1.{n}> arma uirumque cano," for n in range(20_000))
    assert attack("a.tess", lines)[0].loci[-1].locus == "1.19999"


def test_many_spaces_after_a_stop_are_fast():
    assert sentence_ends("arma." + " " * 50_000 + "1") == [5]


def test_many_numbers_are_fast():
    assert guess_segmentation(["1. " * 50_000, "arma"]) == "sentences"


def test_a_long_paragraph_is_joined_fast(attack):
    line = "arma uirumque cano Troiae qui primus ab oris Italiam fato profugus"
    document = attack("a.txt", "\n".join([line] * 10_000), segmentation="sentences")
    assert document.texts == (" ".join([line] * 10_000),)
