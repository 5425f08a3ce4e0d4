"""The columns of tables."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from locisimiles import Candidates, Document, Results, Segment
from locisimiles.results.columns import ADDRESS_COLUMNS, COLUMNS, column_names, result_rows


def one_pair(probabilities=None, **about):
    document = Document.from_segments([Segment("a", "arma", **about)])
    number = np.zeros(1, np.int32)
    score = np.ones(1, np.float32)
    judged = None if probabilities is None else np.array([probabilities], np.float32)
    return Results(document, document, Candidates(number, number, score), {}, judged)


def test_results_without_a_classifier_have_the_usual_columns():
    assert column_names(one_pair()) == COLUMNS
    assert list(next(result_rows(one_pair()))) == list(COLUMNS)


def test_probabilities_have_their_own_columns():
    (row,) = result_rows(one_pair((0.25, 0.125, 0.625)))
    assert list(row)[len(COLUMNS) :] == ["probability", "probability_cit", "probability_cf", "type"]
    assert (row["probability"], row["probability_cit"], row["probability_cf"]) == (
        0.75,
        0.125,
        0.625,
    )
    assert row["type"] == "cf."


def test_only_known_addresses_have_columns(judged):
    assert column_names(judged)[-3:] == ("source_urn", "source_loci", "source_year")
    rows = list(result_rows(judged))
    assert rows[1]["source_loci"] == "3.47@0 3.48@45"
    assert rows[2]["source_urn"] == ""
    assert not {"query_urn", "query_loci", "query_year"} & set(rows[0])
    assert set(ADDRESS_COLUMNS) > {"query_urn"}


@given(st.floats(0, 1, width=32), st.floats(0, 1, width=32))
def test_rounded_probabilities_add_up(one, other):
    cit, cf = one * other, one * (1 - other)
    (row,) = result_rows(one_pair((1 - one, cit, cf)))
    assert row["probability"] == round(row["probability_cit"] + row["probability_cf"], 4)
    again = row["probability_cit"], row["probability_cf"]
    (other_row,) = result_rows(one_pair((1 - sum(again), *again)))
    assert other_row["probability"] == row["probability"]
