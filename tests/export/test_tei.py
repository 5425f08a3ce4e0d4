"""TEI, read with lxml: a valid structure, and targets that exist."""

import json
import re

import numpy as np
import pytest
from lxml import etree

from locisimiles import Candidates, Document, Results, Segment, write_results
from locisimiles.evidence import align

NS = {"t": "http://www.tei-c.org/ns/1.0"}
ID = "{http://www.w3.org/XML/1998/namespace}id"
# What each element may hold, of what we use; from the TEI Guidelines, P5.
MAY_HOLD = {
    "TEI": ["teiHeader", "standOff", "text"],
    "teiHeader": ["fileDesc", "encodingDesc"],
    "fileDesc": ["titleStmt", "publicationStmt", "sourceDesc"],
    "titleStmt": ["title", "respStmt"],
    "respStmt": ["resp", "name"],
    "publicationStmt": ["p"],
    "sourceDesc": ["p", "p"],
    "encodingDesc": ["p", "appInfo"],
    "appInfo": ["application"],
    "application": ["label", "desc"],
    "standOff": ["listAnnotation"],
    "text": ["body"],
    "body": ["div", "div"],
}
MAY_HOLD_ANY = {
    "listAnnotation": {"annotation"},
    "annotation": {"ptr", "note"},
    "note": {"linkGrp", "cit"},
    "cit": {"quote", "ref"},
    "linkGrp": {"link"},
    "div": {"ab"},
    "ab": {"bibl", "quote"},
    "bibl": {"author", "title", "biblScope"},
    "quote": {"w"},
}


def name(element):
    return etree.QName(element).localname


def written(results, folder):
    (path,) = write_results(results, folder / "hits.xml")
    return etree.parse(path, etree.XMLParser(resolve_entities=False)).getroot()


@pytest.fixture
def tei(tmp_path, judged):
    return written(judged, tmp_path)


def test_every_element_is_where_tei_allows_it(tei):
    for element in tei.iter():
        assert etree.QName(element).namespace == NS["t"]
        children = [name(child) for child in element]
        if name(element) in MAY_HOLD:
            assert children == MAY_HOLD[name(element)]
        else:
            assert set(children) <= MAY_HOLD_ANY.get(name(element), set())


def test_every_id_is_unique_and_every_local_target_exists(tei):
    ids = [element.get(ID) for element in tei.iter() if element.get(ID)]
    assert len(ids) == len(set(ids))
    assert all(re.fullmatch(r"[A-Za-z_][\w.-]*", one) for one in ids)
    targets = [target for e in tei.iter() for target in (e.get("target") or "").split()]
    local = {target[1:] for target in targets if target.startswith("#")}
    assert local <= set(ids)
    assert all(target.startswith(("#", "urn:cts:")) for target in targets)
    assert all(len(link.get("target").split()) == 2 for link in tei.iterfind(".//t:link", NS))


def test_texts_are_complete_and_only_aligned_words_are_marked(tei, judged):
    blocks = {block.get("n"): block.find("t:quote", NS) for block in tei.iterfind(".//t:ab", NS)}
    for reference in judged:
        found = align(reference.query.text, reference.source.text)
        for segment, spans in (
            (reference.query, found.query_words),
            (reference.source, found.source_words),
        ):
            quote = blocks[segment.id]
            assert "".join(quote.itertext()) == segment.text
            words = {(w.get(ID).split(".")[1], w.text) for w in quote}
            assert {(f"{a}-{b}", segment.text[a:b]) for a, b in spans} <= words


def test_words_have_cts_sub_references(tei):
    pairs = [
        link.get("target").split()
        for link in tei.xpath(
            ".//t:annotation[@xml:id='r2']//t:linkGrp[@type='cts']/t:link", namespaces=NS
        )
    ]
    assert [
        "urn:cts:latinLit:stoa0162.stoa004:130.5.5@uox[1]",
        "urn:cts:latinLit:phi0690.phi003.perseus-lat2:3.48@uox[1]",
    ] in pairs


def test_segments_without_a_urn_have_only_an_id(tei):
    (last,) = tei.xpath(".//t:annotation[@xml:id='r3']", namespaces=NS)
    assert last.get("target") == "#q2"
    assert [ptr.get("type") for ptr in last.iterfind("t:ptr", NS)] == ["source"]
    assert last.find(".//t:linkGrp[@type='cts']", NS) is None


def test_the_manifest_is_in_the_header(tei, judged):
    assert json.loads(tei.findtext(".//t:application/t:desc", None, NS)) == judged.manifest
    assert tei.find(".//t:application", NS).get("version") == "0.1.0"


@pytest.mark.parametrize(
    ("version", "expected"), [("1.2.dev3+g5", "1.2"), ("unknown", "0"), (None, "0")]
)
def test_the_version_is_one_that_tei_allows(tmp_path, version, expected):
    document = Document.from_segments([Segment("a", "arma")])
    place = np.zeros(1, np.int32)
    manifest = {"locisimiles": version} if version else {}
    results = Results(
        document, document, Candidates(place, place, np.ones(1, np.float32)), manifest
    )
    tei = written(results, tmp_path)
    assert tei.find(".//t:application", NS).get("version") == expected


def test_probabilities_are_notes(tei):
    (first, *_) = tei.iterfind(".//t:annotation", NS)
    notes = {(n.get("type"), n.get("subtype")): n.text for n in first.iterfind("t:note", NS)}
    assert notes["reference", None] == "cit."
    assert notes["probability", "cit"] == "0.875"
    assert notes["score", None] == "0.9688"
