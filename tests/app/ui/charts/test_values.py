"""Distribution and calibration, as ECharts takes them."""

import json

import pytest

from locisimiles.app.results.statistics import CalibrationBin, Statistics
from locisimiles.app.ui import charts
from locisimiles.app.ui.translator import Translator

ENGLISH = Translator("en")
NONE = {"unjudged": [0, 0], "accepted": [0, 0], "reject": [0, 0], "unsure": [0, 0]}


def statistics(**changes):
    known = Statistics("probability", [0.0, 0.5, 1.0], NONE, [], {}, [], [])
    return known._replace(**changes)


@pytest.mark.parametrize("dark", [True, False])
@pytest.mark.parametrize("logarithmic", [True, False])
def test_the_distribution_can_be_sent_to_a_browser(numbers, dark, logarithmic):
    chart = charts.distribution(numbers, ENGLISH, dark=dark, logarithmic=logarithmic)
    assert json.loads(json.dumps(chart.option))["series"]
    assert sum(sum(row[2:]) for row in chart.rows) == 210


def test_bars_are_stacked_only_where_lengths_add_up():
    counted = statistics(distribution=NONE | {"unjudged": [500, 3], "accepted": [0, 7]})
    linear = charts.distribution(counted, ENGLISH, dark=False).option
    assert {(one["type"], one["stack"]) for one in linear["series"]} == {("bar", "all")}
    log = charts.distribution(counted, ENGLISH, dark=False, logarithmic=True).option
    assert log["yAxis"]["type"] == "log"
    assert {(one["type"], one.get("stack")) for one in log["series"]} == {("line", None)}
    assert log["series"][1]["data"] == [None, 7]  # no dot where there is no pair


@pytest.mark.parametrize(
    ("unjudged", "accepted", "wanted"),
    [([60_000, 900], [2, 10], True), ([600, 90], [2, 1], False), ([700, 650], [90, 80], False)],
)
def test_a_logarithm_is_preferred_if_bars_would_vanish(unjudged, accepted, wanted):
    counted = NONE | {"unjudged": unjudged, "accepted": accepted}
    assert charts.prefers_logarithm(statistics(distribution=counted)) == wanted


def test_bins_are_named_by_both_ends_in_the_language():
    german = charts.distribution(statistics(), Translator("de"), dark=False)
    assert german.option["xAxis"]["data"] == ["0,0–0,5", "0,5–1,0"]


def test_dots_of_calibration_have_counts_sizes_and_intervals():
    bins = [CalibrationBin(0.2, 0.25, 4, 0.05, 0.7), CalibrationBin(0.9, 0.75, 16, 0.5, 0.9)]
    chart = charts.calibration(statistics(calibration=bins), ENGLISH, dark=False)
    _, intervals, dots = chart.option["series"]
    assert [dot["label"]["formatter"] for dot in dots["data"]] == ["4", "16"]
    small, large = (dot["symbolSize"] for dot in dots["data"])
    assert large == pytest.approx(2 * small)  # so that areas show the counts
    assert [0.2, 0.05] in intervals["data"]
    assert [0.9, 0.9] in intervals["data"]
    assert chart.rows == ((0.2, 0.25, 0.05, 0.7, 4), (0.9, 0.75, 0.5, 0.9, 16))


@pytest.mark.parametrize(("pairs", "few"), [(19, True), (20, False)])
def test_few_judgements_are_called_few(pairs, few):
    bins = [CalibrationBin(0.2, 0.25, pairs, 0.05, 0.7)]
    caption = charts.calibration(statistics(calibration=bins), ENGLISH, dark=False).caption
    assert (f"only {pairs} judged pairs" in caption) == few


def test_verdicts_have_other_colours_on_dark_pages():
    light, dark = (charts.verdict_colours(dark=dark) for dark in (False, True))
    assert light.keys() == dark.keys()
    assert not set(light.values()) & set(dark.values())
