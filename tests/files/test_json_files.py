"""JSON files, with errors that name them."""

import datetime as dt

import pytest

from locisimiles.errors import InputError, MalformedInputError, UnsafeInputError
from locisimiles.files.json_files import (
    json_number,
    json_text,
    list_in,
    read_json,
    read_json_object,
    write_json,
)
from locisimiles.files.limits import Limits, limited


@pytest.mark.parametrize(
    ("value", "written"),
    [(0.1234567, 0.123457), (1, 1.0), (float("nan"), None), (float("inf"), None)],
)
def test_numbers_are_rounded_and_valid_json(value, written):
    assert json_number(value) == written


def test_a_missing_file_is_an_error(tmp_path):
    with pytest.raises(InputError, match=r"missing\.json"):
        read_json(tmp_path / "missing.json")


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe"])
def test_invalid_json_is_an_error(tmp_path, content):
    path = tmp_path / "bad.json"
    path.write_bytes(content)
    with pytest.raises(MalformedInputError, match=r"bad\.json"):
        read_json(path)


def test_json_may_be_as_deep_as_the_limit_says(tmp_path):
    path = tmp_path / "deep.json"
    path.write_text("[" * 150 + "]" * 150)
    with pytest.raises(UnsafeInputError, match=r"deep\.json.*nested more than 100 deep"):
        read_json(path)
    with limited(Limits(depth=150)):
        assert read_json(path)
    path.write_text("[" * 100_000)
    with limited(Limits(depth=1_000_000)), pytest.raises(MalformedInputError, match="deep"):
        read_json(path)  # the interpreter has a limit of its own


def test_dates_of_parquet_files_become_plain_text():
    day = dt.date(2024, 5, 1)
    assert (json_text(day), json_text([day])) == ("2024-05-01", '["2024-05-01"]')


@pytest.mark.parametrize("content", [[], {}, {"rows": {}}, "rows", None])
def test_a_missing_list_is_an_error(tmp_path, content):
    with pytest.raises(MalformedInputError, match="the list 'rows' is missing"):
        list_in(content, "rows", tmp_path)


def test_an_object_is_written_and_read(tmp_path):
    path = tmp_path / "a.json"
    write_json(path, {"b": "ē", "a": [1]}, sort_keys=True)
    assert path.read_text(encoding="utf-8") == '{\n "a": [\n  1\n ],\n "b": "ē"\n}\n'
    assert read_json_object(path) == {"a": [1], "b": "ē"}


def test_only_objects_are_read_as_objects(tmp_path):
    path = tmp_path / "a.json"
    path.write_text("[]", encoding="utf-8")
    with pytest.raises(MalformedInputError, match="not a JSON object"):
        read_json_object(path)
