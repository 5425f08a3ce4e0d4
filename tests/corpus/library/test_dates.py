"""When works were finished."""

import numpy as np
import pytest

from locisimiles import Document, Segment
from locisimiles.corpus.library.dates import chronology, work_of, works_of, year_of, years_of

DATED = [
    (Segment("1", "a", author="Virgil", work="Aeneis"), -19),
    (Segment("1", "a", author="virgil", work="aeneis"), -19),
    (Segment("verg. georg. 1.1.1", "a"), -29),
    (Segment("verg. georg. 1.1.1", "a", author="Virgil"), -29),
    (Segment("verg. georg. 1.1.1", "a", author="Vergilius", work="Georgica"), -29),
    (Segment("verg. aen. 1.1.1", "a", author="Virgil", work="Georgica"), -29),
    (Segment("1", "a", author="Virgil", work="Aeneis", meta={"year": "-20"}), -20),
    (Segment("1", "a", author="Virgil", work="Aeneis", meta={"year": " 20 "}), 20),
    (Segment("1", "a", author="Virgil", work="Aeneis", meta={"year": "late"}), -19),
    (Segment("1", "a", author="Virgil", work="Aeneis", meta={"year": "1_9"}), -19),
    (Segment("1", "a"), None),
    (Segment("verg. aen.", "a"), None),
    (Segment("x", "a", author="Nemo"), None),
]
# What one might guess, and would often guess wrong.
NOT_GUESSED = [
    Segment("1", "a", author="Virgil", work="Culex"),
    Segment("1", "a", author="Virgil"),
    Segment("1", "a", work="Aeneis"),
    Segment("verg. aen. 1.1.1", "a", author="Nemo"),
    Segment("verg. aen. 1.1.1", "a", author="Virgil", work="Culex"),
]


@pytest.mark.parametrize(("segment", "year"), DATED)
def test_the_year_of_a_segment(segment, year):
    assert year_of(segment) == year


@pytest.mark.parametrize("segment", NOT_GUESSED)
def test_a_year_is_never_guessed(segment):
    assert work_of(segment) is None
    assert year_of(segment) is None


def test_the_years_of_a_document_are_those_of_its_segments():
    segments = [
        Segment(f"{one.id} {at}" if " " in one.id else str(at), "a", author=one.author,
                work=one.work, meta={"year": one.meta.get("year", "")})
        for at, one in enumerate([*(segment for segment, _ in DATED), *NOT_GUESSED])
    ]  # fmt: skip
    expected = [np.inf if (year := year_of(one)) is None else year for one in segments]
    assert len(set(expected)) > 4
    assert years_of(Document.from_segments(segments)).tolist() == expected


def test_later_texts_cannot_be_cited():
    assert chronology(-19, -19) == "in order"
    assert chronology(-20, -19) == "out of order"
    assert chronology(None, -19) == "unknown"


def test_the_works_of_a_document_are_those_of_its_segments():
    segments = [Segment("verg. aen. 1.1.1", "arma"), Segment("b", "arma")]
    works = works_of(Document.from_segments(segments))
    assert works == [work_of(segment) for segment in segments]
    assert works[0].title == "Aeneis"


@pytest.mark.parametrize(
    ("author", "work", "year"),
    [
        ("Vergil", "Aeneid", -19), ("Virgil", "Äneis", -19), ("P. Vergilius Maro", "aeneis", -19),
        ("Horaz", "Oden", -13), ("Maro, Vergilius", "Aeneis", None), ("Vergilius", "Culex", None),
        ("Lucan", "", None), ("Cicero", "Lucullus", -45), ("Cicéron", "Academica", -45),
    ],
)  # fmt: skip
def test_authors_and_works_are_known_by_all_their_names(author, work, year):
    assert year_of(Segment("a", "arma", author=author, work=work)) == year


def test_another_name_of_a_work_does_not_contradict_its_abbreviation():
    assert year_of(Segment("verg. aen. 1.1", "arma", work="Aeneid")) == -19
    assert year_of(Segment("verg. aen. 1.1", "arma", author="Vergilio")) is None
    assert year_of(Segment("verg. aen. 1.1", "arma", author="Virgilio")) == -19
