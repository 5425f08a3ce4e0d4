"""What readers said of a pair, and the decision, as HTML."""

from locisimiles.app.storage.tables.judgements import StoredJudgement
from locisimiles.app.ui.adjudication_markup import decision_box, readers_side_by_side
from locisimiles.app.ui.translator import Translator

ENGLISH = Translator("en")
ATTACK = "<script>alert(1)</script>"
ANN = StoredJudgement("q", "s", "cf.", "Ann", "see Ovid", 1_700_000_000.0, independent=True)


def test_each_reader_has_a_column_with_verdict_date_and_note():
    nameless = StoredJudgement("q", "s", None, "", "only a note", 0.0)
    html = readers_side_by_side([ANN, nameless], ENGLISH)
    first, second = html.split("<li ")[1:]
    for text in ("Ann", ">cf.<", "2023-11-1", "independent", "see Ovid", "said cf"):
        assert text in first
    for text in ("without a name", "–", "only a note"):
        assert text in second
    assert "independent" not in second


def test_a_decision_says_whose_it_is_and_presses_its_button():
    open_one = StoredJudgement("q", "s", None, "", "", 0.0, adjudicated=True)
    html = decision_box(open_one, ENGLISH)
    assert "not decided yet" in html
    assert 'aria-pressed="true"' not in html
    html = decision_box(ANN, ENGLISH)
    assert "decided: cf. by Ann" in html
    assert html.count('aria-pressed="true"') == 1
    assert 'data-verdict="cf." aria-pressed="true"' in html


def test_names_and_notes_are_texts():
    evil = StoredJudgement("q", "s", "cit.", ATTACK, ATTACK, 1.0)
    html = readers_side_by_side([evil], ENGLISH) + decision_box(evil, ENGLISH)
    assert "<script" not in html
    assert html.count("&lt;script&gt;") == 4
