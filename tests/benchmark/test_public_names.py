"""The public names of the benchmark."""

import pytest

from locisimiles import benchmark


@pytest.mark.parametrize("name", benchmark.__all__)
def test_public_names_can_be_imported(name):
    assert getattr(benchmark, name).__name__ == name


def test_other_names_are_unknown():
    with pytest.raises(AttributeError, match="no attribute 'running'"):
        _ = benchmark.running
