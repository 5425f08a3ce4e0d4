"""Alignments as cells of a table."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from locisimiles.evidence import Alignment, VectorMeanings, WordPair, align
from locisimiles.results.alignments import format_alignment, parse_alignment

SPANS = st.tuples(st.integers(0, 99), st.integers(1, 9)).map(lambda s: (s[0], s[0] + s[1]))
PAIRS = st.builds(
    WordPair,
    SPANS,
    SPANS,
    st.sampled_from(["form", "lemma", "synonym", "meaning"]),
    st.text(min_size=1, max_size=5),
    st.text(min_size=1, max_size=5),
    st.integers(0, 10_000).map(lambda n: n / 10_000),
)


def test_a_cell_can_be_read_by_people():
    found = align("metuunt et fugiunt pelagus", "mare timent fugiunt", meanings=VectorMeanings())
    assert format_alignment(found) == (
        "0-26=0-19 0-7=5-11:synonym:metuo=timeo:0.8407 11-18=12-19:form:fugio=fugio:1.0 "
        "19-26=0-4:synonym:pelagus=mare:0.7232"
    )


@given(st.lists(PAIRS, min_size=1, max_size=4), SPANS, SPANS)
def test_alignments_are_read_back(pairs, query, source):
    alignment = Alignment(tuple(pairs), query, source)
    assert parse_alignment(format_alignment(alignment), "a" * 108, "a" * 108) == alignment


def test_no_words_give_an_empty_cell():
    nothing = Alignment((), None, None)
    assert format_alignment(nothing) == ""
    assert parse_alignment("", "", "") == nothing


@pytest.mark.parametrize(
    "cell",
    [
        "x", "0-2=0-2", "0-2=0-2 0-2=0-2", "0-2=0-2 0-2=0-2:form:a=a", "0-2=0-2 0-2=0-2:odd:a=a:1",
        "0-2=0-2 2-0=0-2:form:a=a:1", "0-2=0-2 0-2=0-2:form:a:1", "0-2=0-2 0-2=0-2:form:a=a:x",
        "0-2=0-2 -1-2=0-2:form:a=a:1", "0-2=0-2 0-2=0-2:form:a=a:nan", "0-0=0-2 0-2=0-2:form:a=a:1",
    ],
)  # fmt: skip
def test_an_invalid_alignment_is_refused(cell):
    with pytest.raises(ValueError, match="is not an alignment"):
        parse_alignment(cell, "arma", "cano")


@pytest.mark.parametrize("cell", ["0-9=0-2 0-2=0-2:form:a=a:1", "0-2=0-2 0-2=1-5:form:a=a:1"])
def test_an_alignment_beyond_the_texts_is_refused(cell):
    with pytest.raises(ValueError, match="beyond the texts"):
        parse_alignment(cell, "arma", "cano")
