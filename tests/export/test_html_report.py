"""The HTML report, read by a parser, and by a browser where there is one."""

import base64
import hashlib
import json
import re
import subprocess
import sys
from html.parser import HTMLParser
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from locisimiles import Candidates, Document, Results, Segment, write_results
from locisimiles.export.html_plots import author_plot, density_plot, score_plot
from locisimiles.export.html_report import json_in_script

VOID = {"meta", "input", "br", "link", "img"}
HAS_BROWSER = find_spec("PyQt6") and find_spec("PyQt6.QtWebEngineCore")


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


def test_words_that_answer_each_other_have_the_same_class(page):
    first = page[page.index("<tbody>") : page.index("</tr>", page.index("<tbody>"))]
    marks = re.findall(r'<mark class="(g\d)">(\w+)</mark>', first)
    assert marks == [
        ("g0", "haesit"), ("g1", "uox"), ("g2", "faucibus"),
        ("g1", "uox"), ("g2", "faucibus"), ("g0", "haesit"),
    ]  # fmt: skip


def test_nothing_is_asked_from_the_network(page):
    reader = Reader(page)
    for _, attributes in reader.elements:
        assert not {"src", "srcset", "action", "style", "onclick", "data"} & set(attributes)
        assert attributes.get("href", "#").startswith("#")
    assert not re.search(r"url\(|@import|https?:", page)


def test_only_our_own_script_and_style_may_run(page):
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


def test_the_manifest_is_there_for_programs_and_for_people(page, judged):
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


def test_what_the_classifier_thought_is_shown(page):
    assert '<td data-value="cit.">cit.</td>' in page
    assert '<td data-value="0.9688">0.9688</td>' in page


def test_figures_count_what_is_there(judged):
    counts = [int(n) for n in re.findall(r": (\d+)</title>", score_plot(judged))]
    assert sum(counts) == len(judged)
    assert sum(int(n) for n in re.findall(r": (\d+)</title>", density_plot(judged))) == 3
    assert "Jerome → Virgil: 2" in author_plot(judged)


def test_nothing_found_is_a_report_without_rows(tmp_path):
    nothing = Document.from_segments([])
    number = np.empty(0, np.int32)
    empty = Results(nothing, nothing, Candidates(number, number, np.empty(0, np.float32)), {})
    (path,) = write_results(empty, tmp_path / "hits.html")
    assert len(Reader(path.read_text(encoding="utf-8")).all("tr")) == 1


@pytest.fixture
def browse(tmp_path):
    """Open results in a browser and return what a reader sees there."""
    if not HAS_BROWSER:
        pytest.skip("there is no browser; 'pip install PyQt6-WebEngine' brings one")
    script = Path(__file__).parent / "browse_report.py"

    def seen(results):
        (path,) = write_results(results, tmp_path / "hits.html")
        done = subprocess.run(
            [sys.executable, script, path], capture_output=True, text=True, timeout=120, check=False
        )
        if not done.stdout:
            pytest.skip(f"the browser does not run here: {done.stderr[-200:]}")
        return json.loads(done.stdout)

    return seen


def test_a_browser_sorts_filters_and_asks_for_nothing(browse, judged):
    seen = browse(judged)
    pairs = [f"{one.query.id} > {one.source.id}" for one in judged]
    assert seen["all"] == pairs
    assert seen["by_score"] == pairs[::-1]
    assert seen["by_score_falling"] == pairs
    assert seen["found"] == seen["high"] == pairs[:2]
    assert seen["texts"][:2] == [next(iter(judged)).query.text, next(iter(judged)).source.text]
    assert sorted(seen["colours"][:3]) == sorted(seen["colours"][3:])
    assert len(set(seen["colours"])) == 3
    assert seen["schemes"] == ["file"]
    assert seen["console"] == []
    assert seen["controls"]


def test_a_browser_runs_nothing_that_a_text_says(browse):
    attack = (
        "arma <script>window.attacked = true</script> <img src=x onerror='window.attacked = true'>"
        ' "><svg onload="window.attacked = true">'
    )
    document = Document.from_segments([Segment(attack, attack, author=attack, work=attack)])
    place = np.zeros(1, np.int32)
    seen = browse(
        Results(
            document, document, Candidates(place, place, np.ones(1, np.float32)), {attack: attack}
        )
    )
    assert not seen["attacked"]
    assert (seen["images"], seen["scripts"]) == (0, 2)
    assert seen["texts"] == [attack, attack]
    assert seen["schemes"] == ["file"]
