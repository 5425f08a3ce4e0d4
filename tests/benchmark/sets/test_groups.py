"""Groups of references."""

import numpy as np
import pytest

from locisimiles.benchmark.sets.groups import GROUPS, in_group, of_group
from locisimiles.benchmark.sets.references import References
from locisimiles.errors import ParameterError


@pytest.mark.parametrize(
    ("group", "members"),
    [("cit", [False, True, False]), ("cf", [False, False, True]), ("pooled", [False, True, True])],
)
def test_labels_of_a_group(group, members):
    assert in_group(np.array([0, 1, 2], np.uint8), group).tolist() == members


def test_references_of_a_group():
    references = References.from_columns([0, 0, 1], [1, 2, 3], [1, 2, 2])
    assert [of_group(references, group).source.tolist() for group in GROUPS] == [
        [1],
        [2, 3],
        [1, 2, 3],
    ]


@pytest.mark.parametrize("group", ["none", "CIT", "", "all"])
def test_an_unknown_group_is_an_error(group):
    with pytest.raises(ParameterError, match="cit, cf, pooled"):
        in_group(np.array([0]), group)
