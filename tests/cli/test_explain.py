"""``locisimiles explain``."""

import json

import pytest

from locisimiles.latin import Frequencies
from locisimiles.latin.dictionary import Dictionary

QUERY = "seg_id,text\nhier. 1,Haesit uox faucibus\nhier. 2,arma\n"
SOURCE = "seg_id,text\nverg. 1,et vox faucibus haesit\nverg. 2,uox faucis\nverg. 3,Arma\n"


@pytest.fixture
def explain(tmp_path, monkeypatch, program):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LOCISIMILES_DATA", str(tmp_path / "data"))
    (tmp_path / "query.csv").write_text(QUERY, encoding="utf-8")
    (tmp_path / "source.csv").write_text(SOURCE, encoding="utf-8")

    def run(*arguments, inputs=("--query", "query.csv", "--source", "source.csv")):
        done = program("explain", *arguments, *inputs)
        done.words = " ".join(done.out.split())
        return done

    return run


def test_a_pair_is_explained(explain):
    done = explain("hier. 1", "verg. 1")
    assert (done.code, done.err) == (0, "")
    assert "hier. 1 Haesit uox faucibus in its file, after it: hier. 2" in done.words
    assert (
        "Shares haereo, uox, faux (3 words, within 3 words in the text and 3 in the source, "
        "in another order); word for word: “uox faucibus”; "
        "the pair haereo–uox stands together nowhere else in 3 segments; "
        "no author is named near the words." in done.words
    )
    assert "uox 2 27,203" in done.words


def test_neighbouring_segments_are_shown_on_request(explain):
    done = explain("hier. 1", "verg. 2", "--context", "1")
    assert done.words.startswith(
        "hier. 1 Haesit uox faucibus hier. 2 arma "
        "verg. 1 et vox faucibus haesit verg. 2 uox faucis verg. 3 Arma Shares"
    )
    assert "in its file" not in done.words
    facts = json.loads(explain("hier. 1", "verg. 2", "--context", "1", "--json").out)
    assert facts["query_context"] == {"before": [], "after": [{"id": "hier. 2", "text": "arma"}]}
    assert [one["id"] for one in facts["source_context"]["before"]] == ["verg. 1"]
    assert "query_context" not in json.loads(explain("hier. 1", "verg. 2", "--json").out)
    assert explain("hier. 1", "verg. 2", "--context", "-1").code == 2


def test_other_places_are_listed(explain):
    done = explain("hier. 2", "verg. 1")
    assert "Shares no word" in done.words
    assert "also" not in done.words
    assert "also: verg. 1 (date unknown)" in explain("hier. 1", "verg. 2").words


def test_the_earliest_of_many_places_are_listed_and_the_others_counted(explain, tmp_path):
    rows = [f"s{n},arma,{500 - n}" for n in range(14)]
    (tmp_path / "many.csv").write_text("\n".join(["seg_id,text,year", *rows]), encoding="utf-8")
    done = explain("hier. 2", "s0", inputs=("--query", "query.csv", "--source", "many.csv"))
    assert "also: s13 (487) also: s12 (488)" in done.words
    assert done.words.endswith("also: s4 (496) and in 3 more")


def test_the_pair_is_counted_too(explain, tmp_path):
    background = Frequencies.shipped()
    count = background.pair_count("haereo", "uox")
    assert count > 3
    assert f"haereo–uox 1 {count:,}" in explain("hier. 1", "verg. 1").words
    assert background.pair_count("celtae", "ridiculus") == 0
    text = "seg_id,text\ns,Celtae ridiculi\n"
    (tmp_path / "rare.csv").write_text(text, encoding="utf-8")
    done = explain("s", "s", inputs=("--query", "rare.csv", "--source", "rare.csv"))
    assert "celtae–ridiculus 1 fewer than 4" in done.words


def test_facts_as_json(explain):
    done = explain("hier. 1", "verg. 1", "--json")
    facts = json.loads(done.out)
    assert facts["sentence"].startswith("Shares haereo, uox, faux")
    assert facts["alignment"]["query_span"] == [0, 19]
    assert [word["lemma"] for word in facts["shared"]] == ["haereo", "uox", "faux"]
    assert "glosses" not in facts


def test_a_library_is_counted_too(explain, tmp_path):
    (tmp_path / "more.csv").write_text("seg_id,text\nl,uox faucis haeret\n", encoding="utf-8")
    done = explain("hier. 1", "verg. 1", "--library", "more.csv")
    assert "of 3 segments of the source and 1 of the library, l;" in done.words
    assert "in the library" in done.words


def test_words_can_be_translated(explain, monkeypatch):
    row = ("uox", "vox", "vocis, f.", "NOUN", "voice\v[/red] =>")
    monkeypatch.setattr(Dictionary, "shipped", lambda: Dictionary([row]))
    assert "uox 2 27,203 voice; [/red] =>" in explain("hier. 1", "verg. 1", "--glosses").words
    facts = json.loads(explain("hier. 1", "verg. 1", "--glosses", "--json").out)
    assert facts["glosses"] == {"uox": ["voice", "[/red] =>"]}


def test_the_encoder_can_be_used(explain):
    assert "Shares haereo, uox, faux" in explain("hier. 1", "verg. 1", "--encoder").words


@pytest.mark.parametrize(
    ("ids", "message"),
    [
        (("hier. 9", "verg. 1"), "the query has no segment 'hier. 9'; did you mean hier. 2"),
        (("hier. 1", "#"), "the source has no segment '#'; its ids look like 'verg. 1'"),
    ],
)
def test_unknown_ids_are_an_error(explain, ids, message):
    done = explain(*ids)
    assert (done.code, done.out) == (1, "")
    assert message in " ".join(done.err.split())


def test_both_texts_are_needed(explain):
    done = explain("hier. 1", "verg. 1", inputs=("--query", "query.csv"))
    assert done.code == 2
    assert "--source" in done.err


def test_a_missing_file_is_an_error(explain):
    done = explain("a", "b", inputs=("--query", "no.csv", "--source", "source.csv"))
    assert done.code == 1
    assert "no.csv" in done.err
    assert "Traceback" not in done.err
