"""Sources with nearly the same words are one finding in the app, too."""

import json

import pytest

from locisimiles import ParameterError
from locisimiles.app.projects.inputs import add_file
from locisimiles.app.results import ResultFilter, ResultTable
from locisimiles.app.results.exporting import stored_results
from locisimiles.app.storage.tables.searches import find_search
from locisimiles.app.ui.markup import candidate
from locisimiles.app.ui.read_view import with_passages
from locisimiles.app.ui.translator import Translator

MATTHEW = "Beati pauperes spiritu, quoniam ipsorum est regnum caelorum."
SOURCE = f"""seg_id,text
Matth. 5.3,"{MATTHEW}"
Marc. 5.3,"Beati pauperes spiritu: ipsorum est regnum caelorum!"
Aen. 1.1,"arma uirumque cano, Troiae qui primus ab oris regnum"
"""


@pytest.fixture
def gospels(project):
    add_file(project, "query", "q.csv", f'seg_id,text\nq,"{MATTHEW}"\nr,"arma cano"\n'.encode())
    add_file(project, "source", "s.csv", SOURCE.encode())
    return project


def test_parallel_sources_share_a_row_if_a_reader_wishes(gospels, search):
    search(gospels)
    table = ResultTable(gospels.database)
    rows = {row["source_id"]: row for row in table.page().rows if row["query_id"] == "q"}
    assert [rows[name]["parallel_to"] for name in rows] == ["", "Matth. 5.3", ""]
    assert [rows[name]["parallels"] for name in rows] == [1, 0, 0]
    once = ResultFilter(parallels="once")
    assert [row["source_id"] for row in table.page(once).rows] == [
        "Matth. 5.3",
        "Aen. 1.1",
        "Aen. 1.1",
    ]
    assert table.count() - table.count(once) == 1


def test_another_value_of_the_filter_is_an_error():
    with pytest.raises(ParameterError, match="once"):
        ResultFilter(parallels="twice")


def test_exports_have_the_groups(gospels, search):
    search(gospels)
    whole = stored_results(gospels)
    assert whole.best.tolist() == [0, 0, 2, 3]
    without_best = stored_results(gospels, ResultFilter(query_author="", best=3))
    assert without_best.counts.sum() == 3


@pytest.mark.usefixtures("guessing")
def test_expected_references_count_a_group_once(gospels, search):
    search(gospels)
    with gospels.database.reading() as connection:
        row = find_search(connection, 1)
    expected = json.loads(row["manifest"])["references"]
    once = ResultTable(gospels.database).page(ResultFilter(parallels="once")).rows
    assert expected["pairs"] == len(once) < ResultTable(gospels.database).count()
    assert expected["expected"] == round(sum(row["probability"] for row in once), 1)


def test_the_others_are_named_beneath_the_best(gospels, search):
    search(gospels)
    best, other, _ = ResultTable(gospels.database).page(ResultFilter(query=0), texts=True).rows
    html = candidate(best, translate=Translator("en"), beneath=[other])
    assert "also in" in html
    assert f'data-row="{other["row"]}"' in html
    assert "also in" not in candidate(best, translate=Translator("en"))


def test_consecutive_verses_are_cited_as_one(project, search):
    verses = "seg_id,author,work,locus,text\n" + "".join(
        f'vulg. matth. 5.{n},Vulgata,Matth.,5.{n},"{text}"\n'
        for n, text in ((3, "beati pauperes spiritu"), (4, "beati mites"), (6, "beati qui lugent"))
    )
    add_file(project, "query", "q.csv", b'seg_id,text\nq,"beati pauperes spiritu beati mites"\n')
    add_file(project, "source", "s.csv", verses.encode())
    search(project)
    table = ResultTable(project.database)
    rows = table.page(texts=True).rows
    likely = [{**row, "probability": 0.9} for row in rows]
    shown = {row["source_id"]: row.get("passage_locus") for row in with_passages(likely)}
    assert shown["vulg. matth. 5.3"] == shown["vulg. matth. 5.4"] == "5.3-5.4"
    assert shown.get("vulg. matth. 5.6") is None
    assert not any("passage_locus" in row for row in with_passages(rows))
    cards = [candidate(row, translate=Translator("en")) for row in with_passages(likely)]
    assert sum("Matth. 5.3–4" in card for card in cards) == 2
