"""Notes on texts that are probably not what the user meant, and on shares."""

import pytest

from locisimiles.cli.doubts import doubts
from locisimiles.corpus import Document, Segment

LATIN = "Arma uirumque cano, Troiae qui primus ab oris Italiam fato profugus in litora uenit"
OTHERS = {
    "Greek": "Μῆνιν ἄειδε θεὰ Πηληϊάδεω Ἀχιλῆος οὐλομένην",
    "English": "I sing of arms and of the man who was the first to come from the shores of Troy",
    "German": "Waffen besinge ich und den Mann, der als der erste von den Küsten zu dem Land kam",
    "French": "Je chante les armes et le héros qui, du bord de Troie, vint le premier dans un pays",
    "Italian": "Canto le armi e il primo eroe che di Troia dalla terra per volere del fato non",
}


def text(words, **known):
    return Document.from_segments([Segment("a", words, **known)])


@pytest.mark.parametrize(("language", "words"), OTHERS.items())
def test_other_languages_are_noted(language, words):
    assert list(doubts(text(words), text(LATIN))) == [
        f"the query seems to be {language}; only Latin is compared"
    ]
    (note,) = doubts(text(LATIN), text(words))
    assert note.startswith(f"the source seems to be {language}")


@pytest.mark.parametrize(
    "words",
    [LATIN, "arma", "", "nos qui non est la per una die ac", LATIN + " " + OTHERS["Greek"][:20]],
)
def test_latin_is_not_doubted(words):
    assert list(doubts(text(words), text(f"{LATIN} {words}"))) == []


def test_a_text_in_itself_is_noted():
    (note,) = doubts(text(LATIN), text(LATIN))
    assert "the same text" in note
    assert "--exclude same-work" in note


def test_an_older_query_is_noted():
    virgil = text(LATIN, author="Virgil", work="Aeneis")
    lucan = text(f"{LATIN} bella", author="Lucan", work="Pharsalia")
    (note,) = doubts(virgil, lucan)
    assert "the other way round" in note
    assert list(doubts(lucan, virgil)) == []
    assert list(doubts(virgil, text(f"{LATIN} bella"))) == []


def test_a_search_notes_its_doubts(program, tmp_path):
    for name, words in (("q", OTHERS["Greek"]), ("s", LATIN)):
        (tmp_path / f"{name}.csv").write_text(f"id,text\n1,{words.replace(',', '')}\n")
    done = program("search", tmp_path / "q.csv", tmp_path / "s.csv", "--method", "bm25")
    assert done.code == 0
    assert "note: the query seems to be Greek" in done.err


@pytest.mark.parametrize(
    ("option", "value", "said"),
    [
        ("--precision", "80", "write 0.8 or 80%"),
        ("--threshold", "50", "write 0.5 or 50%"),
        ("--threshold", "half", "'half' is no share between 0 and 1"),
        ("--precision", "-1", "no share"),
        ("--precision", "nan", "no share"),
        ("--precision", "101", "no share"),
        ("--precision", "120%", "no share"),
    ],
)
def test_a_share_that_is_none_is_explained(program, tmp_path, option, value, said):
    done = program("search", tmp_path / "q.csv", tmp_path / "s.csv", option, value)
    assert done.code == 2
    assert said in " ".join(done.err.replace("│", " ").split())


def test_a_share_may_be_written_in_percent(program, tmp_path):
    for name in ("q", "s"):
        (tmp_path / f"{name}.csv").write_text(f"id,text\n{name},{name} uox faucibus haesit\n")
    found = [
        program("search", tmp_path / "q.csv", tmp_path / "s.csv", "--threshold", share).out
        for share in ("1%", "0.01", "0,01")
    ]
    assert found[0] == found[1] == found[2] != ""
