"""What tables of all kinds share, whoever reads them."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from locisimiles.corpus import Document
from locisimiles.errors import MalformedInputError, MissingColumnError
from locisimiles.export.tables import read_pair_table
from locisimiles.files.tables import (
    Table,
    check_columns,
    delimited_rows,
    find_header,
    listed_columns,
    named_rows,
    read_table,
)

HEADER = "id,text,query_id,source_id"
READERS = (Document, read_table, read_pair_table)


@pytest.fixture(params=READERS, ids=lambda reader: reader.__name__)
def read(request, tmp_path):
    """Read a table in one of the three ways in which tables are read."""

    def read(text, suffix="csv"):
        path = tmp_path / f"a.{suffix}"
        path.write_text(text, encoding="utf-8", newline="")
        table = request.param(path)
        return list(table.texts) if request.param is Document else [
            row.cells["text"] for row in table.rows
        ]  # fmt: skip

    return read


@pytest.mark.parametrize(
    "text",
    [
        f"{HEADER}\na,arma,q,s\n",
        f"\n\r\n{HEADER}\r\na,arma,q,s",
        f"{HEADER}\na,arma,q,s,,\n",
        f"\ufeff{HEADER}\n\na,arma,q,s\n\n",
        f'{HEADER.upper()}\na,"arma",q,s\n',
    ],
)
def test_blank_lines_and_blank_cells_at_the_end_do_no_harm_to_any_table(read, text):
    assert read(text) == ["arma"]


@pytest.mark.parametrize(
    ("text", "suffix", "row", "message"),
    [
        (f'{HEADER}\na,"arma\n', "csv", 2, "the table is broken here"),
        (f"{HEADER}\na,b,c,d\na,b,c,d,e\n", "csv", 3, "the row has 5 cells, the header 4"),
        ("{", "jsonl", 1, "the JSON is broken"),
        ('{"id": 1, "text": "a", "query_id": 1, "source_id": 1}\n\n[]', "jsonl", 3, "not a JSON"),
    ],
)
def test_every_table_says_in_which_row_it_is_broken(read, text, suffix, row, message):
    with pytest.raises(MalformedInputError, match=message) as caught:
        read(text, suffix)
    assert caught.value.row == row


def test_no_table_has_two_columns_of_the_same_name(read):
    with pytest.raises(MissingColumnError, match="two columns are called 'id'; rename one"):
        read(f"{HEADER},ID\n")


def test_rows_are_numbered_as_a_spreadsheet_numbers_them():
    rows = list(delimited_rows('a;b\n\n"1\n2";3\n4\n', ";", "a.csv"))
    assert rows == [(1, ["a", "b"]), (3, ["1\n2", "3"]), (4, ["4"])]


def test_without_quoting_quotation_marks_are_text():
    assert list(delimited_rows('"a\tb"\n', "\t", "a.tsv", quoted=False)) == [(1, ['"a', 'b"'])]


def test_short_rows_are_padded_unless_rows_must_be_even():
    assert list(named_rows(["a", "b"], [(2, ["1"])], "a.csv")) == [(2, {"a": "1", "b": ""})]
    with pytest.raises(MalformedInputError, match="row 2: the row has 1 cells"):
        list(named_rows(["a", "b"], [(2, ["1"])], "a.csv", even=True))


def test_the_delimiter_fits_the_header_or_is_the_most_frequent():
    assert find_header("a;b,c,d\n", lambda cells: cells[0] == "a")[0] == ";"
    assert find_header("a;b,c,d\n", lambda _: False)[0] == ","


def test_the_first_present_column_is_taken_and_a_missing_one_named():
    table = Table("a.csv", ("fold_id", "x\x1b"), ())
    assert table.require(["fold", "fold_id"]) == "fold_id"
    with pytest.raises(MissingColumnError) as caught:
        table.require(["label", "type"])
    assert str(caught.value) == (
        "a.csv, row 1: there is no column 'label'; the columns are fold_id, x�; "
        "possible names are label, type"
    )


def test_columns_without_a_name_may_be_several():
    check_columns(["", " ", "a"], "a.csv")
    assert listed_columns(["", " "]) == ["–"]


@given(st.text(st.sampled_from('ab,"\r\n\u2028 '), max_size=30))
def test_lines_are_those_of_a_text_stream(text):
    """The csv module wants line breaks as they are, also within cells."""

    def rows(lines):
        try:
            return [cells for cells in csv.reader(lines, strict=True) if cells]
        except csv.Error:
            return None

    try:
        found = [cells for _, cells in delimited_rows(text, ",", "a.csv")]
    except MalformedInputError:
        found = None
    assert found == rows(io.StringIO(text, newline=""))
