"""Judgements in the cells of a table."""

import json

import pytest

from locisimiles.errors import MalformedInputError
from locisimiles.results import PairJudgement, ReaderJudgement
from locisimiles.results.reader_cells import (
    JUDGEMENT_COLUMNS,
    are_judged,
    judgement_cells,
    parse_judgement,
    parse_verdict,
)

ANN = ReaderJudgement("cf.", "cf. Hagendahl", "Ann", "2026-01-02", independent=True)
EVE = ReaderJudgement("cit.", "", "Eve", "2026-01-03", adjudicated=True)
EMPTY = dict.fromkeys(JUDGEMENT_COLUMNS, "")


def test_a_pair_that_was_not_judged_has_empty_cells():
    assert judgement_cells(None) == EMPTY
    assert parse_judgement(EMPTY) is None


def test_cells_say_what_counts_and_who_said_what():
    cells = judgement_cells(PairJudgement.of([ANN, EVE]))
    assert cells["verdict"] == "cit."
    assert cells["reader"] == "Eve"
    assert cells["adjudicated"] == "yes"
    assert json.loads(cells["judgements"]) == [
        {"verdict": "cf.", "note": "cf. Hagendahl", "reader": "Ann", "date": "2026-01-02",
         "independent": True},
        {"verdict": "cit.", "reader": "Eve", "date": "2026-01-03", "adjudicated": True},
    ]  # fmt: skip


@pytest.mark.parametrize("readers", [[ANN], [ANN, EVE], [ReaderJudgement(None, "unclear")]])
def test_what_was_written_is_read(readers):
    judged = PairJudgement.of(readers)
    assert parse_judgement(judgement_cells(judged)) == judged


def test_a_judgement_without_readers_has_no_list_of_them():
    cells = judgement_cells(PairJudgement("cf."))
    assert (cells["verdict"], cells["adjudicated"], cells["judgements"]) == ("cf.", "", "")
    assert parse_judgement(cells) == PairJudgement("cf.")


@pytest.mark.parametrize("name", JUDGEMENT_COLUMNS)
def test_one_cell_is_enough_to_be_judged(name):
    cells = EMPTY | {name: "[]" if name == "judgements" else "cf." if name == "verdict" else "x"}
    assert isinstance(parse_judgement(cells), PairJudgement)


def test_only_what_we_wrote_as_yes_is_adjudicated():
    assert not parse_judgement(EMPTY | {"verdict": "cf.", "adjudicated": "no"}).adjudicated
    listed = json.dumps([{"verdict": "cf.", "adjudicated": 1, "independent": "yes"}])
    (one,) = parse_judgement(EMPTY | {"judgements": listed}).readers
    assert (one.adjudicated, one.independent) == (False, False)


@pytest.mark.parametrize("cell", ["{", "1", "[1]", '{"verdict": "cf."}', "[" * 100_000])
def test_other_json_is_no_list_of_judgements(cell):
    with pytest.raises(MalformedInputError) as caught:
        parse_judgement(EMPTY | {"judgements": cell})
    assert caught.value.message.code == "export.no_judgements"
    assert caught.value.message.values["cell"] == cell[:60]


def test_an_unknown_verdict_is_an_error_but_an_empty_one_is_none():
    assert parse_verdict("") is None
    with pytest.raises(MalformedInputError) as caught:
        parse_verdict("maybe")
    assert caught.value.message.code == "export.unknown_verdict"


def test_a_table_is_judged_if_it_has_all_the_columns():
    assert are_judged(JUDGEMENT_COLUMNS)
    assert are_judged((*JUDGEMENT_COLUMNS, "query_id"))
    for name in JUDGEMENT_COLUMNS:
        assert not are_judged(tuple(one for one in JUDGEMENT_COLUMNS if one != name))


def test_letters_of_notes_are_readable_in_the_cell():
    cells = judgement_cells(PairJudgement.of([ReaderJudgement("cf.", "carō, λόγος")]))
    assert "carō, λόγος" in cells["judgements"]
