"""Books of the Bible that a sentence names."""

import pytest

from locisimiles.corpus.library.vulgate import book_of
from locisimiles.files.tables import shipped_rows
from locisimiles.retrieve.verses.named_books import named_books


@pytest.mark.parametrize(
    ("text", "books"),
    [
        ("Esaias vero aperte dicit", {"Is."}),
        ("per Isaiam prophetam", {"Is."}),
        ("Et in Deuteronomio similia Dei mandata noscuntur", {"deut."}),
        ("in epistola ad Hebræos asseruit", {"Hebr."}),
        ("PSALMISTA canit", {"psalm."}),
        ("apud Jeremiam et Lucam", {"Ier.", "lam.", "Bar.", "Luc."}),
        ("ad Corinthios scribens", {"I Cor.", "II Cor."}),
        ("in Evangelio", {"Matth.", "Marc.", "Luc.", "Ioh."}),
        ("lucem uidit et lucas non nominat", {"Luc."}),
        ("arma uirumque cano", set()),
        ("", set()),
    ],
)
def test_books_that_are_named(text, books):
    assert named_books(text).books == books


def test_many_books_are_a_kind():
    named = named_books("Unde Apostolus ait")
    assert {"Rom.", "I Cor.", "Hebr."} <= named.kinds
    assert not named.books & named.kinds
    assert "Is." in named_books("sicut propheta dicit").kinds


def test_all_books_of_the_table_are_known_and_named():
    rows = shipped_rows("locisimiles.retrieve.verses", "names.tsv")
    books = [book for row in rows for book in row["books"].split("|")]
    assert [book for book in books if book_of(book) != book] == []
    names = [name for row in rows for name in row["names"].split()]
    assert len(names) == len(set(names))
    for row in rows:
        for name in row["names"].split():
            named = named_books(name.removesuffix("*"))
            assert set(row["books"].split("|")) == named.books | named.kinds
