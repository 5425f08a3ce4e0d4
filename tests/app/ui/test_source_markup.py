"""The source as a text to scroll."""

import re

from locisimiles.app.judging.verdicts import Judging
from locisimiles.app.projects.project import StoredSegment
from locisimiles.app.results import ResultTable
from locisimiles.app.ui.source_markup import source_passages, source_text
from locisimiles.app.ui.translator import Translator

ENGLISH = Translator("en")


def shown(project, around=3):
    table = ResultTable(project.database, "Ann")
    pair = table.pair(1)
    first = pair.row["source"] - around
    segments = project.texts.segments("source", first, 2 * around)
    rows = table.by_source(first, first + 2 * around - 1, limit=100)
    return pair, source_passages(segments, rows, pair=pair, translate=ENGLISH)


def test_the_cited_passage_is_marked_and_leads_to_its_pairs(searched):
    pair, html = shown(searched)
    assert html.count('class="source-passage cited in-lines"') == 1
    assert html.count("<mark") == len(pair.alignment)
    assert f'data-row="{pair.row["row"]}"' in html
    assert html.count("aria-current=true") == 1
    assert re.findall(r'data-position="(\d+)"', html)[3] == str(pair.row["source"])


def test_verdicts_of_the_reader_are_shown(searched):
    row = ResultTable(searched.database).pair(1).row
    Judging(searched).judge(row["query_id"], row["source_id"], reader="Ann", verdict="cf.")
    assert '<span class="chip cf">' in shown(searched)[1]


def test_prose_has_its_loci_in_the_margin_and_texts_are_escaped():
    segment = StoredSegment(4, "a", "<b>uox</b>", "Cicero", "Brutus", "12.3")
    html = source_passages([segment], [], pair=None, translate=ENGLISH)
    assert '<span class="locus">12.3</span>' in html
    assert "<b>" not in html


def test_a_crowded_margin_says_how_many_more():
    row = {
        "row": 1, "source": 4, "verdict": None, "query_text": "<i>", "query_id": "q",
        "query_author": "", "query_work": "", "query_locus": "", "query_marks": "",
    }  # fmt: skip
    segment = StoredSegment(4, "a", "uox", "", "", "")
    html = source_passages([segment], [row] * 7, pair=None, translate=ENGLISH)
    assert html.count("<button") == 4
    assert "and 3 more" in html
    assert "<i>" not in html
    box = source_text(html, name='"', extent=(0, 9), translate=ENGLISH)
    assert 'data-begin="0" data-end="9"' in box
