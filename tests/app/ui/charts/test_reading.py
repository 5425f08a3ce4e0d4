"""Yields and verdicts by author, as ECharts takes them."""

import json

import pytest

from locisimiles.app.results.statistics import Statistics
from locisimiles.app.ui import charts
from locisimiles.app.ui.translator import Translator

ENGLISH = Translator("en")


@pytest.mark.parametrize("dark", [True, False])
@pytest.mark.parametrize("make", [charts.yields, charts.types, charts.expected])
def test_every_chart_can_be_sent_to_a_browser(numbers, make, dark):
    assert json.loads(json.dumps(make(numbers, ENGLISH, dark=dark).option))["series"]


def test_the_yield_is_a_curve_beside_the_best_there_could_be(numbers):
    chart = charts.yields(numbers, ENGLISH, dark=False)
    curve, best = chart.option["series"]
    assert curve["data"] == [[0, 0], [1, 1], [2, 2], [3, 2]]
    assert best["data"] == [[0, 0], [3, 3]]
    assert chart.rows == ((1, 1), (2, 2), (3, 2))


def test_a_long_yield_is_drawn_by_some_of_its_points():
    counted = Statistics("score", [0.0, 1.0], {}, list(range(1, 5001)), {}, [], [])
    chart = charts.yields(counted, ENGLISH, dark=False)
    points = chart.option["series"][0]["data"]
    assert len(points) < 500
    assert points[-1] == [5000, 5000]
    assert len(chart.rows) == 5000


def test_bars_of_types_have_a_place_for_each_author(numbers):
    chart = charts.types(numbers, ENGLISH, dark=False)
    authors = chart.option["yAxis"]["data"]
    assert all(len(series["data"]) == len(authors) for series in chart.option["series"])
    assert sum(sum(row[1:]) for row in chart.rows) == 210


def test_only_judged_pairs_can_be_shown(numbers):
    chart = charts.types(numbers, ENGLISH, dark=False, only_judged=True)
    assert [column.name for column in chart.columns] == ["author", "cit", "cf", "reject", "unsure"]
    assert sum(sum(row[1:]) for row in chart.rows) == 3
    assert all(any(row[1:]) for row in chart.rows)


@pytest.mark.parametrize(("number", "shown"), [(13, 13), (14, 13), (300, 13)])
def test_many_authors_end_with_others(number, shown):
    counted = {f"Author {n}": [1, 0, 0, 0, n] for n in range(number)}
    chart = charts.types(
        Statistics("score", [0.0, 1.0], {}, [], counted, [], []), ENGLISH, dark=False
    )
    names = chart.option["yAxis"]["data"]
    assert len(names) == shown
    assert (names[-1] == f"{number - 12} others") == (number > 13)
    assert sum(chart.option["series"][0]["data"]) == number
    assert len(chart.rows) == number
