import os

import pytest

from locisimiles.errors import InputError
from locisimiles.files.limits import Limits, limited
from locisimiles.files.raw import RawInput, read_raw, read_stream


@pytest.fixture
def write(tmp_path):
    def write(name, content):
        path = tmp_path / name
        path.write_text(content, encoding="utf-8")
        return path

    return write


@pytest.mark.parametrize(
    ("name", "suffix", "stem"),
    [
        ("a/b/Letters.CSV", ".csv", "Letters"),
        ("texts.zip/verg.aen.tess", ".tess", "verg.aen"),
        ("<stdin>", "", "<stdin>"),
        ("README", "", "README"),
    ],
)
def test_suffix_and_stem_come_from_the_last_part_of_the_name(name, suffix, stem):
    file = RawInput(name, b"")
    assert (file.suffix, file.stem) == (suffix, stem)


def test_a_file_is_read_whole(write):
    path = write("a.csv", "id,text")
    assert read_raw(path, by_itself=False) == RawInput(str(path), b"id,text", by_itself=False)


def test_a_missing_file_and_a_folder_are_errors_that_name_them(tmp_path):
    with pytest.raises(InputError) as caught:
        read_raw(tmp_path / "a.csv")
    assert str(caught.value) == f"{tmp_path / 'a.csv'}: file not found"
    with pytest.raises(InputError) as caught:
        read_raw(tmp_path)
    assert str(caught.value) == f"{tmp_path}: not a regular file"


@pytest.mark.parametrize("name", ["a\0b", "a" * 5000])
def test_a_name_that_no_file_can_have_is_an_error(tmp_path, name):
    with pytest.raises(InputError, match="the file cannot be read: "):
        read_raw(tmp_path / name)


def test_a_file_that_is_too_large_is_not_read(write):
    path = write("a.txt", "arma")
    too_large = pytest.raises(InputError, match=r"too large \(0 MB; at most 0 MB\); split it into")
    with limited(Limits(bytes=3)), too_large:
        read_raw(path)
    with limited(Limits(bytes=3)), too_large, path.open("rb") as stream:
        read_stream(stream, "a.txt")


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may read everything")
def test_an_unreadable_file_is_an_error_that_names_it(write):
    path = write("a.txt", "arma")
    path.chmod(0)
    with pytest.raises(InputError) as caught:
        read_raw(path)
    assert str(caught.value) == f"{path}: the file cannot be read: Permission denied"
