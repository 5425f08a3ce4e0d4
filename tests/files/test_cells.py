"""Tables as columns, whose rows are made when they are asked for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from locisimiles.files import cells
from locisimiles.files.cells import TableRow, TableWriter

RECORDS = st.lists(st.dictionaries(st.sampled_from("abcd"), st.text(max_size=3)))


@pytest.mark.parametrize("at_once", [1, 3, 1000])
@given(records=RECORDS)
def test_rows_come_back_whichever_columns_they_lack(records, at_once):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cells, "_AT_ONCE", at_once)
        writer = TableWriter()
        for number, record in enumerate(records, start=5):
            writer.add(number, list(record), list(record.values()))
        assert len(writer) == len(records)
        table = writer.table("a.jsonl")
    columns = tuple(dict.fromkeys(name for record in records for name in record))
    empty = dict.fromkeys(columns, "")
    expected = [TableRow(number, empty | record) for number, record in enumerate(records, start=5)]
    assert table.columns == columns
    assert (list(table.rows) if columns else []) == (expected if columns else [])
    assert [table.rows[row] for row in range(len(records))] == expected
    assert table.rows[-2:] == tuple(expected[-2:])


def test_columns_without_rows_are_kept():
    table = TableWriter(["id", "text"]).table("a.csv")
    assert (table.columns, len(table.rows), list(table.rows)) == (("id", "text"), 0, [])


def test_of_equal_names_the_last_one_counts():
    writer = TableWriter()
    writer.add(1, ["", "id", ""], ["a", "b", "c"])
    assert writer.table("a.csv").rows[0].cells == {"": "c", "id": "b"}
