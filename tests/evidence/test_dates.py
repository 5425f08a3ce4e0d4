"""When works were finished."""

import math

import pytest

from locisimiles import Document, Segment
from locisimiles.evidence.dates import years_of


@pytest.mark.parametrize(
    ("segment", "year"),
    [
        (Segment("1", "a", author="Virgil", work="Aeneis"), -19),
        (Segment("1", "a", author="virgil", work="aeneis"), -19),
        (Segment("verg. georg. 1.1.1", "a"), -29),
        (Segment("verg. aen. 1.1.1", "a", author="Virgil", work="Georgica"), -29),
        (Segment("1", "a", author="Virgil", work="Culex"), -38),
        (Segment("1", "a", author="Virgil", work="Aeneis", meta={"year": "-20"}), -20),
        (Segment("1", "a", author="Virgil", work="Aeneis", meta={"year": "late"}), -19),
        (Segment("1", "a"), math.inf),
        (Segment("x", "a", author="Nemo"), math.inf),
    ],
)
def test_the_year_of_a_segment(segment, year):
    assert years_of(Document.from_segments([segment])).tolist() == [year]
