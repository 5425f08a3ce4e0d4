"""Words in the texts of a project, found by position."""

import json
import re

import pytest

from locisimiles.app.storage.tables.words import forms_of_lemma, positions_with_words
from locisimiles.corpus import Document, Segment


def found(project, words, search=1):
    with project.database.reading() as connection:
        sides = positions_with_words(connection, project.database.key, search, words)
    return [json.loads(positions) for positions in sides]


@pytest.mark.parametrize("words", ["vox", '"vox faucibus"', "lemma:haereo", "fauc*"])
def test_positions_are_those_of_the_texts(searched, words):
    sides = found(searched, words)
    assert all(sides)
    for side, positions in zip(("query", "source"), sides, strict=True):
        assert positions == sorted(set(positions))
        assert max(positions) < searched.texts.count(side)


def test_the_words_are_those_of_the_texts_that_were_searched(searched):
    before = found(searched, "vox")
    assert found(searched, "zephyrus") == [[], []]
    segments = [Segment("a", "arma"), Segment("b", "zephyrus uenit")]
    searched.set_texts("query", (), Document.from_segments(segments))
    assert found(searched, "vox") == before
    with searched.database.writing() as connection:
        connection.execute(
            "UPDATE search SET query_edition = (SELECT number FROM edition WHERE side = 'query' "
            "AND is_current = 1)"
        )
    assert found(searched, "zephyrus") == [[1], []]


def test_before_the_first_search_nothing_is_found(searched):
    assert found(searched, "vox", search=99) == [[], []]


def test_the_forms_of_a_lemma_are_counted_on_both_sides(searched):
    with searched.database.reading() as connection:
        forms = forms_of_lemma(connection, searched.database.key, 1, "faux")
        none = forms_of_lemma(connection, searched.database.key, 99, "faux")
    texts = " ".join(segment.text for segment in searched.texts.segments("source", 0, 1000))
    assert forms["source"]["faucibus"] == len(re.findall(r"\bfaucibus\b", texts)) > 1
    assert set(forms["query"]) == {"faucibus"}
    assert none == {"query": {}, "source": {}}
