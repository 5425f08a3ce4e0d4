"""The dot plot, as ECharts takes it."""

import json

import pytest

from locisimiles.app.results.places import Book, Places, Point
from locisimiles.app.ui import charts
from locisimiles.app.ui.translator import Translator

ENGLISH = Translator("en")
BOOKS = [
    Book("Verg. Aen.", "1", 0, 10, opens=True),
    Book("Verg. Aen.", "2", 10, 15, opens=False),
    Book("Hor. ars", "", 15, 20, opens=True),
]
LETTERS = [Book("Hier. epist.", "22", 0, 4, opens=True)]
POINTS = [
    Point(7, 0.5, 12.5, "Hier. epist. 22.1", "Verg. Aen. 2.3", 0.9, "cit."),
    Point(8, 1.5, 17.5, "Hier. epist. 22.3", "Hor. ars 4", 0.2, None),
]


def dots(chart):
    return {one["name"]: one["data"] for one in chart.option["series"] if one.get("name")}


def test_each_pair_is_a_point_of_its_verdict():
    chart = charts.dot_plot(Places(LETTERS, BOOKS, POINTS, 2, are_cells=False), ENGLISH, dark=False)
    json.dumps(chart.option)
    (accepted,) = dots(chart)["citation (cit.)"]
    (unjudged,) = dots(chart)["not judged"]
    assert (accepted["value"], accepted["row"]) == ([12.5, 0.5], 7)
    assert accepted["symbolSize"] > unjudged["symbolSize"]
    assert accepted["name"] == "Hier. epist. 22.1 → Verg. Aen. 2.3\n0.90 · citation (cit.)"
    symbols = [one["symbol"] for one in chart.option["series"] if one.get("name")]
    assert len(symbols) == 5
    assert len({*symbols[:-1]}) == 4  # what nobody has judged is a ring instead
    assert chart.links == (7, 8)


def test_lines_stand_between_books_and_heavier_ones_between_works():
    chart = charts.dot_plot(Places(LETTERS, BOOKS, POINTS, 2, are_cells=False), ENGLISH, dark=False)
    (lines,) = (one["markLine"]["data"] for one in chart.option["series"] if "markLine" in one)
    assert [line["xAxis"] for line in lines] == [10, 15]
    book, work = (line["lineStyle"]["width"] for line in lines)
    assert book < work


def test_names_of_works_come_before_numbers_of_books():
    chart = charts.dot_plot(Places(LETTERS, BOOKS, POINTS, 2, are_cells=False), ENGLISH, dark=False)
    names = [[item["name"] for item in one["data"]] for one in chart.option["series"][-2:]]
    assert names == [["Verg. Aen. 1", "Hor. ars", "2"], ["Hier. epist. 22"]]


def test_works_without_an_abbreviation_have_their_titles():
    books = [Book("Pseudo-Maro, Naufragium", "1", 0, 10, opens=True)]
    chart = charts.dot_plot(Places(LETTERS, books, [], 0, are_cells=False), ENGLISH, dark=False)
    assert chart.option["series"][-2]["data"][0]["name"] == "Naufragium 1"


@pytest.mark.parametrize(("pairs", "left_out"), [(30, False), (31, True)])
def test_cells_say_how_many_pairs_they_are(pairs, left_out):
    cells = [
        Point(1, 0.5, 12.5, "Hier. epist. 22", "Verg. Aen. 2", None, None, 20, 3),
        Point(2, 1.5, 17.5, "Hier. epist. 22", "Hor. ars", None, None, 10, 0),
    ]
    places = Places(LETTERS, BOOKS, cells, pairs, are_cells=True)
    chart = charts.dot_plot(places, ENGLISH, dark=False)
    (accepted,) = dots(chart)["with accepted pairs"]
    assert accepted["name"].endswith("20 pairs, 3 accepted")
    assert [row[2:] for row in chart.rows] == [(20, 3), (10, 0)]
    assert chart.caption.startswith(f"{pairs} pairs are too many")
    assert ("1 pair in the smallest groups is left out" in chart.caption) == left_out


def test_nothing_to_show_is_an_empty_plot():
    chart = charts.dot_plot(Places([], [], [], 0, are_cells=False), ENGLISH, dark=True)
    assert chart.rows == ()
    json.dumps(chart.option)
