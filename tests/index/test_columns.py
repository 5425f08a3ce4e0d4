"""Columns of texts on disk: what a tuple of the same texts would be."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from locisimiles.files.array_files import ArrayFile, write_array_file
from locisimiles.index.columns import Positions, RepeatedTexts, StoredTexts, packed, unpacked

TEXTS = st.lists(st.text(st.characters() | st.characters(categories=["Cs"]), max_size=6))


def files(folder, *parts):
    """Write a file for each part; None is a file without the column."""
    found = []
    for number, texts in enumerate(parts):
        path = folder / f"{number}.arrays"
        arrays = {"other": np.zeros(1, np.int8)} if texts is None else packed("ids", texts)
        write_array_file(path, arrays)
        found.append(ArrayFile.open(path))
    return found


@given(TEXTS)
def test_what_was_packed_is_unpacked(tmp_path_factory, texts):
    (one,) = files(tmp_path_factory.mktemp("packed"), texts)
    assert unpacked(one, "ids") == texts


def test_a_column_goes_on_in_the_next_file_and_may_be_missing_in_one(tmp_path):
    parts = [["a", "ē"], None, [], ["b"]]
    column = StoredTexts(files(tmp_path, *parts), [2, 3, 0, 1], "ids")
    expected = ("a", "ē", "", "", "", "b")
    assert len(column) == 6
    assert tuple(column) == expected
    assert tuple(column[row] for row in range(-6, 6)) == (*expected, *expected)
    assert column[1:-1:2] == expected[1:-1:2]
    assert column == expected
    assert hash(column) == hash(expected)
    for other in (expected[:-1], (*expected[:-1], "c"), 7):
        assert column != other
    with pytest.raises(IndexError):
        column[6]


def test_a_repeated_text_is_that_of_its_part():
    column = RepeatedTexts(["x", "y", "z"], [1, 0, 2])
    assert tuple(column) == ("x", "z", "z")
    assert [column[row] for row in range(3)] == ["x", "z", "z"]


@given(st.lists(st.text(max_size=3), unique=True), st.text(max_size=3))
def test_positions_are_what_a_dictionary_says(ids, other):
    known = {name: position for position, name in enumerate(ids)}
    order = sorted(range(len(ids)), key=ids.__getitem__)
    ties = np.empty(len(ids), np.int64)
    ties[order] = np.arange(len(ids))
    positions = Positions(tuple(ids), ties)
    assert len(positions) == len(ids)
    assert dict(positions) == known
    assert list(positions) == ids
    assert (other in positions) == (other in known)
    if other not in known:
        with pytest.raises(KeyError):
            positions[other]
