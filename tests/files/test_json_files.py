"""JSON files, with errors that name them."""

import datetime as dt

import pytest

from locisimiles.errors import InputError, MalformedInputError
from locisimiles.files.json_files import json_number, json_text, list_in, read_json


@pytest.mark.parametrize(
    ("value", "written"),
    [(0.1234567, 0.123457), (1, 1.0), (float("nan"), None), (float("inf"), None)],
)
def test_numbers_are_rounded_and_valid_json(value, written):
    assert json_number(value) == written


def test_a_missing_file_is_an_error(tmp_path):
    with pytest.raises(InputError, match=r"missing\.json"):
        read_json(tmp_path / "missing.json")


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe", b"[" * 100_000])
def test_invalid_json_is_an_error(tmp_path, content):
    path = tmp_path / "bad.json"
    path.write_bytes(content)
    with pytest.raises(MalformedInputError, match=r"bad\.json"):
        read_json(path)


def test_dates_of_parquet_files_become_plain_text():
    day = dt.date(2024, 5, 1)
    assert (json_text(day), json_text([day])) == ("2024-05-01", '["2024-05-01"]')


@pytest.mark.parametrize("content", [[], {}, {"rows": {}}, "rows", None])
def test_a_missing_list_is_an_error(tmp_path, content):
    with pytest.raises(MalformedInputError, match="the list 'rows' is missing"):
        list_in(content, "rows", tmp_path)
