"""Named arrays in one file."""

import tempfile
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from locisimiles.errors import InputError
from locisimiles.files.arrays import load_arrays, pack_strings, save_arrays, unpack_strings

ARRAYS = st.dictionaries(
    st.from_regex("[a-z_]{1,8}", fullmatch=True),
    hnp.arrays(
        st.sampled_from([np.uint8, np.int8, np.int32, np.uint32, np.int64, np.float32, np.float64]),
        hnp.array_shapes(min_dims=0, max_dims=2, min_side=0, max_side=4),
    ),
    max_size=4,
)
STRINGS = st.lists(st.text().filter(lambda text: "\n" not in text), min_size=1)


@settings(deadline=None, max_examples=50)
@given(ARRAYS)
def test_arrays_are_read_as_they_were_written(arrays):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.npz"
        save_arrays(path, arrays)
        read = load_arrays(path)
    assert read.keys() == arrays.keys()
    for name, array in arrays.items():
        assert read[name].dtype == array.dtype
        np.testing.assert_array_equal(read[name].ravel(), array.ravel())


def test_a_file_depends_on_nothing_but_its_content(tmp_path):
    arrays = {"b": np.arange(9), "a": np.ones(3)}
    save_arrays(tmp_path / "one.npz", arrays)
    save_arrays(tmp_path / "other.npz", dict(reversed(arrays.items())))
    assert (tmp_path / "one.npz").read_bytes() == (tmp_path / "other.npz").read_bytes()
    with zipfile.ZipFile(tmp_path / "one.npz") as archive:
        assert [member.filename for member in archive.infolist()] == ["a.npy", "b.npy"]
        assert {member.date_time[0] for member in archive.infolist()} == {1980}


def test_numpy_reads_what_we_write_and_we_read_what_numpy_writes(tmp_path):
    save_arrays(tmp_path / "ours.npz", {"a": np.arange(5)})
    with np.load(tmp_path / "ours.npz") as archive:
        np.testing.assert_array_equal(archive["a"], np.arange(5))
    np.savez(tmp_path / "theirs.npz", a=np.arange(5))
    np.testing.assert_array_equal(load_arrays(tmp_path / "theirs.npz")["a"], np.arange(5))


def test_objects_are_never_written(tmp_path):
    with pytest.raises(ValueError, match="allow_pickle=False"):
        save_arrays(tmp_path / "a.npz", {"a": np.array([{}], object)})


@settings(deadline=None, max_examples=50)
@given(STRINGS)
def test_strings_are_unpacked_as_they_were_packed(strings):
    assert unpack_strings(pack_strings(strings)) == strings


def test_strings_are_packed_as_utf_8():
    packed = pack_strings(["æ", "", "b"])
    assert (packed.dtype, packed.tobytes()) == (np.uint8, "æ\n\nb\n".encode())


@pytest.mark.parametrize(
    ("name", "why"),
    [("no.npz", "the file cannot be read: No such file"), (".", "not a regular file")],
)
def test_an_unreadable_file_is_an_error(tmp_path, monkeypatch, name, why):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=why):
        load_arrays(Path(name))
