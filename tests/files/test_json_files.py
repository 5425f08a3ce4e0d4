"""JSON files, with errors that name them."""

import pytest

from locisimiles.errors import InputError, MalformedInputError
from locisimiles.files.json_files import json_number, list_in, read_json


@pytest.mark.parametrize(
    ("value", "written"),
    [(0.1234567, 0.123457), (1, 1.0), (float("nan"), None), (float("inf"), None)],
)
def test_numbers_are_short_and_json(value, written):
    assert json_number(value) == written


def test_a_file_that_is_not_there_is_an_error(tmp_path):
    with pytest.raises(InputError, match=r"missing\.json"):
        read_json(tmp_path / "missing.json")


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe", b"[" * 100_000])
def test_what_is_no_json_is_an_error(tmp_path, content):
    path = tmp_path / "bad.json"
    path.write_bytes(content)
    with pytest.raises(MalformedInputError, match=r"bad\.json"):
        read_json(path)


@pytest.mark.parametrize("content", [[], {}, {"rows": {}}, "rows", None])
def test_a_list_that_is_not_there_is_an_error(tmp_path, content):
    with pytest.raises(MalformedInputError, match="the list 'rows' is missing"):
        list_in(content, "rows", tmp_path)
