import pytest

from locisimiles import Segment
from locisimiles.corpus.lines import Line, lines_of, with_lines
from locisimiles.corpus.segment import LocusMark

TEXT = "Arma uirumque / Italiam fato / litora."


def test_lines_of_verse_are_counted_from_the_first():
    lines = lines_of(Segment("a", TEXT, locus="1.10-1.12"))
    assert [(line.locus, TEXT[line.start : line.end]) for line in lines] == [
        ("1.10", "Arma uirumque"),
        ("1.11", "Italiam fato"),
        ("1.12", "litora."),
    ]


def test_marks_of_the_edition_take_precedence():
    marks = (LocusMark("1.10", 0), LocusMark("1.10a", 16), LocusMark("1.12", 31))
    segment = Segment("a", TEXT, locus="1.10-1.12", loci=marks)
    assert [line.locus for line in lines_of(segment)] == ["1.10", "1.10a", "1.12"]
    assert with_lines(segment) is segment


@pytest.mark.parametrize("locus", ["1.10-1.14", "1.10-2.12", "1-2.3", "12a-12c", ""])
def test_lines_have_no_number_where_it_would_be_guessed(locus):
    segment = Segment("a", TEXT, locus=locus)
    assert [line.locus for line in lines_of(segment)] == ["", "", ""]
    assert with_lines(segment) is segment


def test_prose_is_one_line_or_its_sections():
    assert lines_of(Segment("a", "Quousque tandem?", locus="1.1")) == (Line("1.1", 0, 16),)
    marks = (LocusMark("1.1", 0), LocusMark("1.2", 9))
    segment = Segment("a", "Quousque tandem?", locus="1.1-1.2", loci=marks)
    assert lines_of(segment) == (Line("1.1", 0, 8), Line("1.2", 9, 16))


def test_an_empty_text_is_one_empty_line():
    assert lines_of(Segment("a", "")) == (Line("", 0, 0),)
