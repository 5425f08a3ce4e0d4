"""Tables of any kind, as rows of text."""

import pytest

from locisimiles.errors import (
    EmptyInputError,
    InputError,
    MalformedInputError,
    MissingColumnError,
    UnknownFormatError,
)
from locisimiles.files.tables import TABLE_SUFFIXES, read_table


@pytest.fixture
def write(tmp_path):
    def write(name, content):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.csv", 'ID,Text\n1,"arma, / uirum"\n\n2,tu\n'),
        ("a.tsv", "id\ttext\n1\tarma, / uirum\n\n2\ttu\n"),
        ("a.jsonl", '{"id": 1, "text": "arma, / uirum"}\n\n\n{"ID": "2", "text": "tu"}\n'),
    ],
)
def test_all_formats_give_the_same_rows(write, name, content):
    table = read_table(write(name, content))
    assert table.columns == ("id", "text")
    assert [row.cells for row in table.rows] == [
        {"id": "1", "text": "arma, / uirum"},
        {"id": "2", "text": "tu"},
    ]
    assert table.rows[-1].number == 4


def test_bom_spaces_and_short_rows(write):
    table = read_table(write("a.csv", "\ufeffid , text\n 1\n"))
    assert [row.cells for row in table.rows] == [{"id": "1", "text": ""}]


@pytest.mark.parametrize(
    ("name", "content", "error", "message"),
    [
        ("a.csv", 'id\n"1\n', MalformedInputError, r"a\.csv, row 2: the table is broken"),
        ("a.csv", "id\n1,2\n", MalformedInputError, r"a\.csv, row 2: the row has 2 cells"),
        ("a.csv", "id,ID\n1,2\n", MissingColumnError, "two columns are called 'id'"),
        ("a.csv", "id\n", EmptyInputError, "the table has no rows"),
        ("a.jsonl", '{"id": 1}\n{', MalformedInputError, r"a\.jsonl, row 2: the JSON is broken"),
        ("a.jsonl", "[1]\n", MalformedInputError, "row 1: not a JSON object"),
        ("a.doc", "id", UnknownFormatError, "use one of .csv, .tsv, .jsonl, .parquet"),
    ],
)
def test_errors_name_file_and_row(write, name, content, error, message):
    with pytest.raises(error, match=message):
        read_table(write(name, content))


def test_a_missing_file(tmp_path):
    with pytest.raises(InputError, match="file not found"):
        read_table(tmp_path / "a.csv")
    (tmp_path / "b.csv").mkdir()
    with pytest.raises(InputError, match="not a regular file"):
        read_table(tmp_path / "b.csv")


def test_missing_columns_are_named(write):
    table = read_table(write("a.csv", "id,text\n1,tu\n"))
    assert table.require(["seg_id", "id"]) == "id"
    with pytest.raises(MissingColumnError, match="no column 'fold'; the columns are id, text"):
        table.require(["fold", "fold_id"])


def test_real_parquet(tmp_path):
    pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    parquet = pytest.importorskip("pyarrow.parquet")
    parquet.write_table(pyarrow.table({"id": [1], "text": ["tu"]}), tmp_path / "a.parquet")
    assert read_table(tmp_path / "a.parquet").rows[0].cells == {"id": "1", "text": "tu"}
    (tmp_path / "b.parquet").write_bytes(b"rubbish")
    with pytest.raises(MalformedInputError):
        read_table(tmp_path / "b.parquet")


def test_suffixes():
    assert TABLE_SUFFIXES == (".csv", ".tsv", ".jsonl", ".parquet")
