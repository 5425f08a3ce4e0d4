"""Verses of a Bible among the segments of a source."""

import pytest

from locisimiles import Document, Segment
from locisimiles.index import PreparedDocument
from locisimiles.retrieve.verses.addresses import VerseAddresses

BOOKS = ("Gen.", "Iob", "Matth.", "Titus", "Ruth")


def found(*segments):
    verses = VerseAddresses.of(PreparedDocument(Document.from_segments(segments)))
    return (
        None if verses is None else dict(zip(verses.rows.tolist(), verses.addresses, strict=True))
    )


@pytest.mark.parametrize("author", ["", "Vulgata", "Vulgate", "vulg."])
@pytest.mark.parametrize(
    ("work", "locus", "address"),
    [
        ("Matth.", "5.22", ("Matth.", 5, 22)),
        ("Mt", "5:22", ("Matth.", 5, 22)),
        ("Ioan.", "1,14", ("Ioh.", 1, 14)),
        ("1 Corinthians", "13.1", ("I Cor.", 13, 1)),
    ],
)
def test_books_are_known_by_many_names(author, work, locus, address):
    assert found(Segment("a", "text", author, work, locus)) == {0: address}


def test_segments_without_author_and_work_are_known_by_their_ids():
    segments = [Segment(name, "text") for name in ("vulg. mt. 5.22", "Is. 7.14", "epist. 1.1")]
    assert found(*segments) == {0: ("Matth.", 5, 22), 1: ("Is.", 7, 14)}


@pytest.mark.parametrize(
    "segment",
    [
        Segment("a", "text", "Vergil", "Aeneis", "1.1"),
        Segment("a", "text", "Avitus", "Genesis", "1.1"),  # a poem about it
        Segment("a", "text", "Vulgata", "Matth.", "prologus"),
        Segment("a", "text", "Vulgata", "Matth.", "5.22.1"),
        Segment("vulg. mt. 5.22", "text", "Hieronymus", "Epist.", "1"),
    ],
)
def test_other_works_are_no_verses(segment):
    assert found(segment) is None


def test_an_author_of_five_books_of_the_bible_is_a_bible():
    segments = [Segment(book, "text", "Vetus Latina", book, "1.1") for book in BOOKS]
    assert len(found(*segments)) == len(BOOKS)
    assert found(*segments[1:]) is None
