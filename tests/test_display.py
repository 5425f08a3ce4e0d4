"""Results for readers: on a terminal, and in a pipe."""

import io
import re
import unicodedata
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from locisimiles import Document, Pipeline, Segment, make_retriever, pretty_print
from locisimiles.display import highlighted, printable
from support.commands import Terminal

HOSTILE = "arma\x1b[31m\x1b]0;title\x07 \x9b5m\u202euirum\r\n\tcano\x00\x7f"
NEVER_PRINTED = {"Cc", "Cf", "Cs", "Zl", "Zp"}
OWN_CODES = re.compile(r"\x1b\[[\d;]*m")


@pytest.fixture
def terminal(monkeypatch):
    for name in ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "COLORTERM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    return Terminal()


def document(*segments):
    return Document.from_segments(Segment(*segment) for segment in segments)


def search(query, source):
    return Pipeline(make_retriever("bm25-surface")).run(query=query, source=source)


def shown(results, stream):
    pretty_print(results, file=stream)
    return stream.getvalue()


SMALL = search(
    document(("hier. 1", "Haesit uox"), ("hier. 2", "nihil"), ("hier. 3", "arma")),
    document(("verg. 1", "et vox\nhaesit"), ("verg. 2", "uox"), ("verg. 3", "arma arma")),
)
MANY = search(document(*((f"q{n:02}", "arma") for n in range(51))), document(("s", "arma")))


def test_in_a_pipe_every_candidate_is_a_line_of_tab_separated_columns():
    assert shown(SMALL, io.StringIO()) == (
        "query\trank\tscore\tsource\tshared\tquery_text\tsource_text\n"
        "hier. 1\t1\t0.47\tverg. 1\thaereo uox\tHaesit uox\tet vox haesit\n"
        "hier. 1\t2\t0.24\tverg. 2\tuox\tHaesit uox\tuox\n"
        "hier. 3\t1\t0.56\tverg. 3\tarma\tarma\tarma arma\n"
    )


def test_standard_output_is_the_default(capsys):
    pretty_print(SMALL)
    assert capsys.readouterr().out == shown(SMALL, io.StringIO())


def test_in_a_pipe_every_query_is_printed():
    assert len(shown(MANY, io.StringIO()).splitlines()) == 1 + 51


def test_in_a_pipe_no_candidates_give_only_a_header():
    nothing = search(document(("q", "arma")), document(("s", "uox")))
    assert len(shown(nothing, io.StringIO()).splitlines()) == 1


def test_on_a_terminal_queries_are_followed_by_their_candidates(terminal):
    lines = [line.rstrip() for line in OWN_CODES.sub("", shown(SMALL, terminal)).splitlines()]
    assert lines == [
        "",
        "hier. 1  Haesit uox",
        "1  0.47  verg. 1  et vox haesit",
        "2  0.24  verg. 2  uox",
        "",
        "hier. 3  arma",
        "1  0.56  verg. 3  arma arma",
    ]


def test_on_a_terminal_shared_words_are_highlighted(terminal):
    output = shown(SMALL, terminal)
    assert "\x1b[1;32mHaesit\x1b[0m \x1b[1;32muox\x1b[0m" in output
    assert "et \x1b[1;32mvox\x1b[0m \x1b[1;32mhaesit\x1b[0m" in output


def test_on_a_terminal_only_the_first_fifty_queries_are_shown(terminal):
    output = OWN_CODES.sub("", shown(MANY, terminal))
    assert re.findall(r"^q\d\d", output, flags=re.MULTILINE) == [f"q{n:02}" for n in range(50)]
    assert output.endswith("… only the first 50 queries are shown; -o FILE writes all.\n")


def test_on_a_terminal_fifty_queries_are_shown_without_a_note(terminal):
    output = shown(search(MANY.query[:50], MANY.source), terminal)
    assert "q49" in output
    assert "only the first" not in output


