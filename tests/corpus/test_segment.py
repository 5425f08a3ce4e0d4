import pytest

from locisimiles.corpus import LocusMark, Segment

MARKS = (LocusMark("1.1", 0), LocusMark("1.2", 12), LocusMark("1.3", 22))
SEGMENT = Segment("verg. aen. 1.1.1", "Arma uirum / Italiam / litora", locus="1.1-1.3", loci=MARKS)


@pytest.mark.parametrize(
    ("offset", "locus"),
    [(-1, "1.1"), (0, "1.1"), (11, "1.1"), (12, "1.2"), (21, "1.2"), (22, "1.3"), (9999, "1.3")],
)
def test_a_character_belongs_to_the_line_that_began_last_before_it(offset, locus):
    assert SEGMENT.locus_at(offset) == locus


def test_every_character_of_a_segment_without_marks_has_the_segments_locus():
    assert Segment("a", "arma", locus="1.1").locus_at(3) == "1.1"


def test_a_segment_of_an_unnumbered_text_has_no_loci():
    assert Segment("a", "arma").locus_at(0) == ""


def test_only_id_and_text_are_needed():
    segment = Segment("a", "arma")
    assert (segment.author, segment.work, segment.locus) == ("", "", "")
    assert (segment.loci, segment.meta) == ((), {})


def test_a_segment_cannot_be_changed():
    with pytest.raises(AttributeError):
        SEGMENT.text = "Bella"


def test_metadata_make_segments_different_but_do_not_hinder_hashing():
    plain, dated = Segment("a", "arma"), Segment("a", "arma", meta={"year": "-19"})
    assert plain != dated
    assert hash(plain) == hash(dated)


def test_segments_do_not_share_their_metadata():
    assert Segment("a", "arma").meta is not Segment("b", "cano").meta
