"""Arrays in files that are mapped into memory."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays_of

from locisimiles import InputError, MalformedInputError
from locisimiles.files.array_files import ArrayFile, write_array_file

SHAPES = arrays_of.array_shapes(min_dims=1, max_dims=2, min_side=0, max_side=40)
ARRAYS = st.dictionaries(
    st.text("abc ", min_size=1, max_size=3),
    st.one_of(arrays_of.arrays(kind, SHAPES) for kind in (np.int8, np.int32, np.int64)),
    max_size=4,
)


@settings(max_examples=40)
@given(ARRAYS)
def test_what_is_written_is_read(tmp_path_factory, arrays):
    path = tmp_path_factory.mktemp("arrays") / "a.arrays"
    write_array_file(path, arrays)
    found = ArrayFile.open(path)
    assert found.names == sorted(arrays)
    for name, array in arrays.items():
        read = found.array(name)
        assert read.dtype == array.dtype
        assert read.tolist() == array.tolist()
        assert not read.flags.writeable
    again = path.with_name("b.arrays")
    write_array_file(again, dict(reversed(arrays.items())))
    assert again.read_bytes() == path.read_bytes()


@pytest.fixture
def written(tmp_path):
    path = tmp_path / "a.arrays"
    write_array_file(path, {"rows": np.arange(40_000, dtype=np.int64), "few": np.arange(3)})
    return path


def flip(path, place):
    content = bytearray(path.read_bytes())
    content[place] ^= 1
    path.write_bytes(content)


def test_only_the_rows_that_are_read_are_checked(written):
    path = written
    flip(path, path.stat().st_size // 2)
    found = ArrayFile.open(path)
    assert found.rows("rows", 0, 100).tolist() == list(range(100))
    assert found.array("few").tolist() == [0, 1, 2]
    for read in (
        lambda: found.rows("rows", 0, 40_000),
        lambda: found.array("rows"),
        lambda: found.check_ranges("rows", np.array([3, 15_000]), np.array([7, 30_000])),
        found.check_all,
    ):
        with pytest.raises(MalformedInputError) as error:
            read()
        assert str(path) in str(error.value)


def test_every_flipped_bit_is_found(written):
    size = written.stat().st_size
    for place in np.random.default_rng(0).integers(0, size, 60).tolist():
        flip(written, place)
        with pytest.raises(MalformedInputError, match="damaged"):
            ArrayFile.open(written).check_all()
        flip(written, place)
    ArrayFile.open(written).check_all()


def test_every_shortened_file_is_found(written):
    content = written.read_bytes()
    for size in (0, 1, 15, 16, 100, len(content) // 2, len(content) - 1):
        written.write_bytes(content[:size])
        with pytest.raises(InputError, match="damaged"):
            ArrayFile.open(written)
    written.write_bytes(content + b"x")
    with pytest.raises(InputError, match="damaged"):
        ArrayFile.open(written)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(InputError, match=r"none\.arrays"):
        ArrayFile.open(tmp_path / "none.arrays")
