"""Results as rows."""

import json

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from locisimiles.benchmark.metrics.measurement import Measurement
from locisimiles.benchmark.runs.query_values import QueryValues, read_query_values
from locisimiles.benchmark.runs.rows import PROTOCOLS, ResultRow, read_rows, rows_of, write_rows
from locisimiles.errors import InputError, MalformedInputError, OutputError, ParameterError

ROW = ResultRow("bm25", "retrieval", "cit", "R@10", 0.68, 0.04, 706, "locisimiles benchmark run")
NUMBERS = st.none() | st.floats(-1, 1)
ROWS = st.builds(
    ResultRow,
    method=st.text(),
    protocol=st.sampled_from(list(PROTOCOLS)),
    group=st.sampled_from(["cit", "cf", "pooled"]),
    metric=st.text(),
    mean=NUMBERS,
    std=NUMBERS,
    n=st.integers(0, 10**6),
    command=st.text(),
)


def test_the_protocols_are_those_of_the_benchmark():
    assert tuple(PROTOCOLS) == (
        "retrieval",
        "classification",
        "retrieve-and-rerank",
        "author-pairs",
        "overlap",
        "calibration",
    )


def test_measurements_become_rows():
    measured = Measurement.over_folds("cf", "F1", [0, 1], [0.1, 0.3], 44)
    alone = Measurement.over_folds("cf", "F1", [-1], [1 / 3], 44)
    rows = rows_of([measured, alone], method="default", protocol="classification", command="make")
    assert rows == [
        ResultRow("default", "classification", "cf", "F1", 0.2, 0.1, 44, "make"),
        ResultRow("default", "classification", "cf", "F1", 0.333333, None, 44, "make"),
    ]


def test_a_file_is_plain_json_with_the_documented_fields(tmp_path):
    path = tmp_path / "retrieval.json"
    assert write_rows(path, [ROW]) == [path]
    assert json.loads(path.read_text(encoding="utf-8")) == {
        "rows": [
            {
                "method": "bm25",
                "protocol": "retrieval",
                "group": "cit",
                "metric": "R@10",
                "mean": 0.68,
                "std": 0.04,
                "n": 706,
                "command": "locisimiles benchmark run",
            }
        ]
    }


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(ROWS, max_size=4))
def test_written_rows_are_read_back(tmp_path, rows):
    path = tmp_path / "rows.json"
    write_rows(path, rows)
    assert read_rows(path) == rows


def test_values_of_queries_are_written_beside_them(tmp_path):
    path = tmp_path / "retrieval.json"
    values = QueryValues("bm25", "retrieval", "cit", "R@10", ("q",), (0,), np.array([0.5]))
    assert write_rows(path, [ROW], [values]) == [path, tmp_path / "queries" / "retrieval.json"]
    assert read_query_values(path)[0].value.tolist() == [0.5]


def test_an_unknown_protocol_is_an_error():
    with pytest.raises(ParameterError, match="retrieve-and-rerank"):
        ResultRow("bm25", "rerank", "cit", "R@10", 0.68, 0.04, 706, "")


def entry(**changes):
    row = dict.fromkeys(("method", "group", "metric", "command"), "x")
    return {**row, "protocol": "overlap", "mean": 0.5, "std": None, "n": 3, **changes}


@pytest.mark.parametrize(
    "wrong",
    [
        {"method": "bm25"},
        "bm25",
        entry(more=1),
        entry(protocol="reranking"),
        entry(protocol=["overlap"]),
        entry(n="3"),
        entry(mean="0.5"),
        entry(method=None),
    ],
)
def test_an_invalid_row_is_named(tmp_path, wrong):
    path = tmp_path / "rows.json"
    path.write_text(json.dumps({"rows": [entry(), wrong]}), encoding="utf-8")
    with pytest.raises(MalformedInputError, match=r"rows\.json, row 2"):
        read_rows(path)


def test_unusable_files_are_errors(tmp_path):
    with pytest.raises(InputError, match=r"nowhere\.json"):
        read_rows(tmp_path / "nowhere.json")
    with pytest.raises(OutputError):
        write_rows(tmp_path / "no" / "folder.json", [ROW])
