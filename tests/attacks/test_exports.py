"""Hostile texts stay text in every format."""

import csv
import json
import re
from dataclasses import replace
from html.parser import HTMLParser

import networkx as nx
import numpy as np
import openpyxl
import pyarrow.parquet
import pytest
from lxml import etree, html

from locisimiles import (
    BM25,
    Candidates,
    Document,
    OutputError,
    Pipeline,
    Results,
    Segment,
    write_results,
)
from locisimiles.export import EXPORT_SUFFIXES, formats
from locisimiles.export.reading import read_results
from locisimiles.export.sheets import unescape_cell
from locisimiles.export.tables import READABLE_SUFFIXES
from locisimiles.results.characters import for_xml

TEI = "{http://www.tei-c.org/ns/1.0}"
HOSTILE = {
    "formula": "=cmd|' /C calc'!A0 arma",
    "plus": "+1+1 arma",
    "at": "@SUM(A1:A9) arma",
    "script": "arma </script><script>alert(1)</script><!-- ]]> <![CDATA[ &amp; &#0;",
    "attribute": "arma\" onmouseover='alert(1)' x=\"",
    "newlines": "arma\nuirum\r\ncano\rTroiae",
    "tab": "\tarma",
    "nul": "arma\x00uirum\x07\x1b[31m\x7f\x0b",
    "right to left": "arma \u202eשלום\u202c مرحبا",
    "combining": "a\u0304rma\u0301\u0302\u0303 e\u0308\u20dd",
    "astral": "arma 🏛️ 👩‍👩‍👧 𝔞",
    "separators": "arma\u2028uirum\u2029cano\x85\ufeff",
    "excel escape": "arma _x000D_ _x005F_",
    "percent": "arma %s {0} ${x} {{y}} \\n \\u0041",
    "template": "{{7*7}} <%= 1 %> #{1} arma",
    "latex": "\\input{/etc/passwd} arma } $ % ~ ^ _",
    "spaces": "  arma  ",
    "noncharacter": "arma \ufffe \uffff",
}
CASES = pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())


def hostile_results(text, *, query=None):
    """Return a reference that has the text everywhere."""
    about = {"author": text, "work": text, "locus": text, "meta": {"urn": text, "year": text}}
    segment = Segment(query or text, text, **about)
    source = Segment(text, text, **about)
    place = np.zeros(1, np.int32)
    return Results(
        Document.from_segments([segment]),
        Document.from_segments([source]),
        Candidates(place, place, np.ones(1, np.float32)),
        {"locisimiles": text, text: text},
        np.array([[0.25, 0.5, 0.25]], np.float32),
    )


def written(text, folder, suffix):
    return write_results(hostile_results(text), folder / f"hits{suffix}")[0]


@CASES
@pytest.mark.parametrize("suffix", READABLE_SUFFIXES)
def test_texts_are_read_back_unchanged(tmp_path, text, suffix):
    (reference,) = read_results(written(text, tmp_path, suffix))
    for segment in (reference.query, reference.source):
        assert {segment.id, segment.text, segment.author, segment.work, segment.locus} == {text}
    assert read_results(tmp_path / f"hits{suffix}").manifest == {"locisimiles": text, text: text}


@CASES
@pytest.mark.parametrize(("suffix", "delimiter"), [(".csv", ","), (".tsv", "\t")])
def test_a_safe_table_has_one_row_and_no_formula(tmp_path, text, suffix, delimiter):
    path, _ = write_results(
        hostile_results(text), tmp_path / f"hits{suffix}", spreadsheet_safe=True
    )
    with path.open(encoding="utf-8", newline="") as stream:
        (row,) = csv.DictReader(stream, delimiter=delimiter, strict=True)
    assert not [cell for cell in row.values() if cell[:1] in "=+-@\t\r\n" and cell]
    assert row["query_text"].endswith(text)


@CASES
def test_a_workbook_has_texts_and_no_formula(tmp_path, text):
    book = openpyxl.load_workbook(written(text, tmp_path, ".xlsx"))
    for sheet in book:
        for row in sheet.iter_rows():
            assert not [cell for cell in row if cell.data_type == "f"]
    header, row = book["references"].values
    assert unescape_cell(dict(zip(header, row, strict=True))["source_text"]) == text


@CASES
def test_parquet_has_the_exact_text(tmp_path, text):
    (row,) = pyarrow.parquet.read_table(written(text, tmp_path, ".parquet")).to_pylist()
    assert row["query_text"] == row["source_author"] == text


