"""Judgements in the cells of a table."""

from locisimiles.results.reader_cells import JUDGEMENT_COLUMNS, judgement_cells


def test_a_pair_that_was_not_judged_has_empty_cells():
    assert judgement_cells(None) == dict.fromkeys(JUDGEMENT_COLUMNS, "")
