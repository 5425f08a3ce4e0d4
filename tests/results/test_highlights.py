"""Words to highlight."""

from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from locisimiles import Candidates, Document, Results, Segment
from locisimiles.evidence import Alignment, WordPair, align
from locisimiles.results import highlights
from locisimiles.results.highlights import Mark, aligned_references, marks_of, pieces


def results(*texts):
    document = Document.from_segments(Segment(str(n), text) for n, text in enumerate(texts))
    numbers = np.arange(len(texts), dtype=np.int32)
    return Results(
        document, document, Candidates(numbers, numbers, np.ones(len(texts), np.float32)), {}
    )


def test_each_reference_comes_with_its_own_alignment(monkeypatch):
    monkeypatch.setattr(highlights, "_AT_ONCE", 2)
    texts = ["arma uirumque", "uox faucibus haesit", "cano", "nihil"]
    found = list(aligned_references(results(*texts)))
    assert [reference.query.text for reference, _, _ in found] == texts
    assert [alignment for _, alignment, _ in found] == [align(text, text) for text in texts]
    assert [explanation for _, _, explanation in found] == [""] * 4


def test_each_reference_comes_with_its_own_explanation(monkeypatch):
    monkeypatch.setattr(highlights, "_AT_ONCE", 2)
    explained = replace(results("arma", "uox", "cano"), explanations=("a", "b", "c"))
    assert [explanation for *_, explanation in aligned_references(explained)] == ["a", "b", "c"]


def test_words_of_a_pair_have_the_same_number():
    alignment = align("haesit uox", "uox haesit")
    query, source = marks_of(alignment)
    assert query == [Mark(0, 6, 0), Mark(7, 10, 1)]
    assert source == [Mark(0, 3, 1), Mark(4, 10, 0)]


def test_overlapping_words_are_marked_once():
    pair = WordPair((0, 4), (0, 4), "form", "a", "a", 1.0)
    other = WordPair((2, 6), (5, 6), "form", "a", "a", 1.0)
    query, source = marks_of(Alignment((pair, other), None, None))
    assert query == [Mark(0, 4, 0)]
    assert source == [Mark(0, 4, 0), Mark(5, 6, 1)]


@given(st.text(max_size=30), st.sets(st.integers(0, 30)))
def test_pieces_make_up_the_text(text, cuts):
    edges = sorted(cut for cut in cuts if cut <= len(text))
    marks = [Mark(a, b, n) for n, (a, b) in enumerate(zip(edges[::2], edges[1::2], strict=False))]
    cut = list(pieces(text, marks))
    assert "".join(piece for piece, _ in cut) == text
    assert [piece for piece, number in cut if number is not None] == [
        text[a:b] for a, b, _ in marks
    ]


def test_no_piece_is_empty():
    assert list(pieces("uoxet", [Mark(0, 3, 0), Mark(3, 5, 1)])) == [("uox", 0), ("et", 1)]
    assert list(pieces("", [])) == []


def test_words_that_touch_are_both_marked():
    assert highlights.number_marks([(4, 6), (0, 4), (5, 9)]) == [Mark(0, 4, 1), Mark(4, 6, 0)]


def test_explanations_do_not_depend_on_alignments():
    found = replace(results("arma", "uox"), explanations=("a", "b"))
    aligned = replace(found, alignments=(align("arma", "arma"), align("uox", "uox")))
    for one in (found, aligned):
        assert [(a.lemmas, e) for _, a, e in aligned_references(one)] == [
            (("arma",), "a"), (("uox",), "b"),
        ]  # fmt: skip
    without = replace(aligned, explanations=None)
    assert [e for *_, e in aligned_references(without)] == ["", ""]