class Texts(HTMLParser):
    """Collects elements, attributes and the texts of the page."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.elements, self.attributes, self.depth, self.shown = [], set(), 0, []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.elements.append(tag)
        self.attributes |= {name for name, _ in attrs}
        if self.depth or dict(attrs).get("class") == "text":
            self.shown += [] if self.depth else [""]
            self.depth += 1

    def handle_endtag(self, tag):  # noqa: ARG002
        self.depth = max(0, self.depth - 1)

    def handle_data(self, data):
        if self.depth:
            self.shown[-1] += data


@CASES
def test_a_report_shows_the_text_without_its_markup(tmp_path, text):
    page = Texts(written(text, tmp_path, ".html").read_bytes().decode("utf-8"))
    harmless = written("arma", tmp_path, ".HTML")
    plain = Texts(harmless.read_text(encoding="utf-8"))
    assert page.shown == [for_xml(text)] * 2
    assert set(page.elements) <= set(plain.elements)
    assert page.elements.count("script") == plain.elements.count("script") == 2
    assert not [name for name in page.attributes if name.startswith("on")]


@CASES
def test_tei_has_the_text_without_its_markup(tmp_path, text):
    root = etree.parse(written(text, tmp_path, ".xml")).getroot()
    quotes = ["".join(quote.itertext()) for quote in root.iterfind(f".//{TEI}ab/{TEI}quote")]
    assert quotes == [for_xml(text)] * 2
    (cit,) = root.iter(f"{TEI}cit")
    assert "".join(cit.find(f"{TEI}quote").itertext()) in for_xml(text)
    assert for_xml(text) in "".join(cit.find(f"{TEI}ref").itertext())
    assert {block.get("n") for block in root.iter(f"{TEI}ab")} == {for_xml(text)}
    assert {one.text for one in root.iter(f"{TEI}author")} == {for_xml(text)}
    assert all(etree.QName(element).namespace == TEI[1:-1] for element in root.iter())


@CASES
def test_annotations_have_the_exact_text(tmp_path, text):
    content = json.loads(written(text, tmp_path, ".jsonld").read_text(encoding="utf-8"))
    (one,) = content["first"]["items"]
    for place in (one["target"], one["body"][0]):
        assert place["source"]["value"] == place["source"]["label"] == text
        assert re.fullmatch(r"urn:uuid:[0-9a-f-]{36}", place["source"]["id"])


@CASES
def test_a_network_has_the_text_as_a_label(tmp_path, text):
    graph = nx.read_graphml(written(text, tmp_path, ".graphml"))
    (node,) = graph.nodes(data=True)
    assert node[1]["author"] == for_xml(text)


@CASES
def test_a_citation_stays_two_entries(tmp_path, text):
    content = written(text, tmp_path, ".bib").read_bytes().decode("utf-8")
    assert len(re.findall(r"^@", content, re.MULTILINE)) == 2
    assert not re.search("[\x00-\x09\x0b-\x1f]", content)
    assert "\\input" not in content


@pytest.mark.parametrize("suffix", EXPORT_SUFFIXES)
def test_a_text_of_a_megabyte_is_written(tmp_path, suffix):
    text = "arma uirumque cano \x00 <b> = " * 40_000
    path = write_results(hostile_results("arma", query="q"), tmp_path / f"small{suffix}")[0]
    big = Results(
        Document.from_segments([Segment("q", text)]),
        Document.from_segments([Segment("s", "arma uirumque")]),
        hostile_results("arma").candidates,
        {},
    )
    path = write_results(big, tmp_path / f"hits{suffix}")[0]
    assert len(text) > 1_000_000
    if suffix in READABLE_SUFFIXES:
        assert read_results(path).query["q"].text == text
    elif suffix == ".html":
        assert Texts(path.read_bytes().decode("utf-8")).shown[0] == for_xml(text)
    elif suffix == ".xml":
        root = etree.parse(path, etree.XMLParser(huge_tree=True)).getroot()
        quote = root.find(f".//{TEI}ab/{TEI}quote")
        assert "".join(quote.itertext()) == for_xml(text)
    elif suffix == ".jsonld":
        content = json.loads(path.read_text(encoding="utf-8"))
        assert content["first"]["items"][0]["target"]["source"]["value"] == text


@pytest.mark.parametrize("suffix", EXPORT_SUFFIXES)
def test_a_lone_surrogate_is_an_error_or_replaced_but_never_a_traceback(tmp_path, suffix):
    results = hostile_results("arma \ud800")
    try:
        write_results(results, tmp_path / f"hits{suffix}")
    except OutputError as error:
        assert "half a character" in str(error)  # noqa: PT017
        assert list(tmp_path.iterdir()) == []
    else:
        assert suffix in {".xlsx", ".html", ".xml", ".graphml", ".bib"}


@pytest.mark.parametrize("suffix", EXPORT_SUFFIXES)
@pytest.mark.parametrize("old", [None, b"mine"])
def test_a_failure_while_writing_leaves_no_file_of_any_format(tmp_path, monkeypatch, suffix, old):
    known = formats.FORMATS[suffix]

    def break_off(results, stream):
        known.write(results, stream)
        stream.flush()
        raise KeyboardInterrupt

    broken = replace(known, write=break_off)
    monkeypatch.setitem(formats.FORMATS, suffix, broken)
    path = tmp_path / f"hits{suffix}"
    if old:
        path.write_bytes(old)
    with pytest.raises(KeyboardInterrupt):
        write_results(hostile_results("arma"), path, overwrite=True)
    assert {p.name: p.read_bytes() for p in tmp_path.iterdir()} == ({path.name: old} if old else {})


@pytest.mark.parametrize(
    "evil", ["<script>alert(1)</script>", "<img src=x onerror=y>", "</td>\x00&\u202e"]
)
def test_a_text_in_a_notebook_is_no_markup(evil):
    query = Document.from_segments([Segment(f"q{evil}", f"uox {evil} faucibus")])
    source = Document.from_segments([Segment(f"s{evil}", f"{evil} et vox", author=evil)])
    shown = Pipeline(BM25()).run(query, source)._repr_html_()
    elements = {one.tag for one in html.fromstring(shown).iter()}
    allowed = {"div", "table", "thead", "tbody", "tr", "th", "td", "p", "b", "bdi", "br", "span"}
    assert elements <= allowed | {"mark"}
    assert "\x00" not in shown
