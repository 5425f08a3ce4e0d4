"""Charts as files."""

import csv
import io

from locisimiles.app.ui.chart_files import _on_paper, chart_as_csv
from locisimiles.app.ui.charts import Chart, Column
from locisimiles.app.ui.number_table import number_table
from locisimiles.app.ui.translator import Translator
from locisimiles.export.delimited import unguard

COLUMNS = Column("author", "Autor"), Column("pairs", "Paare")
HOSTILE = '=HYPERLINK("http://x"),\n<script>'


def chart(rows, **changes):
    option = {"grid": {"top": 40}, "legend": {"top": 4}, "series": [{"type": "sankey", "top": 10}]}
    return Chart("map", "Karte <b>", option, COLUMNS, rows, **changes)


def test_numbers_read_back_as_they_were():
    content = chart_as_csv(chart(((HOSTILE, 3), ("Ovid", 0.25), ("-1", None)))).decode()
    header, *rows = csv.reader(io.StringIO(content))
    assert header == ["author", "pairs"]
    assert [[unguard(name), number] for name, number in rows] == [
        [HOSTILE, "3"], ["Ovid", "0.25"], ["-1", ""],
    ]  # fmt: skip
    assert not any(name.startswith(("=", "-")) for name, _ in rows)


def test_on_paper_there_is_a_title_and_room_for_it():
    drawn = chart(())
    paper = _on_paper(drawn)
    assert paper["title"]["text"] == "Karte <b>"
    assert paper["backgroundColor"] == "#ffffff"
    moved = [paper["grid"]["top"], paper["legend"]["top"], paper["series"][0]["top"]]
    assert [after - before for after, before in zip(moved, [40, 4, 10], strict=True)] == [34] * 3
    assert drawn.option["grid"] == {"top": 40}  # the chart on the page stays as it is


def test_the_table_escapes_texts_and_ends_somewhere():
    rows = tuple((f"<i>{number}", number / 4) for number in range(250))
    table = number_table(chart(rows), Translator("de"))
    assert "<i>" not in table
    assert "<b>" not in table
    assert table.count("<tr>") == 201
    assert "0,25" in table
    assert "50 weitere Zeilen" in table
    assert "<button" not in table


def test_rows_that_lead_somewhere_are_buttons():
    table = number_table(chart((("Ovid", 1),), links=(17,)), Translator("en"))
    assert '<button type="button" class="link" data-link="17">Ovid</button>' in table
