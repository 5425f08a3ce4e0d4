import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from locisimiles.corpus import Document, LocusMark, Segment, cut_windows
from locisimiles.errors import ParameterError

VERSE = Segment(
    "verg. aen. 1.1.1",
    "Arma uirumque cano / Italiam fato profugus / litora.",
    author="Virgil",
    work="Aeneis",
    locus="1.1-1.3",
    loci=(LocusMark("1.1", 0), LocusMark("1.2", 21), LocusMark("1.3", 45)),
    meta={"year": "-19"},
)


def _windows(segment, words, step=None):
    return list(cut_windows(Document.from_segments([segment]), words, step))


def test_windows_overlap_by_half_unless_a_step_is_named():
    texts = [w.text for w in _windows(Segment("a", "a b c d e f"), words=4)]
    assert texts == ["a b c d", "c d e f"]


@pytest.mark.parametrize(
    ("step", "texts"),
    [
        (1, ["a b c", "b c d", "c d e"]),
        (2, ["a b c", "c d e"]),
        (3, ["a b c", "d e"]),
    ],
)
def test_the_next_window_begins_a_step_further(step, texts):
    assert [w.text for w in _windows(Segment("a", "a b c d e"), words=3, step=step)] == texts


@pytest.mark.parametrize("words", [5, 6, 100])
def test_a_segment_no_longer_than_a_window_stays_whole(words):
    [window] = _windows(Segment("a", "a b c d e"), words=words)
    assert (window.id, window.text) == ("a~1", "a b c d e")


def test_verse_marks_are_not_words_and_do_not_begin_or_end_a_window():
    assert [window.text for window in _windows(VERSE, words=3, step=3)] == [
        "Arma uirumque cano",
        "Italiam fato profugus",
        "litora.",
    ]


def test_a_window_knows_the_lines_it_covers():
    first, second, third = _windows(VERSE, words=4, step=2)
    assert [w.locus for w in (first, second, third)] == ["1.1-1.2", "1.1-1.2", "1.2-1.3"]
    assert first.loci == (("1.1", 0), ("1.2", 21))
    assert second.loci == (("1.1", 0), ("1.2", 7))
    assert third.loci == (("1.2", 0), ("1.3", 16))


def test_a_window_of_a_text_without_marks_has_the_segments_locus():
    segment = Segment("a", "a b c d", locus="12")
    assert [(w.locus, w.loci) for w in _windows(segment, words=2)] == [("12", ())] * 3


def test_a_window_keeps_author_work_and_metadata_and_names_its_segment():
    window = _windows(VERSE, words=3, step=3)[1]
    assert (window.id, window.author, window.work) == ("verg. aen. 1.1.1~2", "Virgil", "Aeneis")
    assert window.meta == {"year": "-19", "segment": "verg. aen. 1.1.1", "offset": "21"}


@pytest.mark.parametrize(("words", "step"), [(0, None), (-1, 1), (3, 0), (3, 4), (3, -1)])
def test_windows_that_would_leave_words_out_are_refused(words, step):
    with pytest.raises(
        ParameterError, match=r"(words must be at least 1|step must be between 1 and 3) \(got"
    ):
        cut_windows(Document.from_segments([VERSE]), words, step)


def test_a_segment_of_punctuation_alone_stays_whole():
    assert [window.text for window in _windows(Segment("a", "/"), words=3)] == ["/"]


@settings(deadline=None)
@given(st.lists(st.sampled_from(["arma", "uirum,", "/", "é", "b"]), min_size=1), st.data())
def test_windows_map_back_to_their_segment_and_cover_all_its_words(words, data):
    size = data.draw(st.integers(1, 8))
    step = data.draw(st.integers(1, size))
    segment = Segment("a", "  ".join(words))
    covered = set()
    for window in _windows(segment, size, step):
        begin = int(window.meta["offset"])
        assert window.text == segment.text[begin : begin + len(window.text)]
        assert len([w for w in window.text.split() if w != "/"]) <= size
        covered.update(range(begin, begin + len(window.text)))
    letters = {i for i, c in enumerate(segment.text) if c.isalpha()}
    assert letters <= covered


@settings(deadline=None)
@given(st.integers(1, 8), st.data())
def test_a_window_and_its_segment_agree_on_the_locus_of_every_word(size, data):
    step = data.draw(st.integers(1, size))
    for window in _windows(VERSE, size, step):
        begin = int(window.meta["offset"])
        for offset, letter in enumerate(window.text):
            if letter.isalpha():
                assert window.locus_at(offset) == VERSE.locus_at(begin + offset)