def test_on_a_terminal_no_candidates_are_reported(terminal):
    nothing = search(document(("q", "arma")), document(("s", "uox")))
    output = OWN_CODES.sub("", shown(nothing, terminal))
    assert output == "No query segment shares a word with the sources.\n"


@pytest.mark.parametrize("kind", ["terminal", "pipe"])
def test_control_characters_are_never_printed(terminal, kind):
    stream = terminal if kind == "terminal" else io.StringIO()
    output = shown(search(document((HOSTILE, HOSTILE)), document((HOSTILE, HOSTILE))), stream)
    assert "uirum" in output
    assert "\x1b[31m" not in output
    left = set(OWN_CODES.sub("", output)) - {"\n", "\t" if kind == "pipe" else "\n"}
    assert all(character.isprintable() for character in left)


@pytest.mark.parametrize("segment_id", ["verg. [sic] 1", "verg. [/b] 1", "verg. :cat: 1"])
def test_on_a_terminal_ids_are_printed_as_they_are(terminal, segment_id):
    output = shown(search(document((segment_id, "arma")), document(("s", "arma"))), terminal)
    assert segment_id in OWN_CODES.sub("", output)


@pytest.mark.parametrize("segment_id", ["verg. [sic] 1", "verg. [/b] 1", "verg. :cat: 1"])
def test_on_a_terminal_ids_of_sources_are_printed_as_they_are(terminal, segment_id):
    output = shown(search(document(("q", "arma")), document((segment_id, "arma"))), terminal)
    assert segment_id in OWN_CODES.sub("", output)


def test_on_a_terminal_texts_are_printed_as_they_are(terminal):
    text = "arma [sic] [/b] :cat: uirum"
    output = shown(search(document(("q", text)), document(("s", text))), terminal)
    assert OWN_CODES.sub("", output).count(text) == 2


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        ("arma uirumque", "arma uirumque"),
        ("Cæsar ā λόγος 🏛", "Cæsar ā λόγος 🏛"),
        ("a\tb\nc\rd", "a b c d"),
        ("\x1b[31m", "�[31m"),
        ("a\x00b\x7fc\x9bd\u202ee", "a�b�c�d�e"),
    ],
)
def test_control_characters_are_replaced(text, expected):
    assert printable(text) == expected


@settings(deadline=None)
@given(st.text(st.characters()))
def test_printable_keeps_every_offset_and_every_printable_character(text):
    result = printable(text)
    assert len(result) == len(text)
    assert {unicodedata.category(character) for character in result}.isdisjoint(NEVER_PRINTED)
    assert all(new == old for new, old in zip(result, text, strict=True) if old.isprintable())


@pytest.mark.parametrize("space", ["\u00a0", "\u2009", "\u202f", "\u3000"])
def test_a_no_break_space_is_kept(space):
    assert printable(f"arma{space}uirum") in (f"arma{space}uirum", "arma uirum")


def test_the_given_spans_are_highlighted():
    text = highlighted("et\tuox", [(3, 6)])
    assert text.plain == "et uox"
    assert [(span.start, span.end, span.style) for span in text.spans] == [(3, 6, "bold green")]


JUDGED = replace(
    SMALL, probabilities=np.array([[0.3, 0.6, 0.1], [0.5, 0.2, 0.3], [0.9, 0.1, 0]], np.float32)
)


def test_in_a_pipe_the_type_of_a_judged_pair_is_the_last_column():
    lines = [line.split("\t") for line in shown(JUDGED, io.StringIO()).splitlines()]
    assert [line[-1] for line in lines] == ["type", "cit.", "cf.", "cit."]
    plain = [line.split("\t") for line in shown(SMALL, io.StringIO()).splitlines()]
    assert [line[:-1] for line in lines] == plain


def test_on_a_terminal_the_type_of_a_judged_pair_is_beside_its_score(terminal):
    output = OWN_CODES.sub("", shown(JUDGED, terminal))
    assert re.findall(r"\d\.\d\d (\w+\.)", output) == ["cit.", "cf.", "cit."]
