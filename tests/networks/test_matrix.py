"""Who cites whom, counted by hand."""

import numpy as np
import pytest

from locisimiles import Candidates, Document, ParameterError, Results, Segment
from locisimiles.networks import chronology, count_citations, reference_rows, year_of

QUERY = [
    Segment("q1", "a", author="Jerome", work="Epistulae"),
    Segment("q2", "b", author="Jerome", work="Adversus Iovinianum"),
    Segment("q3", "c", author="Lactantius", work="Divinae institutiones"),
]
SOURCE = [
    Segment("s1", "a", author="Virgil", work="Aeneis"),
    Segment("s2", "b", author="Virgil", work="Georgica"),
    Segment("s3", "c", author="Nemo"),
    Segment("s4", "d", author="Augustinus", work="Confessiones", meta={"year": "400"}),
]
PAIRS = [(0, 0), (0, 1), (1, 0), (1, 3), (2, 2), (2, 3)]
JUDGED = [
    [0.1, 0.8, 0.1], [0.9, 0.1, 0.0], [0.2, 0.2, 0.6], [0.4, 0.3, 0.3], [0.5, 0.0, 0.5],
    [0.3, 0.4, 0.3],
]  # fmt: skip


def results(judged=True):
    pairs = np.array(PAIRS, np.int32)
    return Results(
        Document.from_segments(QUERY),
        Document.from_segments(SOURCE),
        Candidates(pairs[:, 0], pairs[:, 1], np.array([3, 2, 3, 2, 3, 2], np.float32)),
        {},
        np.array(JUDGED, np.float32) if judged else None,
    )


def table(matrix, name):
    values = getattr(matrix, name)
    return {
        (one.label, other.label): values[row, column].item()
        for row, one in enumerate(matrix.citing)
        for column, other in enumerate(matrix.cited)
        if values[row, column]
    }


def test_with_a_classifier_probable_references_count():
    assert reference_rows(results()).tolist() == [0, 2, 3, 4, 5]


def test_without_a_classifier_the_best_of_each_query_counts():
    assert reference_rows(results(judged=False)).tolist() == [0, 2, 4]


def test_minimum_and_best_can_be_combined():
    assert reference_rows(results(), minimum=0.65).tolist() == [0, 2, 5]
    assert reference_rows(results(), best=1, minimum=0.65).tolist() == [0, 2]
    assert reference_rows(results(judged=False), minimum=2.5).tolist() == [0, 2, 4]
    with pytest.raises(ParameterError, match="best must be at least 1"):
        reference_rows(results(), best=0)


def test_authors_are_counted_with_types():
    matrix = count_citations(results())
    assert table(matrix, "references") == {
        ("Jerome", "Virgil"): 2, ("Jerome", "Augustinus"): 1,
        ("Lactantius", "Nemo"): 1, ("Lactantius", "Augustinus"): 1,
    }  # fmt: skip
    assert table(matrix, "cit") == {
        ("Jerome", "Virgil"): 1, ("Jerome", "Augustinus"): 1, ("Lactantius", "Augustinus"): 1
    }  # fmt: skip
    assert table(matrix, "cf") == {("Jerome", "Virgil"): 1, ("Lactantius", "Nemo"): 1}
    assert table(matrix, "weight")["Jerome", "Virgil"] == pytest.approx(1.7)


def test_works_are_counted_separately():
    found = table(count_citations(results(), level="work"), "references")
    assert found["Jerome, Epistulae", "Virgil, Aeneis"] == 1
    assert found["Jerome, Adversus Iovinianum", "Virgil, Aeneis"] == 1
    assert sum(found.values()) == 5


def test_without_a_classifier_references_have_no_type_and_weigh_one():
    matrix = count_citations(results(judged=False))
    assert not matrix.cit.any()
    assert not matrix.cf.any()
    assert (matrix.weight == matrix.references).all()


def test_later_and_undated_sources_are_counted():
    matrix = count_citations(results())
    # Against Jovinian is of 393, the Institutes of 311; the Confessions are given as of 400.
    assert table(matrix, "out_of_order") == {
        ("Jerome", "Augustinus"): 1, ("Lactantius", "Augustinus"): 1
    }  # fmt: skip
    assert table(matrix, "undated") == {("Lactantius", "Nemo"): 1}


def test_chronological_omits_later_sources_but_keeps_undated_ones():
    matrix = count_citations(results(), chronological=True)
    assert table(matrix, "references") == {("Jerome", "Virgil"): 2, ("Lactantius", "Nemo"): 1}
    assert not matrix.out_of_order.any()


def test_the_earliest_come_first_and_those_without_a_date_last():
    matrix = count_citations(results())
    assert [party.author for party in matrix.cited] == ["Virgil", "Augustinus", "Nemo"]
    assert [(party.first_year, party.last_year) for party in matrix.citing] == [
        (311, 311),
        (393, 419),
    ]
    assert matrix.cited[-1].first_year is None


def test_links_are_the_cells_with_references():
    links = list(count_citations(results()).links())
    assert len(links) == 4
    assert sum(link.references for link in links) == 5
    assert sum(link.cit + link.cf for link in links) == 5


def test_a_year_that_is_given_comes_before_the_catalogue():
    assert year_of(Segment("a", "", author="Virgil", work="Aeneis", meta={"year": "-20"})) == -20
    assert year_of(Segment("a", "", author="Virgil", work="Aeneis", meta={"year": "?"})) == -19
    assert year_of(Segment("a", "", author="Virgil", work="Culex")) is None
    assert chronology(10, 10) == "in order"
