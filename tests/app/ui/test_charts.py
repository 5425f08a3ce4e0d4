"""Figures as ECharts takes them."""

import json

import pytest

from locisimiles.app.judging.verdicts import Judging
from locisimiles.app.results import ResultTable
from locisimiles.app.results.statistics import compute_statistics
from locisimiles.app.ui import charts
from locisimiles.app.ui.search_form import _settings
from locisimiles.app.ui.translator import Translator
from locisimiles.errors import ParameterError

ENGLISH = Translator("en")
LINK = {"query_author": "", "query_work": "", "source_author": "", "source_work": "", "count": 2}


@pytest.fixture
def numbers(searched):
    for row, verdict in zip(
        ResultTable(searched.database).page(limit=3).rows, ["cit.", "cf.", "reject"], strict=True
    ):
        Judging(searched).judge(row["query_id"], row["source_id"], reader="", verdict=verdict)
    return compute_statistics(searched)


@pytest.mark.parametrize("dark", [True, False])
@pytest.mark.parametrize("make", [charts.distribution, charts.yields, charts.types])
def test_every_figure_can_be_sent_to_a_browser(numbers, make, dark):
    assert json.loads(json.dumps(make(numbers, ENGLISH, dark=dark)))["series"]


def test_the_yield_is_a_curve_beside_the_best_there_could_be(numbers):
    curve, best = charts.yields(numbers, ENGLISH, dark=False)["series"]
    assert curve["data"] == [[0, 0], [1, 1], [2, 2], [3, 2]]
    assert best["data"] == [[0, 0], [3, 3]]


def test_bars_of_types_have_a_place_for_each_author(numbers):
    option = charts.types(numbers, ENGLISH, dark=False)
    authors = option["yAxis"]["data"]
    assert all(len(series["data"]) == len(authors) for series in option["series"])


def test_the_map_counts_works_or_authors(searched):
    links = ResultTable(searched.database).links()
    total = sum(link["count"] for link in links)
    for works in (False, True):
        option = charts.heatmap(links, ENGLISH, dark=False, works=works)
        assert sum(cell[2] for cell in option["series"][0]["data"]) == total
        columns = option["parties"]["columns"]
        assert len(columns) == len(option["xAxis"]["data"]) == len(set(columns))
        assert any(work for _, work in columns) == works


def test_flows_keep_an_author_apart_who_cites_and_is_cited(searched):
    links = [
        *ResultTable(searched.database).links(),
        LINK | {"query_author": "Virgil", "source_author": "Virgil"},
    ]
    series = charts.flows(links, ENGLISH, dark=False)["series"][0]
    names = [node["name"] for node in series["data"]]
    assert {"<Virgil", ">Virgil"} <= set(names)
    assert len(names) == len(set(names))
    assert sum(flow["value"] for flow in series["links"]) == sum(link["count"] for link in links)


def test_authors_without_a_name_are_called_unknown():
    option = charts.heatmap([LINK], ENGLISH, dark=True, works=False)
    assert (option["xAxis"]["data"], option["yAxis"]["data"]) == (["unknown"], ["unknown"])


def test_settings_are_lines():
    assert _settings("k1 = 1.2\n\n b=0.5 ") == {"k1": "1.2", "b": "0.5"}
    with pytest.raises(ParameterError, match="is not a setting"):
        _settings("k1")
