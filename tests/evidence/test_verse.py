"""Verse and prose."""

import pytest

from locisimiles import Document, Segment
from locisimiles.evidence.verse import PROSE, UNKNOWN, VERSE, verse_or_prose

LINE, LONG = "arma uirumque cano", "et uox faucibus haesit " * 6
JEROME = {"author": "Jerome", "work": "Epistulae"}


@pytest.mark.parametrize(
    ("segments", "form"),
    [
        ([Segment("verg. aen. 1.1", LINE), Segment("verg. aen. 1.2", LINE)], VERSE),
        ([Segment("verg. aen. 1.1", LONG)], VERSE),
        ([Segment("1", "arma / cano", **JEROME)], PROSE),
        ([Segment("1", "arma / cano"), Segment("2", LONG)], VERSE),
        ([Segment("1", LINE), Segment("2", LONG)], PROSE),
        ([Segment("1", LINE), Segment("2", LINE)], UNKNOWN),
        ([Segment("1", LINE, work="a"), Segment("2", LONG, work="b")], UNKNOWN),
        ([Segment("1", "")], UNKNOWN),
    ],
)
def test_the_catalogue_comes_before_the_text(segments, form):
    assert verse_or_prose(Document.from_segments(segments))[0] == form


def test_an_empty_document_has_no_forms():
    assert verse_or_prose(Document.from_segments([])).tolist() == []
