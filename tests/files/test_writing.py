"""Folders and files that are written whole or not at all."""

import pytest

from locisimiles.errors import OutputError
from locisimiles.files.writing import make_folder


def test_a_folder_is_created_with_its_parents(tmp_path):
    folder = tmp_path / "a" / "b"
    assert make_folder(folder) == folder
    assert make_folder(folder).is_dir()


def test_a_folder_that_cannot_be_created_is_an_error(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(OutputError, match="file cannot be written"):
        make_folder(tmp_path / "file")
