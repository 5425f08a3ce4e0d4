"""The precision of a list, read by hand."""

import pytest

from hand_read import COLUMNS, VERDICTS, figures, read_pairs, wilson


def row(reason, verdict=None, probability="0.9", noted="0"):
    told = verdict or ("yes" if VERDICTS[reason] else "no")
    return {"reason": reason, "verdict": told, "probability": probability, "noted": noted}


def test_figures_count_verdicts():
    found = figures([row("quotation", noted="1"), row("lemma"), row("common"), row("formula")])
    assert (found["read"], found["right"], found["noted"]) == (4, 3, 1)
    assert found["precision"] == 0.75
    assert found["low"] < 0.75 < found["high"]
    assert found["reasons"]["common"] == 1
    assert found["expected"] == pytest.approx(0.9)


@pytest.mark.parametrize("wrong", [row("common", "yes"), {**row("lemma"), "reason": "guess"}])
def test_a_reason_must_fit_its_verdict(wrong):
    with pytest.raises(ValueError, match="reasons"):
        figures([row("quotation"), wrong])


def test_the_interval_holds_the_share():
    low, high = wilson(9, 10)
    assert 0.5 < low < 0.9 < high < 1.0


def test_what_was_read_is_complete():
    read = read_pairs()
    assert len(read) >= 200
    assert len({(one["query_id"], one["source_id"]) for one in read}) == len(read)
    assert tuple(read[0]) == COLUMNS
    assert 0 < figures(read)["precision"] <= 1
