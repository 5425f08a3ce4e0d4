"""Web annotations, read with a JSON-LD parser without network access."""

import json
from pathlib import Path

import pytest
from pyld import jsonld

from locisimiles import write_results

OA, AS = "http://www.w3.org/ns/oa#", "http://www.w3.org/ns/activitystreams#"
CONTEXT = Path(__file__).parent / "data" / "anno.jsonld"


def load(url, options):  # noqa: ARG001
    assert url == "http://www.w3.org/ns/anno.jsonld"
    document = json.loads(CONTEXT.read_text(encoding="utf-8"))
    return {"contextUrl": None, "documentUrl": url, "document": document}


@pytest.fixture
def written(tmp_path, judged):
    (path,) = write_results(judged, tmp_path / "hits.jsonld")
    return json.loads(path.read_text(encoding="utf-8"))


@pytest.fixture
def expanded(written):
    (collection,) = jsonld.expand(written, {"documentLoader": load})
    return collection


def annotations(collection):
    (page,) = collection[f"{AS}first"]
    (items,) = page[f"{AS}items"]
    return items["@list"]


def test_a_json_ld_parser_finds_every_annotation(expanded, judged):
    assert expanded["@type"] == [f"{AS}OrderedCollection"]
    assert expanded[f"{AS}totalItems"][0]["@value"] == len(judged)
    found = annotations(expanded)
    assert len(found) == len(judged)
    assert all(one["@type"] == [f"{OA}Annotation"] for one in found)
    assert len({one["@id"] for one in found}) == len(judged)


def test_no_term_is_lost(written, expanded):
    def keys(value):
        if isinstance(value, dict):
            return sum((1 + keys(inner) for name, inner in value.items() if name != "@context"), 0)
        if isinstance(value, list):
            return sum(map(keys, value))
        return 0

    compacted = jsonld.compact(expanded, written["@context"], {"documentLoader": load})
    assert keys(compacted) == keys(written)


def test_motivations_are_those_of_the_standard(expanded):
    for one in annotations(expanded):
        motives = {motive["@id"] for motive in one[f"{OA}motivatedBy"]}
        assert motives == {f"{OA}linking", f"{OA}classifying"}


def test_selectors_select_what_they_quote(written, judged):
    for one, reference in zip(written["first"]["items"], judged, strict=True):
        for place, segment in (
            (one["target"], reference.query),
            (one["body"][0], reference.source),
        ):
            text = place["source"]["value"]
            assert (text, place["source"]["label"]) == (segment.text, segment.id)
            quote, position = place["selector"]
            start, end = position["start"], position["end"]
            assert text[start:end] == quote["exact"] != ""
            assert text[:start].endswith(quote["prefix"])
            assert text[end:].startswith(quote["suffix"])


def test_a_passage_with_a_urn_names_its_source(written):
    first, _, last = written["first"]["items"]
    assert first["body"][0]["source"]["via"].endswith("perseus-lat2:2.774")
    assert "via" not in last["target"]["source"]


def test_types_and_scores_are_bodies(written):
    bodies = written["first"]["items"][2]["body"]
    said = [(body["purpose"], body.get("value")) for body in bodies]
    assert said[1:] == [
        ("assessing", "0.5"), ("classifying", "cf."), ("assessing", "cit. 0.125, cf. 0.375")
    ]  # fmt: skip


def test_without_a_classifier_nothing_is_classified(tmp_path, found):
    (path,) = write_results(found, tmp_path / "hits.jsonld")
    items = json.loads(path.read_text(encoding="utf-8"))["first"]["items"]
    assert {tuple(one["motivation"]) for one in items} == {("linking",)}
