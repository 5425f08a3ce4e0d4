"""What the view of numbers counts."""

import pytest

from locisimiles.app.judging.verdicts import Judging
from locisimiles.app.results import ResultFilter, ResultTable
from locisimiles.app.results.statistics import compute_statistics


def judge(project, *verdicts):
    rows = ResultTable(project.database).page(limit=len(verdicts)).rows
    for row, verdict in zip(rows, verdicts, strict=True):
        Judging(project).judge(row["query_id"], row["source_id"], reader="", verdict=verdict)


def test_every_pair_is_in_one_bin(searched):
    judge(searched, "cit.", "reject", "unsure")
    numbers = compute_statistics(searched)
    assert numbers.measure == "score"
    assert {name: sum(bins) for name, bins in numbers.distribution.items()} == {
        "unjudged": 207, "accepted": 1, "reject": 1, "unsure": 1,
    }  # fmt: skip
    assert len(numbers.edges) == len(numbers.distribution["accepted"]) + 1
    assert numbers.calibration == []


def test_the_yield_follows_the_order_of_judging(searched):
    judge(searched, "reject", "cit.", "cf.", "unsure", "cit.")
    assert compute_statistics(searched).yields == [0, 1, 2, 2, 3]


def test_types_are_counted_by_author(searched):
    judge(searched, "cit.", "cf.")
    types = compute_statistics(searched).types
    total = ResultTable(searched.database).count(ResultFilter(source_author="Virgil"))
    assert types["Virgil"] == [1, 1, 0, 0, total - 2]
    assert next(iter(types)) == "Virgil"


def test_probabilities_are_compared_with_verdicts(searched):
    with searched.database.writing() as connection:
        connection.execute("UPDATE result SET probability = 0.25 WHERE row <= 2")
        connection.execute("UPDATE result SET probability = 0.95 WHERE row > 2")
    judge(searched, "reject", "cit.", "cit.", "unsure")
    numbers = compute_statistics(searched)
    assert numbers.measure == "probability"
    assert numbers.calibration == [(0.25, 0.5, 2), (0.95, 1.0, 1)]
    assert numbers.edges[-1] == 1


@pytest.mark.parametrize("selection", [ResultFilter(source_author="Nobody"), ResultFilter(best=1)])
def test_only_the_selection_counts(searched, selection):
    bins = compute_statistics(searched, selection).distribution
    assert sum(map(sum, bins.values())) == ResultTable(searched.database).count(selection)
