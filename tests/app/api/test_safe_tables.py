"""Tables that the app gives: readers open them in spreadsheet programs, which run formulas."""

import csv
import io

import pytest
from tests.app.test_api import ask, context  # noqa: F401 - fixtures

FORMULAS = ("=cmd|' /C calc'!A0", "@SUM(1)", "+1+1", "-2+3", "\t=1+1")


@pytest.fixture
def found(ask):  # noqa: F811
    """Return a project whose ids, texts, authors and notes are formulas, with a judged pair."""
    place = "/projects/" + ask("POST", "/projects", json={"title": "Formulas"}).json()["id"]
    table = io.StringIO()
    write = csv.writer(table)
    write.writerow(["id", "text", "author", "work"])
    for number, formula in enumerate(FORMULAS):
        write.writerow([f"{formula}{number}", f"{formula} uox faucibus haesit", formula, formula])
    for side in ("query", "source"):
        ask("PUT", f"{place}/texts/{side}/t.csv", content=table.getvalue())
    assert ask("POST", f"{place}/search", json={"method": "bm25", "k": 5}).status_code == 202
    for row in ask("GET", f"{place}/results").json()["rows"]:
        pair = {name: row[name] for name in ("query_id", "source_id")}
        judged = {**pair, "verdict": "cf.", "note": "=1+1", "reader": "=Ann"}
        assert ask("PUT", f"{place}/judgements", json=judged).status_code == 200
    return place


@pytest.mark.parametrize("path", ["export/csv", "export/tsv", "judgements.csv"])
def test_no_cell_is_a_formula(ask, found, path):  # noqa: F811
    done = ask("GET", f"{found}/{path}")
    assert done.status_code == 200
    delimiter = "\t" if path.endswith("tsv") else ","
    _, *rows = csv.reader(io.StringIO(done.text.lstrip("\ufeff")), delimiter=delimiter)
    assert len(rows) >= len(FORMULAS)
    texts = [cell for row in rows for cell in row if not is_number(cell)]
    assert any("=1+1" in cell for cell in texts)
    assert [cell for cell in texts if cell.startswith(("=", "+", "-", "@", "\t", "\r"))] == []


def is_number(cell):
    try:
        float(cell)
    except ValueError:
        return False
    return True
