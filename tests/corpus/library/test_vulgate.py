"""The Vulgate from a file of one's own."""

import pytest

from locisimiles import Document, InputError
from locisimiles.corpus.citations import cite
from locisimiles.corpus.library import Library
from locisimiles.corpus.library.vulgate import book_of
from locisimiles.corpus.verses import read_verses
from locisimiles.errors import MalformedInputError

LINES = """Gn 1:1 In principio creavit Deus caelum et terram.
Gn 1:2 Terra autem erat inanis et vacua.
Mt 5:3 Beati pauperes spiritu.
1 Cor 13,1 Si linguis hominum loquar.
Ps 50:3 Miserere mei, Deus.
"""
TABLE = """seg_id,author,work,locus,text
vulg. gn. 1.1,Vulgata,Gn,1.1,In principio creavit Deus caelum et terram.
vulg. mt. 5.3,Vulgata,Mt,5.3,Beati pauperes spiritu.
"""
FIELDS = "Genesis|1|1|In principio creavit Deus.\nMatthew\t5\t3\tBeati pauperes.\n"


@pytest.mark.parametrize(
    ("name", "book"),
    [
        ("Matthew", "Matth."), ("Matthaeus", "Matth."), ("1Cor", "I Cor."), ("1 Cor.", "I Cor."),
        ("I Cor", "I Cor."), ("2 Samuel", "II reg."), ("3Rg", "III reg."), ("Psalmi", "psalm."),
        ("vulg. ps.", "psalm."), ("Vergil", ""), ("Aeneis", ""), ("", ""), ("12", ""),
    ],
)  # fmt: skip
def test_books_have_many_names(name, book):
    assert book_of(name) == book


@pytest.fixture
def own(tmp_path, monkeypatch):
    monkeypatch.setenv("LOCISIMILES_DATA", str(tmp_path / "data"))

    def own(content, name="v.txt"):
        (tmp_path / name).write_text(content, encoding="utf-8")
        return tmp_path / name

    return own


@pytest.mark.parametrize(
    ("content", "name", "count"),
    [(LINES, "v.txt", 5), (TABLE, "v.csv", 2), (FIELDS, "v.txt", 2)],
)
def test_verses_are_recognised_by_their_labels(own, content, name, count):
    verses = read_verses(own(content, name))
    assert len(verses) == count
    assert verses[0][:3] == ("gen.", 1, 1)
    assert verses[0].text.startswith("In principio creavit")


def test_the_vulgate_is_found_by_name_and_by_book(own):
    counted = Library().add_vulgate(read_verses(own(LINES)))
    assert counted == {"gen.": 2, "Matth.": 1, "I Cor.": 1, "psalm.": 1}
    whole = Document("vulgate")
    assert [cite(verse) for verse in whole] == [
        "Vulg. gen. 1.1", "Vulg. gen. 1.2", "Vulg. Matth. 5.3", "Vulg. I Cor. 13.1",
        "Vulg. psalm. 50.3",
    ]  # fmt: skip
    for name in ("vulgate.matthew", "Vulgata.Mt", "vulgate.matth."):
        assert [verse.text for verse in Document(name)] == ["Beati pauperes spiritu."]
    assert [verse.id for verse in Document("vulgate.1_corinthians")] == ["vulg. i cor. 13.1"]


def test_another_vulgate_takes_its_place(own):
    shelf = Library()
    shelf.add_vulgate(read_verses(own(LINES)))
    shelf.add_vulgate(read_verses(own(TABLE, "v.csv")))
    assert len(Document("vulgate")) == 2


def test_without_one_the_name_is_unknown(own):
    with pytest.raises(InputError):
        Document("vulgate")
    Library().add_vulgate(read_verses(own(LINES)))
    with pytest.raises(InputError):
        Document("vulgate.aeneid")


def test_a_file_without_verses_is_an_error_and_changes_nothing(own):
    Library().add_vulgate(read_verses(own(LINES)))
    with pytest.raises(InputError, match="no verses"):
        Library().add_vulgate(read_verses(own("Arma uirumque cano\nTroiae qui\n", "a.txt")))
    assert len(Document("vulgate")) == 5


def test_a_verse_must_not_occur_twice(own):
    with pytest.raises(MalformedInputError, match=r"gen\. 1\.1 is there twice"):
        read_verses(own(f"{LINES}Gn 1:1 In principio.\n"))
