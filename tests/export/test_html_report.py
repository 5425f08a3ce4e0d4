"""The HTML report, read by a parser, and by a browser where there is one."""

import base64
import hashlib
import json
import re
from html.parser import HTMLParser

import numpy as np
import pytest

from locisimiles import Candidates, Document, Results, Segment, read_results, write_results
from locisimiles.export.html_plots import author_plot, density_plot, score_plot
from locisimiles.export.html_report import json_in_script

VOID = {"meta", "input", "br", "link", "img"}


class Reader(HTMLParser):
    """Collects elements, and makes sure that each is closed in its turn."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.elements, self.open, self.texts = [], [], []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append((tag, len(self.texts)))

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop()[0] == tag

    def handle_data(self, data):
        self.texts.append((self.open[-1][0] if self.open else "", data))

    def all(self, tag):
        return [attributes for name, attributes in self.elements if name == tag]

    def inside(self, tag):
        return [text for name, text in self.texts if name == tag]


@pytest.fixture
def page(tmp_path, judged):
    (path,) = write_results(judged, tmp_path / "hits.html")
    return path.read_text(encoding="utf-8")


def test_every_reference_is_a_row_with_both_texts(page, judged):
    reader = Reader(page)
    assert len(reader.all("tr")) == 1 + len(judged)
    shown = re.sub(r"\s+", " ", "".join(text for _, text in reader.texts))
    for reference in judged:
        assert reference.query.text in shown
        assert reference.source.text in shown


def test_aligned_words_have_the_same_class(page):
    first = page[page.index("<tbody>") : page.index("</tr>", page.index("<tbody>"))]
    marks = re.findall(r'<mark class="(g\d)">(\w+)</mark>', first)
    assert marks == [
        ("g0", "haesit"), ("g1", "uox"), ("g2", "faucibus"),
        ("g1", "uox"), ("g2", "faucibus"), ("g0", "haesit"),
    ]  # fmt: skip


def test_nothing_is_requested_from_the_network(page):
    reader = Reader(page)
    for _, attributes in reader.elements:
        assert not {"src", "srcset", "action", "style", "onclick", "data"} & set(attributes)
        assert attributes.get("href", "#").startswith("#")
    assert not re.search(r"url\(|@import|https?:", page)


def test_only_our_own_script_and_style_are_allowed(page):
    policy = next(
        meta["content"]
        for meta in Reader(page).all("meta")
        if meta.get("http-equiv") == "Content-Security-Policy"
    )
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == "'none'"
    for rule, content in (
        ("style-src", re.search(r"<style>(.*?)</style>", page, re.DOTALL)[1]),
        ("script-src", re.search(r"<script>(.*?)</script>", page, re.DOTALL)[1]),
    ):
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert rules[rule] == f"'sha256-{digest}'"


def test_the_manifest_is_readable_for_programs_and_people(page, judged):
    data = re.search(r'<script type="application/json" id="manifest">(.*?)</script>', page)[1]
    assert json.loads(data) == judged.manifest
    assert json.loads("".join(Reader(page).inside("pre"))) == judged.manifest


def test_json_in_a_script_cannot_end_it():
    hostile = {"</script>": "<!--<script>&\u2028"}
    written = json_in_script(hostile)
    assert not set("<>&\u2028") & set(written)
    assert json.loads(written) == hostile


def test_headings_and_figures_can_be_read_aloud(page):
    reader = Reader(page)
    assert all(heading["scope"] == "col" for heading in reader.all("th"))
    assert len(reader.all("svg")) == 3
    assert all(svg["role"] == "img" and svg["aria-label"] for svg in reader.all("svg"))
    assert reader.all("html") == [{"lang": "en"}]
    assert all(text["lang"] == "la" for text in reader.all("span") if text.get("class") == "text")


def test_probabilities_are_shown(page):
    assert '<td data-value="cit.">cit.</td>' in page
    assert '<td data-value="0.9688">0.9688</td>' in page


def test_a_report_from_a_file_states_how_much_was_searched(tmp_path, found):
    table = write_results(found, tmp_path / "hits.csv")[0]
    again = read_results(table)
    assert len(again.source) < len(found.source)
    page = write_results(again, tmp_path / "hits.html")[0].read_text(encoding="utf-8")
    assert f"in {len(found.source):,} source segments" in page
    bare = Results(again.query, again.source, again.candidates, {"source": "?"})
    page = write_results(bare, tmp_path / "bare.html")[0].read_text(encoding="utf-8")
    assert f"in {len(again.source):,} source segments" in page


def test_figures_count_all_candidates(judged):
    counts = [int(n) for n in re.findall(r": (\d+)</title>", score_plot(judged))]
    assert sum(counts) == len(judged)
    assert sum(int(n) for n in re.findall(r": (\d+)</title>", density_plot(judged))) == 3
    assert "Jerome → Virgil: 2" in author_plot(judged)


def test_a_figure_omits_the_least_cited_authors_and_says_so():
    authors = [f"author {n:02}" for n in range(32)]
    source = Document.from_segments(
        Segment(f"s{n}", "arma", author=author) for n, author in enumerate(authors)
    )
    cited = np.array([*range(32), *range(1, 31)], np.int32)
    query = Document.from_segments(Segment(f"q{n}", "arma") for n in range(len(cited)))
    candidates = Candidates(
        np.arange(len(cited), dtype=np.int32), cited, np.ones(len(cited), np.float32)
    )
    plot = author_plot(Results(query, source, candidates, {}))
    assert "the 30 most frequent authors of each side" in plot
    assert re.findall(r"unknown → (.*?): 2<", plot) == authors[1:31]
    assert not re.search(r"→ (author 00|author 31):", plot)


def test_no_candidates_give_a_report_without_rows(tmp_path):
    nothing = Document.from_segments([])
    number = np.empty(0, np.int32)
    empty = Results(nothing, nothing, Candidates(number, number, np.empty(0, np.float32)), {})
    (path,) = write_results(empty, tmp_path / "hits.html")
    assert len(Reader(path.read_text(encoding="utf-8")).all("tr")) == 1


@pytest.fixture
def opened(tmp_path, browser_page):
    """Open results in a browser."""

    def opened(results):
        (path,) = write_results(results, tmp_path / "hits.html")
        browser_page.goto(path.as_uri())
        return browser_page

    return opened


def rows_of(page):
    """Return the pairs that a reader sees, in their order."""
    rows = page.locator("tbody tr:visible").all()
    return [" > ".join(row.locator("strong").all_inner_texts()) for row in rows]


def pairs_of(results):
    return [f"{one.query.id} > {one.source.id}" for one in results]


def repeated(results, times):
    """Return results with the same candidates for many queries."""
    query = Document.from_segments(Segment(f"q{n}", "arma uirumque") for n in range(times))
    number = np.arange(times, dtype=np.int32)
    return Results(
        query,
        results.source,
        Candidates(number, np.zeros(times, np.int32), np.ones(times, np.float32)),
        {},
    )


def test_a_browser_shows_all_rows_in_colours_and_requests_nothing(opened, judged):
    page = opened(judged)
    assert rows_of(page) == pairs_of(judged)
    texts = page.locator(".text").all_text_contents()
    assert texts[:2] == [next(iter(judged)).query.text, next(iter(judged)).source.text]
    colours = page.locator("tbody tr:first-child mark").evaluate_all(
        "marks => marks.map(m => m.textContent + getComputedStyle(m).backgroundColor)"
    )
    assert sorted(colours[:3]) == sorted(colours[3:])
    assert len(set(colours)) == 3
    assert page.asked == [page.url]
    assert page.said == []


def test_a_browser_sorts_by_score_and_probability_the_highest_first(opened, judged):
    page, pairs = opened(judged), pairs_of(judged)
    for heading in ("Score", "Probability"):
        page.get_by_role("button", name="Query").click()
        button = page.get_by_role("button", name=heading)
        button.click()
        assert rows_of(page) == pairs
        assert page.locator("th[aria-sort=descending]").all_inner_texts() == [f"{heading}"]
        button.click()
        assert rows_of(page) == pairs[::-1]
        assert page.locator("th[aria-sort=ascending]").all_inner_texts() == [f"{heading}"]


def test_a_browser_finds_words_in_any_spelling_and_least_probabilities(opened, judged):
    page, pairs = opened(judged), pairs_of(judged)
    page.get_by_label("Find words").fill("VOX")
    assert rows_of(page) == pairs[:2]
    page.get_by_label("Find words").fill("")
    page.get_by_label("Least probability").fill("0.7")
    assert rows_of(page) == pairs[:2]
    assert page.locator("#count").inner_text() == "2 of 2 shown, 3 in all"


def test_a_browser_runs_no_script_from_a_text(opened):
    attack = (
        "arma <script>window.attacked = true</script> <img src=x onerror='window.attacked = true'>"
        ' "><svg onload="window.attacked = true">'
    )
    document = Document.from_segments([Segment(attack, attack, author=attack, work=attack)])
    place = np.zeros(1, np.int32)
    page = opened(
        Results(
            document, document, Candidates(place, place, np.ones(1, np.float32)), {attack: attack}
        )
    )
    assert page.evaluate("window.attacked") is None
    assert page.evaluate("[document.images.length, document.scripts.length]") == [0, 2]
    assert page.locator(".text").all_text_contents() == [attack, attack]
    assert page.asked == [page.url]


def test_a_long_report_shows_its_beginning_and_prints_all_of_it(opened, judged):
    page = opened(repeated(judged, 501))
    assert len(page.locator("tbody tr:visible").all()) == 500
    page.get_by_label("Find words").fill("arma")
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert len(page.locator("tbody tr:visible").all()) == 501
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert len(page.locator("tbody tr:visible").all()) == 500
    page.get_by_role("button", name="Show all").click()
    assert len(page.locator("tbody tr:visible").all()) == 501


@pytest.mark.parametrize("width", [360, 768, 1280])
def test_texts_have_room_on_every_screen(opened, judged, width):
    page = opened(judged)
    page.set_viewport_size({"width": width, "height": 800})
    for text in page.locator("tbody .text").all():
        assert text.bounding_box()["width"] > 150
    # Only the table is wider than a small screen, and can be moved by itself.
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_printed_report_has_no_controls_and_is_light(opened, judged):
    page = opened(judged)
    page.emulate_media(media="print", color_scheme="dark")
    assert not page.locator("#controls").is_visible()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 253, 248)"
    assert page.pdf(format="A4").startswith(b"%PDF")
