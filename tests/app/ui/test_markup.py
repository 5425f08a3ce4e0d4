"""Texts as HTML."""

import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from locisimiles.app.judging.verdicts import Judging
from locisimiles.app.projects.project import StoredSegment
from locisimiles.app.results import ResultTable
from locisimiles.app.ui.markup import candidate, overview, reading_list, segment_card
from locisimiles.app.ui.passages import marked
from locisimiles.app.ui.translator import Translator

ENGLISH = Translator("en")
ATTACK = "\"'><script>alert(1)</script><img src=x onerror=alert(1)>&amp;"


class Reader(HTMLParser):
    """Sees what a browser would."""

    def __init__(self, html):
        super().__init__()
        self.tags, self.text, self.attributes = [], "", []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data):
        self.text += data


def words(html, colour):
    marks = re.findall(f'<mark class="{colour}[^>]*>(.*?)</mark>', html)
    return [Reader(mark).text for mark in marks]


def test_aligned_words_have_the_same_colour(searched):
    pair = ResultTable(searched.database).pair(1)
    query = segment_card(searched.texts.segment("query", 0), pair, None, translate=ENGLISH)
    row = ResultTable(searched.database).page(limit=1, texts=True).rows[0]
    source = candidate(row, translate=ENGLISH, pair=pair)
    answers = [(words(query, f"w{n}"), words(source, f"w{n}")) for n in range(3)]
    assert answers == [
        (["haesit"], ["haesit"]), (["uox"], ["vox"]), (["faucibus"], ["faucibus"]),
    ]  # fmt: skip


def test_candidates_that_are_not_chosen_have_no_colours(searched):
    row = ResultTable(searched.database).page(limit=1, texts=True).rows[0]
    html = candidate(row, translate=ENGLISH)
    assert words(html, "plain") == ["vox", "faucibus", "haesit"]
    assert "data-verdict" not in html


@given(st.text(), st.lists(st.tuples(st.integers(0, 30), st.integers(1, 9)), max_size=5))
def test_no_letter_is_lost_whatever_is_marked(text, spans):
    spans = [(a, min(a + n, len(text))) for a, n in spans if a < len(text)]
    html = marked(text, spans)
    seen = Reader(html)
    assert set(seen.tags) <= {"mark"}
    control = {c for c in text if ord(c) < 32 or 127 <= ord(c) < 160 or 0xD800 <= ord(c) < 0xE000}
    if not control and not any(
        ord(c) & 0xFFFE == 0xFFFE or 0xFDD0 <= ord(c) < 0xFDF0 for c in text
    ):
        assert seen.text == text


@pytest.mark.parametrize("field", ["id", "text", "author", "work", "locus"])
def test_a_hostile_segment_stays_text(field):
    values = {"id": "a", "text": "b", "author": "c", "work": "d", "locus": ""}
    segment = StoredSegment(0, **{**values, field: ATTACK})
    html = segment_card(segment, None, (ATTACK, ATTACK), translate=ENGLISH) + reading_list(
        [segment], {0: (1, 1, 1.0)}, current=0, values=(0.0, 1.0), translate=ENGLISH
    )
    seen = Reader(html)
    assert not {"script", "img"} & set(seen.tags)
    assert not any(name.startswith("on") for name, _ in seen.attributes)
    assert ATTACK in seen.text


def test_a_hostile_pair_stays_text(searched):
    with searched.database.writing() as connection:
        connection.execute(
            "UPDATE result SET source_id = ?, source_author = ?, source_work = ?, explanation = ?, "
            "type = ?, probability = 0.5 WHERE row = 1",
            [ATTACK] * 5,
        )
    Judging(searched).judge(
        "hier. epist. 130.5.5.3", ATTACK, reader=ATTACK, verdict="cit.", note=ATTACK
    )
    Judging(searched).judge("hier. epist. 130.5.5.3", ATTACK, reader="", note=ATTACK)
    row = ResultTable(searched.database).page(limit=1, texts=True).rows[0]
    seen = Reader(candidate(row, translate=ENGLISH, pair=ResultTable(searched.database).pair(1)))
    assert not {"script", "img"} & set(seen.tags)
    assert not any(name.startswith("on") for name, _ in seen.attributes)
    assert seen.text.count(ATTACK) == 7


def test_the_chosen_pair_says_its_verdict(searched):
    Judging(searched).judge(
        "hier. epist. 130.5.5.3", "verg. aen. 2.774.1", reader="", verdict="cf."
    )
    row = ResultTable(searched.database).page(limit=1, texts=True).rows[0]
    html = candidate(row, translate=ENGLISH, pair=ResultTable(searched.database).pair(1))
    assert 'data-verdict="cf." aria-pressed="true"' in html
    assert 'data-verdict="cit." aria-pressed="false"' in html
    assert '<span class="chip cf">cf.</span>' in html


def test_meanings_are_shown_where_they_are_wanted(searched):
    row = ResultTable(searched.database).page(limit=1, texts=True).rows[0]
    pair = ResultTable(searched.database).pair(1)
    html = candidate(row, translate=ENGLISH, pair=pair, glosses={"uox": ("voice", "<b>tone")})
    assert '<i lang="la">uox</i>: voice, &lt;b&gt;tone' in html


def test_bars_say_where_something_was_found():
    segments = [StoredSegment(n, f"s{n}", "arma", "", "", "") for n in range(3)]
    counts = {0: (5, 2, 8.0), 1: (5, 0, 2.0)}
    html = reading_list(segments, counts, current=1, values=(0.0, 8.0), translate=ENGLISH)
    assert [part.partition("%")[0] for part in html.split("width:")[1:]] == ["100", "25", "0"]
    assert html.count("●●") == 1
    assert html.count("aria-current=true") == 1
    assert "5 candidates, 2 accepted" in html


def test_the_overview_leads_to_its_places():
    html = overview([(0, 0.5), (10, 1.0)], translate=ENGLISH)
    assert 'data-query="10" style="--share:1.000"' in html
