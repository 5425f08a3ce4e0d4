"""Keywords in context, and hits of the words that a reader looks for."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from locisimiles.app.results import ResultTable
from locisimiles.app.results.fragments import (
    Piece,
    cut,
    find_hits,
    keyword_in_context,
    with_fragments,
)
from locisimiles.results.highlights import number_marks

TEXT = "Quos ego sed motos praestat componere fluctus, " * 20


def words_of(part):
    return "".join(piece.text for piece in part)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("uox", [[(7, 10)], []]),
        ('"vox faucibus"', [[(7, 19)], []]),
        ("lemma:haereo", [[(0, 6)], [(0, 8)]]),
        ("h?es*", [[(0, 6)], [(0, 8)]]),
        ("h?s*", [[], []]),
        ("haesit faucibus", [[(0, 6), (11, 19)], []]),
        ("", [[], []]),
        ("?!", [[], []]),
    ],
)
def test_hits_are_words_phrases_lemmas_and_wildcards(words, expected):
    assert find_hits(words, ["haesit uox faucibus", "haeserat"]) == expected


def test_wildcards_hit_whole_words():
    assert find_hits("f*bus", ["haesit uox faucibusque"]) == [[(11, 19)]]
    assert find_hits("?ox", ["haesit uox faucibus"]) == [[(7, 10)]]


@given(
    st.text(alphabet="ab /\n", max_size=60),
    st.lists(st.tuples(st.integers(0, 60), st.integers(1, 8)), max_size=6),
    st.lists(st.tuples(st.integers(0, 60), st.integers(1, 8)), max_size=6),
)
def test_pieces_are_the_text_and_keep_every_mark(text, spans, hits):
    spans, hits = (
        [(at, min(at + length, len(text))) for at, length in some if at < len(text)]
        for some in (spans, hits)
    )
    marks, hits = number_marks(spans), sorted(set(hits))
    apart = [hit for n, hit in enumerate(hits) if all(hit[0] >= one[1] for one in hits[:n])]
    cuts = cut(text, marks, apart)
    assert words_of(cuts) == text
    at = 0
    for piece in cuts:
        inside = range(at, at + len(piece.text))
        for place in inside:
            numbers = [mark.number for mark in marks if mark.start <= place < mark.end]
            assert numbers == ([] if piece.number is None else [piece.number])
            assert piece.is_hit == any(start <= place < end for start, end in apart)
        at += len(piece.text)


def test_the_keyword_is_where_matching_words_are_close_together():
    at = TEXT.index("praestat", 400)
    spans = [(0, 4), (at, at + 8), (at + 9, at + 18), (800, 804)]
    before, keyword, after = keyword_in_context(TEXT, spans)
    assert keyword == [Piece("praestat", 1), Piece(" "), Piece("componere", 2)]
    assert before[0] == Piece("… ")
    assert after[-1] == Piece(" …")
    context = words_of(before)[2:], words_of(after)[:-2]
    assert TEXT[:at].endswith(context[0])
    assert TEXT[at + 18 :].startswith(context[1])
    assert all(70 < len(one) <= 100 for one in context)
    for one in context:
        assert set(one.split()) <= set(TEXT.split())  # no word is cut


def test_words_are_whole_and_marks_outside_the_keyword_stay():
    text = 'dixit "arma uirumque", et postea, quod longum est dictu, canebat'
    fragment = keyword_in_context(text, [(7, 11), (12, 17), (57, 64)])
    assert words_of(fragment.keyword) == '"arma uirumque",'
    assert Piece("canebat", 2) in fragment.after
    assert "".join(map(words_of, fragment)) == text


def test_without_matching_words_hits_are_the_keyword_and_without_hits_the_beginning():
    at = TEXT.index("fluctus", 300)
    hits = find_hits("fluctus", [TEXT])[0]
    first = keyword_in_context(TEXT, [], hits)
    assert first.keyword == [Piece("fluctus", None, True), Piece(",")]
    assert keyword_in_context(TEXT, [(at, at + 7)], hits).keyword[0] == Piece("fluctus", 0, True)
    nothing = keyword_in_context(TEXT, [])
    assert nothing.before == nothing.keyword == []
    assert words_of(nothing.after).startswith("Quos ego")
    assert keyword_in_context("", []) == ([], [], [])


def test_a_word_without_an_end_is_cut():
    fragment = keyword_in_context("a" * 1000, [(500, 510)])
    assert sum(len(words_of(part)) for part in fragment) <= 1000
    fragment = keyword_in_context("x " + "b" * 1000 + " y", [(0, 1)])
    assert len(words_of(fragment.after)) < 110


def test_rows_have_both_texts_as_fragments(searched):
    rows = ResultTable(searched.database).page(texts=True).rows
    made = with_fragments(rows, "uox")
    assert [row["row"] for row in made] == [row["row"] for row in rows]
    hit = False
    for row in made:
        for side in ("query", "source"):
            whole = row[f"{side}_text"]
            shown = "".join(map(words_of, row[f"{side}_kwic"]))
            assert shown.removeprefix("… ").removesuffix(" …") in whole
            numbers = {p.number for part in row[f"{side}_kwic"] for p in part} - {None}
            assert numbers <= set(range(len(row["alignment"])))
            assert bool(numbers) == bool(row["alignment"])
            hit |= any(p.is_hit for part in row[f"{side}_kwic"] for p in part)
    assert hit
    assert json.loads(json.dumps(made))
