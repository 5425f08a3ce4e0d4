import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from locisimiles.corpus.columns import Columns, format_marks, parse_marks
from locisimiles.corpus.segment import LocusMark

LOCI = st.text(st.characters(exclude_categories=["Cs"]).filter(lambda c: not c.isspace()))


def test_metadata_that_come_late_are_empty_before():
    columns = Columns()
    columns.add("a", "arma")
    columns.add("b", "cano", meta={"year": "-19"})
    columns.add("c", "Troiae", meta={"genre": "verse"})
    assert columns.meta == {"year": ["", "-19", ""], "genre": ["", "", "verse"]}


def test_extending_fills_the_metadata_of_both_sides():
    left, right = Columns(), Columns()
    left.add("a", "arma", meta={"year": "-19"}, row=2)
    right.add("b", "cano", meta={"genre": "verse"}, author="Virgil", row=7)
    left.extend(right)
    assert left.meta == {"year": ["-19", ""], "genre": ["", "verse"]}
    assert (left.ids, left.texts, left.authors) == (["a", "b"], ["arma", "cano"], ["", "Virgil"])
    assert left.rows == [2, 7]


def test_extending_leaves_the_other_side_alone():
    left, right = Columns(), Columns()
    right.add("b", "cano", meta={"genre": "verse"})
    left.extend(right)
    left.add("c", "Troiae", meta={"genre": "prose"})
    assert right.meta == {"genre": ["verse"]}
    assert len(right) == 1


def test_repeated_authors_are_kept_once():
    columns = Columns()
    columns.add("a", "arma", author="Virgil", work="Aeneis")
    columns.add("b", "cano", author="Virgil", work="Aeneis")
    assert columns.authors[0] is columns.authors[1]
    assert columns.works[0] is columns.works[1]


def test_no_marks_are_an_empty_string():
    assert format_marks([]) == ""
    assert parse_marks("") == ()


def test_a_locus_may_contain_an_at_sign():
    assert parse_marks("1@2@17") == (LocusMark("1@2", 17),)


@settings(deadline=None)
@given(st.lists(st.builds(LocusMark, LOCI, st.integers(min_value=0))))
def test_marks_survive_writing_and_reading(marks):
    assert parse_marks(format_marks(marks)) == tuple(marks)


@pytest.mark.parametrize("locus", ["fr. 4", "1\u00a0a"])
def test_marks_whose_loci_contain_spaces_survive_too(locus):
    assert parse_marks(format_marks([(locus, 0)])) == (LocusMark(locus, 0),)
