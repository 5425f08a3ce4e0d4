"""Selections as files."""

import json
from datetime import UTC, datetime

import pytest

from locisimiles import ParameterError, read_results
from locisimiles.app.judging.verdicts import Judging
from locisimiles.app.results import ResultFilter, ResultTable
from locisimiles.app.results.exporting import export_file, stored_results
from locisimiles.export import EXPORT_SUFFIXES


@pytest.mark.parametrize("storage", ["sqlite"], indirect=True)
@pytest.mark.parametrize("suffix", EXPORT_SUFFIXES)
def test_every_format_can_be_written(searched, suffix):
    content = export_file(searched, suffix, ResultFilter(best=1))
    assert content
    assert b"/tmp" not in content


def test_an_export_has_the_filtered_results(searched, tmp_path):
    selection = ResultFilter(source_author="Virgil", least_score=3.0)
    path = tmp_path / "hits.csv"
    path.write_bytes(export_file(searched, ".csv", selection))
    read = [(r.query.id, r.source.id) for r in read_results(path)]
    rows = ResultTable(searched.database).page(selection, limit=1000).rows
    assert read == [(row["query_id"], row["source_id"]) for row in rows]


def test_accepted_pairs_can_be_chosen(searched):
    row = ResultTable(searched.database).page(limit=1).rows[0]
    Judging(searched).judge(row["query_id"], row["source_id"], reader="Ann", verdict="cit.")
    selection = ResultFilter(status="accepted")
    results = stored_results(searched, selection, reader="Ann")
    assert [(r.query.id, r.source.id) for r in results] == [(row["query_id"], row["source_id"])]
    assert len(stored_results(searched, selection, reader="Bob")) == 0


def test_probabilities_are_written_where_there_are_some(searched):
    with searched.database.writing() as connection:
        connection.execute(
            "UPDATE result SET cit = 0.5, cf = 0.25, probability = 0.75, type = 'cit.'"
        )
    results = stored_results(searched, ResultFilter(best=1))
    assert results.probabilities[0].tolist() == [0.25, 0.5, 0.25]
    first = json.loads(export_file(searched, ".json", ResultFilter(best=1)))["references"][0]
    assert (first["probability"], first["type"]) == (0.75, "cit.")


def test_the_manifest_says_what_was_chosen(searched):
    manifest = json.loads(export_file(searched, ".json", ResultFilter(best=1)))["manifest"]
    assert manifest["selection"] == {"best": 1}
    assert manifest["query"]["segments"] == 42


def test_unknown_formats_are_refused(searched):
    with pytest.raises(ParameterError, match=r"unknown format '\.exe'"):
        export_file(searched, ".exe")


@pytest.fixture
def judged(searched):
    """Return a project whose first pair the machine calls cit., but Ann cf."""
    with searched.database.writing() as connection:
        connection.execute(
            "UPDATE result SET cit = 0.5, cf = 0.25, probability = 0.75, type = 'cit.'"
        )
    row = ResultTable(searched.database).page(limit=1).rows[0]
    pair = row["query_id"], row["source_id"]
    Judging(searched).judge(*pair, reader="Ann", verdict="cf.", note="see Hagendahl")
    return searched


@pytest.mark.parametrize("storage", ["sqlite"], indirect=True)
@pytest.mark.parametrize("suffix", sorted({*EXPORT_SUFFIXES} - {".trec"}))  # six columns, no more
def test_every_format_has_verdict_note_reader_and_date(judged, suffix, tmp_path):
    content = export_file(judged, suffix, ResultFilter(best=1), reader="Ann")
    date = Judging(judged).all()[0].time
    if suffix in (".xlsx", ".parquet"):
        path = tmp_path / f"hits{suffix}"
        path.write_bytes(content)
        content = repr(read_results(path).judgements).encode()
    for expected in (
        "cf.",
        "see Hagendahl",
        "Ann",
        f"{datetime.fromtimestamp(date, UTC):%Y-%m-%d}",
    ):
        assert expected.encode() in content, expected
    assert b"not judged by a reader" not in content


def test_a_verdict_overrides_the_machines_type(judged):
    first = json.loads(export_file(judged, ".json", reader="Ann"))["references"][0]
    assert (first["type"], first["machine_type"], first["verdict"]) == ("cf.", "cit.", "cf.")
    # Another reader who has not judged gets what all readers agree on.
    first = json.loads(export_file(judged, ".json", reader="Bob"))["references"][0]
    assert (first["type"], first["reader"]) == ("cf.", "Ann")
    pair = first["query_id"], first["source_id"]
    Judging(judged).judge(*pair, reader="Bob", verdict="reject")
    first = json.loads(export_file(judged, ".json", reader="Bob"))["references"][0]
    assert (first["type"], first["reader"]) == ("none", "Bob")
    first = json.loads(export_file(judged, ".json", reader="Joe"))["references"][0]
    assert (first["type"], first["verdict"], first["reader"]) == ("cit.", "", "")
    assert [one["reader"] for one in json.loads(first["judgements"])] == ["Ann", "Bob"]
