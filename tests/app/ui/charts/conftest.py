"""Numbers to draw."""

import pytest

from locisimiles.app.judging.verdicts import Judging
from locisimiles.app.results import ResultTable
from locisimiles.app.results.statistics import compute_statistics


@pytest.fixture
def numbers(searched):
    """Return the statistics of a project with three verdicts."""
    for row, verdict in zip(
        ResultTable(searched.database).page(limit=3).rows, ["cit.", "cf.", "reject"], strict=True
    ):
        Judging(searched).judge(row["query_id"], row["source_id"], reader="", verdict=verdict)
    return compute_statistics(searched)
