"""Words in the texts of a project, found by position."""

import json

import pytest

from locisimiles.app.storage.tables.words import positions_with_words
from locisimiles.corpus import Document, Segment


def found(project, words):
    with project.database.reading() as connection:
        sides = positions_with_words(connection, project.database.key, words)
    return [json.loads(positions) for positions in sides]


@pytest.mark.parametrize("words", ["vox", '"vox faucibus"', "lemma:haereo", "fauc*"])
def test_positions_are_those_of_the_texts(searched, words):
    sides = found(searched, words)
    assert all(sides)
    for side, positions in zip(("query", "source"), sides, strict=True):
        assert positions == sorted(set(positions))
        assert max(positions) < searched.texts.count(side)


def test_other_texts_are_searched_anew(searched):
    assert found(searched, "zephyrus")[0] == []
    segments = [Segment("a", "arma"), Segment("b", "zephyrus uenit")]
    searched.set_texts("query", (), Document.from_segments(segments))
    assert found(searched, "zephyrus")[0] == [1]
    segments[1] = Segment("b", "auster uenit")
    searched.set_texts("query", (), Document.from_segments(segments))
    assert found(searched, "zephyrus")[0] == []
