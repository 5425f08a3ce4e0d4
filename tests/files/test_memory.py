"""Memory that runs out is no damage of a file."""

import zipfile

import numpy as np
import openpyxl
import pytest

from locisimiles import Document
from locisimiles.files.arrays import load_arrays, save_arrays


def nothing_left(*_, **__):
    raise MemoryError


def workbook(path):
    book = openpyxl.Workbook()
    book.active.append(["id", "text"])
    book.save(path)
    return Document


def archive(path):
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr("a.txt", "arma")
    return Document


def arrays(path):
    save_arrays(path, {"a": np.zeros(1)})
    return load_arrays


@pytest.mark.parametrize(
    ("name", "write", "reserves"),
    [
        ("a.xlsx", workbook, (openpyxl, "load_workbook")),
        ("a.zip", archive, (zipfile.ZipExtFile, "read")),
        ("a.npz", arrays, (np.lib.format, "read_array")),
    ],
)
def test_no_memory_is_told_as_such(tmp_path, monkeypatch, name, write, reserves):
    path = tmp_path / name
    read = write(path)
    monkeypatch.setattr(*reserves, nothing_left)
    with pytest.raises(MemoryError):
        read(path)
