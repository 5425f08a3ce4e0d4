"""Checks of parameters."""

import pytest

from locisimiles import ParameterError
from locisimiles.checks import size_in_bytes


@pytest.mark.parametrize(
    ("size", "nbytes"),
    [
        ("0", 0),
        ("12", 12),
        ("3GB", 3 * 10**9),
        ("1.5 g", 15 * 10**8),
        (" 2 kB ", 2000),
        ("1TB", 10**12),
    ],
)
def test_sizes_have_units(size, nbytes):
    assert size_in_bytes("memory", size) == nbytes


@pytest.mark.parametrize("size", ["", "GB", "-1", "1 PB", "1e9", "1,5 GB", "٣ GB", "3 GB x"])
def test_other_texts_are_no_sizes(size):
    with pytest.raises(ParameterError, match="not a size"):
        size_in_bytes("memory", size)
