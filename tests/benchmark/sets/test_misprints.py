"""Numbers that are easily taken for each other."""

import numpy as np
import pytest

from locisimiles.benchmark.sets.misprints import easily_confused


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("102", "103", True),  # the Hebrew number of the psalm
        ("6", "26", True),  # a digit is missing
        ("14", "19", True),  # XIV, XIX
        ("3", "13", True),  # III, XIII
        ("7", "12", True),  # VII, XII
        ("5", "9", False),
        ("2", "49", False),
        ("3", "3", False),
        ("3", "3a", False),
        ("", "1", False),
        ("999", "1000", False),
    ],
)
def test_numbers(one, other, expected):
    assert easily_confused(np.array([one]), np.array([other])).tolist() == [expected]
    assert easily_confused(np.array([other]), np.array([one])).tolist() == [expected]
