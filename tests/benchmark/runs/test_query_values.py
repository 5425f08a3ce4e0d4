"""Values of single queries, beside the rows."""

import json

import numpy as np
import pytest

from locisimiles.benchmark.metrics.measurement import Measurement
from locisimiles.benchmark.runs.query_values import (
    QueryValues,
    paired,
    query_values_of,
    read_query_values,
    write_query_values,
)
from locisimiles.errors import InputError, MalformedInputError, OutputError, ParameterError


def values(method, cells, metric="MRR"):
    """Values from {(query, fold): value}."""
    query, fold = zip(*cells, strict=True) if cells else ((), ())
    numbers = np.array(list(cells.values()), float)
    return QueryValues(method, "retrieval", "cit", metric, query, fold, numbers)


def cells(of):
    return dict(zip(zip(of.query, of.fold, strict=True), of.value.tolist(), strict=True))


def test_measurements_give_values_by_id():
    measured = Measurement.over_queries(
        "cf", "F1", np.array([2, 0], np.int32), np.array([1, 0], np.int8), np.array([0.25, 1.0])
    )
    none = Measurement.over_folds("cf", "macro-F1", [0], [0.5], 1)
    (found,) = query_values_of(
        [measured, none], ["a", "b", "c"], method="default", protocol="classification"
    )
    assert (found.method, found.protocol, found.group, found.metric) == (
        "default",
        "classification",
        "cf",
        "F1",
    )
    assert cells(found) == {("c", 1): 0.25, ("a", 0): 1.0}


def test_written_values_are_read_back(tmp_path):
    first = values("a", {("q 1", 0): 0.5, ("ü", 1): 1.0})
    second = values("b", {("ü", 1): 1 / 3, ("ü", 0): 0.0}, metric="R@10")
    path = tmp_path / "results.json"
    assert write_query_values(path, [first, second]) == tmp_path / "queries" / "results.json"
    one, two = read_query_values(path)
    assert (one.method, one.metric, cells(one)) == ("a", "MRR", cells(first))
    assert (two.method, two.metric) == ("b", "R@10")
    assert cells(two) == {("ü", 1): 0.333333, ("ü", 0): 0.0}


def test_a_file_is_plain_json_of_columns(tmp_path):
    written = write_query_values(
        tmp_path / "results.json", [values("a", {("q", 0): 1.0}), values("b", {("r", 1): 0.5})]
    )
    content = json.loads(written.read_text(encoding="utf-8"))
    assert (content["queries"], content["folds"]) == (["q", "r"], [0, 1])
    assert [column["values"] for column in content["values"]] == [[1.0, None], [None, 0.5]]
    assert content["values"][0]["method"] == "a"


def test_methods_are_paired_by_query_and_fold():
    first = values("a", {("q", 0): 0.1, ("q", 1): 0.2, ("r", 0): 0.3})
    second = values("b", {("r", 0): 3.0, ("q", 1): 2.0, ("q", 0): 1.0})
    one, two = paired(first, second)
    assert sorted(zip(one.tolist(), two.tolist(), strict=True)) == [(0.1, 1), (0.2, 2), (0.3, 3)]


def test_methods_measured_on_different_queries_are_an_error():
    first, second = values("a", {("q", 0): 0.5}), values("b", {("r", 0): 0.25})
    with pytest.raises(ParameterError, match="a and b were measured on different queries"):
        paired(first, second)
    assert [column.tolist() for column in paired(first, second, missing=0)] == [
        [0.5, 0.0],
        [0.0, 0.25],
    ]


def test_unusable_files_are_errors(tmp_path):
    with pytest.raises(InputError, match=r"results\.json"):
        read_query_values(tmp_path / "results.json")
    (tmp_path / "queries").write_text("a file")
    with pytest.raises(OutputError):
        write_query_values(tmp_path / "results.json", [])


COLUMN = {"method": "a", "protocol": "retrieval", "group": "cit", "metric": "MRR", "values": [1]}


@pytest.mark.parametrize(
    "wrong",
    [
        5,
        {},
        {**COLUMN, "values": [1, 2]},
        {**COLUMN, "values": [[1]]},
        {**COLUMN, "values": ["x"]},
        {**COLUMN, "values": 1},
        {name: COLUMN[name] for name in COLUMN if name != "metric"},
    ],
)
def test_an_invalid_column_is_named(tmp_path, wrong):
    (tmp_path / "queries").mkdir()
    content = {"queries": ["q"], "folds": [0], "values": [COLUMN, wrong]}
    (tmp_path / "queries" / "x.json").write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(MalformedInputError, match=r"x\.json, row 2"):
        read_query_values(tmp_path / "x.json")
