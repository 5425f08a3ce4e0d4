"""What verses gain by clues."""

import numpy as np
import pytest

from locisimiles import Document, Segment
from locisimiles.index import PreparedDocument
from locisimiles.retrieve.verses import VerseClues, VerseWeights

COUNTS = {"Matth.": {5: [0, 0, 99]}, "Is.": {1: [3]}}
WEIGHTS = VerseWeights(often=0.8, named=3.0, kind=2.0, counts=COUNTS)
IDS = ["vulg. mt. 5.3", "vulg. mt. 5.4", "vulg. mt. 9.9", "vulg. is. 1.1"]
VERGIL = Segment("verg. aen. 1.1", "arma", "Vergil", "Aeneis", "1.1")


def source_of(ids=IDS, *others):
    segments = [*(Segment(name, "beati") for name in ids), *others]
    return PreparedDocument(Document.from_segments(segments))


def gains(text="beati", ids=IDS, weights=WEIGHTS):
    return VerseClues.of(source_of(ids), weights).gains(text, np.arange(len(ids)))


def test_what_is_cited_often_gains():
    cited, neighbour, never, seldom = gains()
    assert cited > neighbour > seldom > never


def test_together_verses_keep_their_weight():
    assert np.exp(gains().astype(float)).sum() == pytest.approx(len(IDS))


def test_named_books_gain():
    without = gains()
    np.testing.assert_allclose(gains("Isaias ait") - without, [0, 0, 0, 3], atol=1e-6)
    np.testing.assert_allclose(gains("propheta ait") - without, [0, 0, 0, 2], atol=1e-6)
    np.testing.assert_allclose(gains("Isaias propheta") - without, [0, 0, 0, 5], atol=1e-6)
    np.testing.assert_allclose(gains("in Evangelio") - without, [3, 3, 3, 0], atol=1e-6)


def test_other_sources_neither_gain_nor_lose():
    clues = VerseClues.of(source_of(IDS, VERGIL), WEIGHTS)
    rows = np.arange(len(IDS) + 1)
    assert clues.gains("Isaias propheta in Evangelio", rows)[-1] == 0
    assert clues.verses(rows).tolist() == [True] * len(IDS) + [False]


def test_without_verses_there_are_no_clues():
    assert VerseClues.of(source_of([], VERGIL), WEIGHTS) is None


def test_the_order_of_sources_does_not_matter():
    ids = [f"vulg. mt. {chapter}.{verse}" for chapter in range(1, 9) for verse in range(1, 40)]
    counts = {"Matth.": {chapter: list(range(chapter, 40)) for chapter in range(1, 9)}}
    weights = VerseWeights(often=0.8, counts=counts)
    order = np.random.default_rng(0).permutation(len(ids))
    shuffled = gains(ids=[ids[row] for row in order], weights=weights)
    assert (gains(ids=ids, weights=weights)[order] == shuffled).all()
