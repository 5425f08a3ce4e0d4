"""The segments before and after a segment."""

import pytest

from locisimiles import Document, ParameterError, Segment, SegmentIdError
from locisimiles.evidence import context_of

DOCUMENT = Document.from_segments(
    [Segment(f"a{n}", f"text {n}", work="a") for n in range(5)] + [Segment("b0", "other", work="b")]
)


@pytest.mark.parametrize(
    ("segment_id", "size", "before", "after"),
    [
        ("a2", 1, ["a1"], ["a3"]),
        ("a2", 2, ["a0", "a1"], ["a3", "a4"]),
        ("a0", 2, [], ["a1", "a2"]),
        ("a4", 9, ["a0", "a1", "a2", "a3"], []),
        ("b0", 1, [], []),
        ("a2", 0, [], []),
    ],
)
def test_context_ends_with_the_work(segment_id, size, before, after):
    context = context_of(DOCUMENT, segment_id, size)
    assert [segment.id for segment in context.before] == before
    assert [segment.id for segment in context.after] == after


def test_context_has_ids_and_texts():
    assert context_of(DOCUMENT, "a1").as_dict() == {
        "before": [{"id": "a0", "text": "text 0"}],
        "after": [{"id": "a2", "text": "text 2"}],
    }


def test_another_work_in_between_ends_the_context():
    parts = [
        Segment("a1", "x", work="a"),
        Segment("b", "x", work="b"),
        Segment("a2", "x", work="a"),
    ]
    assert context_of(Document.from_segments(parts), "a2", 5).before == ()


def test_invalid_arguments_are_refused():
    with pytest.raises(ParameterError, match="size must be at least 0"):
        context_of(DOCUMENT, "a1", -1)
    with pytest.raises(SegmentIdError, match="no segment 'c'"):
        context_of(DOCUMENT, "c")
