"""Texts of a project, by position."""

import pytest

from locisimiles.corpus import Document, Segment
from locisimiles.errors import InputError

WORKS = [("Virgil", "Aeneis"), ("Virgil", "Aeneis"), ("Virgil", "Georgica"), ("", ""), ("", "")]


@pytest.fixture
def texts(project):
    segments = [
        Segment(str(n), "arma", author=author, work=work) for n, (author, work) in enumerate(WORKS)
    ]
    project.set_texts("source", (), Document.from_segments(segments))
    return project.texts


@pytest.mark.parametrize(
    ("position", "extent"), [(0, (0, 2)), (1, (0, 2)), (2, (2, 3)), (3, (3, 5)), (4, (3, 5))]
)
def test_a_work_ends_where_another_begins(texts, position, extent):
    assert texts.extent("source", position) == extent


def test_a_segment_that_does_not_exist_is_in_no_work(texts):
    with pytest.raises(InputError):
        texts.extent("source", 5)
