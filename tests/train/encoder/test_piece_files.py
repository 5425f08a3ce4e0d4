"""Pieces travel in files and come back the same."""

import lzma

import numpy as np
import pytest

from locisimiles.errors import InputError
from locisimiles.train.encoder.piece_files import read_piece_files, write_piece_files


def test_pieces_come_back_in_order(tmp_path):
    pieces = np.random.default_rng(0).integers(0, 24_000, 1_001).astype(np.uint16)
    paths = write_piece_files(pieces, tmp_path / "new", each=400)
    assert [path.name for path in paths] == ["pieces-00.xz", "pieces-01.xz", "pieces-02.xz"]
    np.testing.assert_array_equal(read_piece_files(paths), pieces)
    np.save(tmp_path / "pieces.npy", pieces)
    np.testing.assert_array_equal(read_piece_files([tmp_path / "pieces.npy"]), pieces)


def test_no_pieces_are_no_file(tmp_path):
    assert write_piece_files(np.empty(0, np.uint16), tmp_path) == []
    assert len(read_piece_files([])) == 0


@pytest.mark.parametrize("content", [b"no archive", lzma.compress(b"odd")])
def test_a_damaged_file_is_named(tmp_path, content):
    path = tmp_path / "pieces-00.xz"
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"pieces-00\.xz"):
        read_piece_files([path])
