"""Columns of texts without an object for each cell."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from locisimiles.files import text_columns
from locisimiles.files.text_columns import TextColumn, TextColumnWriter, join_texts, split_texts

TEXTS = st.lists(st.text(st.characters() | st.characters(categories=["Cs"]), max_size=8))


@given(TEXTS)
def test_a_column_is_what_a_tuple_of_its_texts_is(texts):
    column = TextColumn.of(texts)
    assert tuple(column) == tuple(texts)
    assert len(column) == len(texts)
    assert [column[row] for row in range(-len(texts), len(texts))] == [*texts, *texts]
    assert column[1:3] == tuple(texts[1:3])
    assert column == tuple(texts)
    assert hash(column) == hash(tuple(texts))
    assert column != (*texts, "more")


def test_columns_differ_by_their_texts():
    assert TextColumn.of(["a", "b"]) != TextColumn.of(["ab", ""])
    assert TextColumn.of(["a"]) != 1


def test_a_row_beyond_the_column_is_an_index_error():
    with pytest.raises(IndexError):
        TextColumn.of(["a"])[1]


@given(TEXTS)
def test_texts_are_read_in_parts(texts):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text_columns, "_AT_ONCE", 2)
        assert list(TextColumn.of(texts)) == texts


@given(TEXTS, st.data())
def test_rows_are_taken_in_any_order(texts, data):
    places = st.integers(0, len(texts) - 1) if texts else st.nothing()
    rows = data.draw(st.lists(places))
    column = TextColumn.of(texts)
    assert list(column.take(np.array(rows, np.int64))) == [texts[row] for row in rows]


def test_all_rows_in_order_are_the_column_itself():
    column = TextColumn.of(["a", "b"])
    assert column.take(np.array([0, 1])) is column


def test_lengths_are_bytes():
    assert TextColumn.of(["arma", "", "carō"]).lengths.tolist() == [4, 0, 5]


@given(TEXTS)
def test_what_was_joined_is_split(texts):
    content, lengths = join_texts(texts)
    assert split_texts(content, np.cumsum([0, *lengths]).tolist()) == texts


def test_a_writer_fills_what_is_missing():
    writer = TextColumnWriter()
    writer.extend(["a"])
    writer.fill(3)
    writer.extend(["b"])
    assert tuple(writer.column()) == ("a", "", "", "b")
