"""Verses of the Bible that belong together are cited as one passage."""

from dataclasses import replace

import numpy as np
import pytest
from lxml import etree

from locisimiles import Document, Pipeline, Segment
from locisimiles.export import read_results, write_results
from locisimiles.results import PairJudgement
from locisimiles.results.passages import is_biblical, joined_loci, source_passages

TEI = "{http://www.tei-c.org/ns/1.0}"
VERSES = {
    "Matth. 5.3": "beati pauperes spiritu",
    "Matth. 5.4": "beati mites quoniam ipsi possidebunt terram",
    "Matth. 5.5": "beati qui lugent",
    "Matth. 6.1": "beati pauperes",
    "Luc. 6.20": "beati pauperes quia uestrum est regnum",
}
QUERY = "beati pauperes, beati mites, beati qui lugent"


@pytest.fixture
def results():
    source = [
        Segment(f"vulg. {name.lower()}", text, "Vulgata", *name.split(" "))
        for name, text in VERSES.items()
    ]
    query = [Segment("q", QUERY), Segment("r", "mites pauperes")]
    documents = Document.from_segments(query), Document.from_segments(source)
    found = Pipeline("bm25", k=9).run(*documents)
    chances = np.tile(np.array([0.3, 0.6, 0.1], np.float32), (len(found), 1))
    chances[found.candidates.query == 1] = (0.9, 0.05, 0.05)
    return replace(found, probabilities=chances)


def passages(results, query="q"):
    rows = zip(results, source_passages(results), strict=True)
    return {one.source.id: passage for one, passage in rows if one.query.id == query}


def test_consecutive_verses_are_joined(results):
    assert passages(results) == {
        **dict.fromkeys([f"vulg. matth. 5.{n}" for n in (3, 4, 5)], "Vulg. Matth. 5.3–5"),
        "vulg. matth. 6.1": "Vulg. Matth. 6.1",
        "vulg. luc. 6.20": "Vulg. Luc. 6.20",
    }


def test_unlikely_verses_are_not(results):
    assert "–" not in "".join(passages(results, "r").values())


def test_verdicts_overrule_probabilities(results):
    said = [
        PairJudgement("reject") if one.source.id == "vulg. matth. 5.4" else None for one in results
    ]
    assert "–" not in "".join(passages(replace(results, judgements=tuple(said))).values())
    said = [PairJudgement("cf.") if one.query.id == "r" else None for one in results]
    joined = passages(replace(results, judgements=tuple(said)), "r")
    assert joined["vulg. matth. 5.3"] == joined["vulg. matth. 5.4"] == "Vulg. Matth. 5.3–4"


@pytest.mark.parametrize(
    ("loci", "joined"),
    [
        (["1.1", "1.2"], ["1.1-1.2"] * 2),
        (["1.1-1.2", "1.3"], ["1.1-1.3"] * 2),
        (["1.9", "2.1"], ["1.9", "2.1"]),
        (["1.1", "1.1"], ["1.1"] * 2),
        (["667b", ""], ["667b", ""]),
    ],
)
def test_loci_of_any_kind(loci, joined):
    assert joined_loci([("a", locus, True) for locus in loci]) == joined


def test_the_bible_is_recognised_by_authors_or_ids():
    assert is_biblical(Document.from_segments([Segment("x", "a", author="Vulgate")]))
    assert not is_biblical(Document.from_segments([Segment("vulg. mt. 1.1", "a", author="Virgil")]))
    assert not is_biblical(Document.from_segments([]))


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_tables_cite_passages_of_the_bible(results, tmp_path, suffix):
    path = tmp_path / f"hits{suffix}"
    write_results(results, path)
    again = read_results(path)
    assert not again.further
    assert source_passages(again) == source_passages(results)
    if suffix == ".csv":
        assert path.read_text(encoding="utf-8").count("Vulg. Matth. 5.3–5") == 3


def test_reports_and_tei_cite_passages(results, tmp_path):
    write_results(results, tmp_path / "hits.html")
    assert (tmp_path / "hits.html").read_text(encoding="utf-8").count("Matth. 5.3–5") == 3
    write_results(results, tmp_path / "hits.xml")
    root = etree.parse(tmp_path / "hits.xml")
    cited = [(cit[0].text, cit[1].text) for cit in root.iter(f"{TEI}cit")]
    assert len(cited) == len(results)
    assert ("beati mites", "Vulg. Matth. 5.3–5") in cited
    assert {cit[1].tag for cit in root.iter(f"{TEI}cit")} == {f"{TEI}ref"}
