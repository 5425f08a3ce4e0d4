"""Sentences about pairs travel with them."""

import csv
import json
import re
from dataclasses import replace

import openpyxl
import pytest
from lxml import etree

from locisimiles import (
    BM25,
    Document,
    EvidenceFinder,
    MalformedInputError,
    ParameterError,
    Pipeline,
    Segment,
    write_results,
)
from locisimiles.export import explain_results, read_results
from locisimiles.export.tables import READABLE_SUFFIXES
from locisimiles.results.characters import for_html


@pytest.fixture(scope="module")
def explained(judged):
    return explain_results(judged)


@pytest.fixture
def hostile(judged):
    return replace(judged, explanations=("<script>alert(1)</script>", "=cmd()", ""))


def test_each_pair_has_the_sentence_of_its_evidence(judged, explained):
    finder = EvidenceFinder(judged.query, judged.source)
    for reference, sentence in zip(judged, explained.explanations, strict=True):
        assert sentence == finder.explain(reference.query.id, reference.source.id).sentence
    assert "haereo" in explained.explanations[0]


def test_the_words_of_the_sentence_are_highlighted(tmp_path):
    query = Document.from_segments([Segment("q", "metuunt et fugiunt pelagus")])
    source = Document.from_segments([Segment("s", "mare timent ac fugiunt")])
    explained = explain_results(Pipeline(BM25()).run(query=query, source=source))
    assert "metuo for timeo" in explained.explanations[0]
    for suffix in READABLE_SUFFIXES:
        path = write_results(explained, tmp_path / f"hits{suffix}")[0]
        assert read_results(path).alignments == explained.alignments
    page = write_results(read_results(path), tmp_path / "hits.html")[0].read_text(encoding="utf-8")
    marks = dict.fromkeys(re.findall('<mark class="(.*?)">', page))
    words = {mark: re.findall(f'<mark class="{mark}">(.*?)</mark>', page) for mark in marks}
    assert words == {
        "g0 near": ["metuunt", "timent"],
        "g1": ["fugiunt", "fugiunt"],
        "g2 near": ["pelagus", "mare"],
    }
    root = etree.parse(write_results(explained, tmp_path / "hits.xml")[0]).getroot()
    links = [link.get("type") for link in root.findall(".//{*}linkGrp[@type='words']/{*}link")]
    assert links == ["synonym", "form", "synonym"]


@pytest.mark.parametrize(
    ("cell", "message"), [("x", "is not an alignment"), ("0-1=0-1 0-999=0-1:form:a=a:1", "beyond")]
)
def test_an_alignment_that_does_not_fit_is_refused(tmp_path, explained, cell, message):
    path = write_results(explained, tmp_path / "hits.jsonl")[0]
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    rows[1]["alignment"] = cell
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    with pytest.raises(MalformedInputError, match=message) as error:
        read_results(path)
    assert "row 2" in str(error.value)


def test_a_file_without_alignments_still_has_its_sentences(tmp_path, explained):
    path = write_results(explained, tmp_path / "hits.jsonl")[0]
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    for row in rows:
        del row["alignment"]
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    read = read_results(path)
    assert read.alignments is None
    assert read.explanations == explained.explanations
    assert "haereo" in write_results(read, tmp_path / "hits.csv")[0].read_text(encoding="utf-8")


def test_explaining_changes_nothing_else(judged, explained):
    assert replace(explained, explanations=None, alignments=None) == judged


@pytest.mark.parametrize("suffix", READABLE_SUFFIXES)
def test_sentences_are_read_from_files(tmp_path, explained, hostile, suffix):
    for name, results in (("one", explained), ("two", hostile)):
        path = write_results(results, tmp_path / f"{name}{suffix}")[0]
        assert read_results(path).explanations == results.explanations


def test_results_without_explanations_lack_the_column(tmp_path, judged):
    path = write_results(judged, tmp_path / "hits.csv")[0]
    assert read_results(path).explanations is None


def test_the_column_has_its_name(tmp_path, explained):
    path = write_results(explained, tmp_path / "hits.csv")[0]
    with path.open(encoding="utf-8", newline="") as stream:
        assert [row["explanation"] for row in csv.DictReader(stream)] == list(
            explained.explanations
        )
    book = openpyxl.load_workbook(write_results(explained, tmp_path / "hits.xlsx")[0])
    assert explained.explanations[0] in next(book["references"].iter_rows(2, 2, values_only=True))


def test_a_report_shows_them_as_text(tmp_path, explained, hostile):
    page = write_results(explained, tmp_path / "one.html")[0].read_text(encoding="utf-8")
    assert all(for_html(sentence) in page for sentence in explained.explanations)
    page = write_results(hostile, tmp_path / "two.html")[0].read_text(encoding="utf-8")
    assert '<span class="why">&lt;script&gt;alert(1)&lt;/script&gt;</span>' in page
    assert page.count('class="why"') == 2


def test_tei_has_them_as_notes(tmp_path, explained):
    root = etree.parse(write_results(explained, tmp_path / "hits.xml")[0]).getroot()
    notes = root.findall(".//{*}annotation/{*}note[@type='explanation']")
    assert tuple(note.text for note in notes) == explained.explanations


def test_annotations_have_them_as_descriptions(tmp_path, explained):
    path = write_results(explained, tmp_path / "hits.jsonld")[0]
    items = json.loads(path.read_text(encoding="utf-8"))["first"]["items"]
    said = [
        body["value"] for one in items for body in one["body"] if body["purpose"] == "describing"
    ]
    assert tuple(said) == explained.explanations


def test_there_must_be_a_sentence_for_each_pair(judged):
    with pytest.raises(ParameterError, match=r"explanations must have equal length \(3 and 2\)"):
        replace(judged, explanations=("a", "b"))
    with pytest.raises(ParameterError, match=r"alignments must have equal length \(3 and 0\)"):
        replace(judged, alignments=())
