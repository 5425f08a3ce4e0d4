import codecs
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from locisimiles.errors import (
    EmptyInputError,
    MalformedInputError,
    MissingColumnError,
    SegmentIdError,
)

RECORD = '{"id": "a", "text": "arma", "author": "Virgil"}'


def test_each_line_is_a_segment(read):
    document = read("jsonl", f'{RECORD}\n\n{{"id": "b", "text": "uirum"}}\r\n')
    assert (document.ids, document.texts) == (("a", "b"), ("arma", "uirum"))
    assert document.authors == ("Virgil", "")


@pytest.mark.parametrize("space", ["", "\n", "\n  "])
def test_an_array_of_objects_is_read_too(read, space):
    data = f'{space}[{space}{RECORD},{space}{{"id": "b", "text": "uirum"}}{space}]'
    assert read("jsonl", data).ids == ("a", "b")


def test_keys_that_differ_in_case_alone_are_refused(read):
    with pytest.raises(MissingColumnError, match="two columns are called 'id'"):
        read("jsonl", f'{RECORD}\n{{"ID": "b", "text": "uirum"}}')


def test_objects_need_not_have_the_same_keys(read):
    data = '{"id": "a", "text": "arma", "x": "1"}\n{"y": "2", "text": "uirum", "id": "b"}'
    document = read("jsonl", data)
    assert dict(document.meta) == {"x": ("1", ""), "y": ("", "2")}


def test_values_other_than_strings_are_kept_as_json(read):
    data = '{"id": 7, "text": "arma", "a": ["é", 1], "b": null, "c": true, "d": 1.5}'
    document = read("jsonl", data)
    assert document["7"].meta == {"a": '["é", 1]', "c": "true", "d": "1.5"}


def test_byte_order_marks_and_other_encodings_are_understood(read):
    assert read("jsonl", codecs.BOM_UTF8 + RECORD.encode()).ids == ("a",)
    assert read("jsonl", RECORD.encode("utf-16")).ids == ("a",)


def test_line_separators_inside_strings_do_not_split_lines(read):
    assert read("jsonl", '{"id": "a", "text": "arma\u2028uirum"}').texts == ("arma\u2028uirum",)


def test_rows_without_text_are_counted(read):
    document = read("jsonl", f'{{"id": "x", "text": null}}\n{RECORD}\n{{"id": "y"}}\n')
    assert document.report.messages() == [
        "text.jsonl: 2 rows skipped, the text is empty (rows 1, 3)"
    ]


@pytest.mark.parametrize(
    ("data", "row"),
    [
        ("{", 1),
        (f"{RECORD}\n{RECORD[:-1]}", 2),
        (f"[\n{RECORD},\n{RECORD[:-1]}\n]", 4),
        ('{"id": ' + "1" * 5000 + "}", 1),
    ],
)
def test_broken_json_is_an_error_with_its_row(read, data, row):
    with pytest.raises(MalformedInputError) as caught:
        read("jsonl", data)
    assert str(caught.value).startswith(f"text.jsonl, row {row}: the JSON is broken (")


@pytest.mark.parametrize(("data", "row"), [("[1]", 1), (f'{RECORD}\n"arma"', 2), ("null", 1)])
def test_a_value_other_than_an_object_is_an_error_with_its_row(read, data, row):
    with pytest.raises(MalformedInputError) as caught:
        read("jsonl", data)
    assert str(caught.value) == (
        f'text.jsonl, row {row}: not a JSON object; objects look like {{"name": "value", …}}'
    )


def test_a_repeated_id_is_refused_with_both_rows(read):
    with pytest.raises(SegmentIdError, match=r"row 3: the id 'a' is already used in row 1"):
        read("jsonl", f"{RECORD}\n\n{RECORD}")


@pytest.mark.parametrize("data", ["[]", "\n\n"])
def test_a_file_without_objects_is_empty(read, data):
    with pytest.raises(EmptyInputError, match=r"text\.jsonl: the file is empty"):
        read("jsonl", data)


def test_an_object_without_text_lacks_a_column(read):
    with pytest.raises(MissingColumnError, match="there is no column 'text'; the columns are id"):
        read("jsonl", '{"id": "a"}')


@settings(deadline=None)
@given(
    st.dictionaries(st.text(min_size=1).filter(str.strip), st.text().filter(str.strip), min_size=1)
)
def test_any_ids_and_texts_survive_writing_and_reading(read, texts):
    records = {segment_id.strip(): text.strip() for segment_id, text in texts.items()}
    lines = [json.dumps({"id": i, "text": t}, ensure_ascii=False) for i, t in records.items()]
    document = read("jsonl", "\n".join(lines))
    assert dict(zip(document.ids, document.texts, strict=True)) == records


HALF = '{"id": "a", "text": "arma", "x": "1"}'


@pytest.mark.parametrize(
    "value",
    [
        "arma",
        "1",
        "a",
        "x",
    ],
)
def test_half_a_character_is_refused_with_its_row(read, value):
    broken = HALF.replace(f'"{value}"', '"\\ud800"')
    with pytest.raises(MalformedInputError) as caught:
        read("jsonl", f"\n{broken}\n")
    assert str(caught.value) == (
        "text.jsonl, row 2: the row contains a lone surrogate (half a character); correct the text"
    )


def test_a_character_written_as_two_halves_is_read(read):
    document = read("jsonl", '{"id": "a", "text": "\\ud835\\udd1e"}')
    assert document.texts == ("𝔞",)
