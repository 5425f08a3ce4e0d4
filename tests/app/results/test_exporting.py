"""Selections as files."""

import json

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
