"""Who cites whom, as ECharts takes it."""

import json

import pytest

from locisimiles.app.results import ResultTable
from locisimiles.app.ui import charts
from locisimiles.app.ui.search_form import _settings
from locisimiles.app.ui.translator import Translator
from locisimiles.errors import ParameterError

ENGLISH = Translator("en")
LINK = {"query_author": "", "query_work": "", "source_author": "", "source_work": "", "count": 2}


def test_the_map_counts_works_or_authors(searched):
    links = ResultTable(searched.database).links()
    total = sum(link["count"] for link in links)
    for works in (False, True):
        chart = charts.heatmap(links, ENGLISH, dark=False, works=works)
        cells = chart.option["series"][0]["data"]
        assert sum(cell["value"][2] for cell in cells) == total
        assert sum(row[-1] for row in chart.rows) == total
        cited = {row[2:4] for row in chart.rows}
        assert len(cited) == len(chart.option["xAxis"]["data"])
        assert any(work for _, work in cited) == works


def test_a_cell_knows_its_row_in_the_table(searched):
    links = ResultTable(searched.database).links()
    chart = charts.heatmap(links, ENGLISH, dark=False, works=True)
    citing, cited = chart.option["yAxis"]["data"], chart.option["xAxis"]["data"]
    for cell in chart.option["series"][0]["data"]:
        row = chart.rows[cell["link"]]
        across, down, count = cell["value"]
        assert (citing[down], cited[across], count) == (
            f"{row[0]}, {row[1]}", f"{row[2]}, {row[3]}", row[4],
        )  # fmt: skip


def test_a_large_map_shows_who_is_cited_most_and_says_so():
    links = [LINK | {"source_author": f"Author {n}", "count": n + 1} for n in range(50)]
    chart = charts.heatmap(links, ENGLISH, dark=False, works=False)
    shown = chart.option["xAxis"]["data"]
    assert len(shown) == 40
    assert shown[-1] == "Author 49"
    assert "Author 0" not in shown
    assert chart.caption.startswith("The 40 most cited")
    assert len(chart.rows) == 50


def test_flows_keep_an_author_apart_who_cites_and_is_cited(searched):
    links = [
        *ResultTable(searched.database).links(),
        LINK | {"query_author": "Virgil", "source_author": "Virgil"},
    ]
    series = charts.flows(links, ENGLISH, dark=False).option["series"][0]
    names = [node["name"] for node in series["data"]]
    assert {"<Virgil", ">Virgil"} <= set(names)
    assert len(names) == len(set(names))
    assert sum(flow["value"] for flow in series["links"]) == sum(link["count"] for link in links)


def test_authors_without_a_name_are_called_unknown():
    option = charts.heatmap([LINK], ENGLISH, dark=True, works=False).option
    assert (option["xAxis"]["data"], option["yAxis"]["data"]) == (["unknown"], ["unknown"])


@pytest.mark.parametrize("dark", [True, False])
def test_citations_can_be_sent_to_a_browser(searched, dark):
    links = ResultTable(searched.database).links()
    for chart in (
        charts.heatmap(links, ENGLISH, dark=dark, works=False),
        charts.flows(links, ENGLISH, dark=dark),
    ):
        assert json.loads(json.dumps(chart.option))["series"]


def test_settings_are_lines():
    assert _settings("k1 = 1.2\n\n b=0.5 ") == {"k1": "1.2", "b": "0.5"}
    with pytest.raises(ParameterError, match="is not a setting"):
        _settings("k1")
