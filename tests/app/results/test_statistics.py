"""What the view of numbers counts."""

import itertools

import pytest

from locisimiles.app.judging.verdicts import Judging
from locisimiles.app.results import ResultFilter, ResultTable
from locisimiles.app.results.statistics import compute_statistics, nice_edges


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
    assert [one[:3] for one in numbers.calibration] == [(0.25, 0.5, 2), (0.95, 1.0, 1)]
    assert all(0 <= one.low < one.share <= one.high <= 1 for one in numbers.calibration)
    assert numbers.edges[-1] == 1


@pytest.mark.parametrize("selection", [ResultFilter(source_author="Nobody"), ResultFilter(best=1)])
def test_only_the_selection_counts(searched, selection):
    bins = compute_statistics(searched, selection).distribution
    assert sum(map(sum, bins.values())) == ResultTable(searched.database).count(selection)


@pytest.mark.parametrize(("judged", "bins"), [(12, 2), (40, 5), (150, 10)])
def test_few_judgements_have_few_dots(searched, judged, bins):
    with searched.database.writing() as connection:
        connection.execute("UPDATE result SET probability = (row * 7 % 40) / 40.0")
    judge(searched, *["cit.", "reject"] * (judged // 2))
    found = compute_statistics(searched).calibration
    assert len(found) == bins
    assert sum(one.pairs for one in found) == judged


@pytest.mark.parametrize(
    ("low", "high", "pairs"),
    [(0, 1, 0), (0.3, 0.3, 1), (2, 9, 5), (-3.2, 8, 210), (900, 901, 10**6)],
)
def test_edges_are_round_and_enclose_all_values(low, high, pairs):
    edges = nice_edges(low, high, pairs)
    assert edges[0] <= low <= high <= edges[-1]
    assert 2 <= len(edges) <= 27
    steps = {round(two - one, 9) for one, two in itertools.pairwise(edges)}
    assert len(steps) == 1
    assert f"{steps.pop():.3e}"[:5] in {"1.000", "2.000", "2.500", "5.000"}


def test_more_pairs_have_more_bins():
    numbers = [len(nice_edges(0, 1, pairs)) for pairs in (1, 50, 1000, 100_000)]
    assert numbers == sorted(numbers)
    assert numbers[0] < numbers[-1]
