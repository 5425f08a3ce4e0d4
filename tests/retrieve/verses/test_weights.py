"""The file of weights of verses."""

import json

import pytest

from locisimiles import MalformedInputError
from locisimiles.corpus.library.vulgate import book_of
from locisimiles.retrieve.verses import VerseWeights

WEIGHTS = VerseWeights(0.8, 3.0, 2.0, 0.4, ("Ambrosius",), {"Matth.": {5: [1, 0, 8]}})


def test_weights_survive_a_file(tmp_path):
    WEIGHTS.save(tmp_path / "verses.json")
    assert VerseWeights.load(tmp_path / "verses.json") == WEIGHTS
    assert VerseWeights.load(tmp_path / "verses.json").fingerprint() == WEIGHTS.fingerprint()


@pytest.mark.parametrize(
    "changed",
    [
        {"format": 2},
        {"often": "much"},
        {"named": -1},
        {"kind": float("inf")},
        {"judged": 1.5},
        {"authors": None},
        {"counts": {"Matth. five": [1]}},
        {"counts": {"Matth. 5": [-1]}},
        {"counts": {"Matth. 5": [0.5]}},
        {"counts": []},
    ],
)
def test_other_content_is_an_error(tmp_path, changed):
    path = tmp_path / "verses.json"
    path.write_text(json.dumps({**json.loads(WEIGHTS.text()), **changed}), "utf-8")
    with pytest.raises(MalformedInputError, match="train verses"):
        VerseWeights.load(path)


def test_neighbours_count_a_quarter_within_a_chapter():
    addresses = [("Matth.", 5, 2), ("Matth.", 5, 4), ("Matth.", 6, 1), ("Luc.", 5, 3)]
    assert WEIGHTS.cited(addresses).tolist() == [2.25, 2.0, 0.0, 0.0]


def test_the_shipped_weights_are_of_books_that_are_known():
    shipped = VerseWeights.shipped()
    assert [book for book in shipped.counts if book_of(book) != book] == []
    assert len(shipped.counts) == 70  # not Abdias, Esdras and Nehemias
    assert "Ambrosius-Mediolanensis" in shipped.authors
    beginning, never = shipped.cited([("Ioh.", 1, 1), ("I par.", 1, 20)])
    assert beginning > 100
    assert never < 1
