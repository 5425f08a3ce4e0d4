"""W3C Web Annotation: a collection that other tools can show with the texts."""

from __future__ import annotations

import json
import uuid
from typing import TYPE_CHECKING, TextIO

from locisimiles.export.addresses import WordAddresses
from locisimiles.export.json_files import compact_json
from locisimiles.results.columns import DIGITS
from locisimiles.results.highlights import aligned_references

if TYPE_CHECKING:
    from locisimiles.corpus import Document, Segment
    from locisimiles.evidence.alignment import Alignment, Span
    from locisimiles.results import PairJudgement, Reference, Results

__all__ = ["ANNOTATION_CONTEXT", "write_web_annotations"]

ANNOTATION_CONTEXT = "http://www.w3.org/ns/anno.jsonld"
_AROUND = 32
_OURS = uuid.uuid5(uuid.NAMESPACE_URL, "locisimiles")


def write_web_annotations(results: Results, stream: TextIO) -> None:
    """Write results as an annotation collection of one page.

    Each annotation targets the aligned span of the query, links it to that of the source, and has
    the type of the reference if a reader or a classifier said it. Verdicts and notes of readers
    follow. Offsets count characters of the segment's text, which is included.
    """
    sides = _Side(results.query), _Side(results.source)
    manifest = json.dumps(dict(results.manifest), ensure_ascii=False, sort_keys=True)
    collection = uuid.uuid5(_OURS, _encodable(manifest))
    head = {
        "@context": ANNOTATION_CONTEXT,
        "id": collection.urn,
        "type": "AnnotationCollection",
        "label": "References found by locisimiles",
        "generator": {
            "id": _OURS.urn,
            "type": "Software",
            "name": f"locisimiles {results.manifest.get('locisimiles', '')}".strip(),
        },
        "total": len(results),
    }
    page = {"id": uuid.uuid5(collection, "page 1").urn, "type": "AnnotationPage", "startIndex": 0}
    # Items are written one by one into the open page, since there may be many.
    stream.write(compact_json(head)[:-1] + ', "first": ' + compact_json(page)[:-1] + ', "items": [')
    for number, reference in enumerate(aligned_references(results)):
        stream.write(",\n" if number else "\n")
        stream.write(compact_json(_annotation(collection, *reference, sides)))
    stream.write("\n]}}\n")


def _encodable(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")


def _annotation(
    collection: uuid.UUID,
    reference: Reference,
    alignment: Alignment,
    explanation: str,
    sides: tuple[_Side, _Side],
) -> dict[str, object]:
    query, source = reference.query, reference.source
    pair = json.dumps([query.id, source.id])
    bodies: list[dict[str, object]] = [
        {**sides[1].selection(source, alignment.source_span), "purpose": "linking"},
        _body("assessing", str(round(reference.score, DIGITS))),
    ]
    judged = reference.probabilities
    if reference.kind:
        bodies.append(_body("classifying", reference.kind))
    if judged is not None:
        probable = f"cit. {round(judged.cit, DIGITS)}, cf. {round(judged.cf, DIGITS)}"
        bodies.append(_body("assessing", probable))
    if explanation:
        bodies.append(_body("describing", explanation))
    bodies += _by_readers(reference.judgement)
    return {
        "id": uuid.uuid5(collection, pair).urn,
        "type": "Annotation",
        "motivation": ["linking", "classifying"] if reference.kind else ["linking"],
        "body": bodies,
        "target": sides[0].selection(query, alignment.query_span),
    }


def _by_readers(judgement: PairJudgement | None) -> list[dict[str, object]]:
    """Return the verdict and the note of each reader, with name and date."""
    bodies = []
    given = () if judgement is None else judgement.readers or (judgement,)
    for one in given:
        made: dict[str, object] = {"creator": {"type": "Person", "name": one.reader}}
        if one.date:
            made["created"] = one.date
        verdict = f"{one.verdict} (adjudicated)" if one.adjudicated else one.verdict
        for purpose, value in (("assessing", verdict), ("commenting", one.note)):
            if value:
                bodies.append({**_body(purpose, value), **made})
    return bodies


def _body(purpose: str, value: str) -> dict[str, object]:
    return {"type": "TextualBody", "purpose": purpose, "format": "text/plain", "value": value}


class _Side:
    """The segments of one document as web resources."""

    def __init__(self, document: Document) -> None:
        self._addresses = WordAddresses(document)
        self._document = uuid.uuid5(_OURS, document.fingerprint())

    def selection(self, segment: Segment, span: Span | None) -> dict[str, object]:
        """Return a span of a segment's text, or all of it."""
        text = segment.text
        start, end = span or (0, len(text))
        return {
            "type": "SpecificResource",
            "source": self._resource(segment),
            "selector": [
                {
                    "type": "TextQuoteSelector",
                    "exact": text[start:end],
                    "prefix": text[max(0, start - _AROUND) : start],
                    "suffix": text[end : end + _AROUND],
                },
                {"type": "TextPositionSelector", "start": start, "end": end},
            ],
        }

    def _resource(self, segment: Segment) -> dict[str, object]:
        resource: dict[str, object] = {
            "id": uuid.uuid5(self._document, _encodable(segment.id)).urn,
            "type": "Text",
            "label": segment.id,
            "language": "la",
            "value": segment.text,
        }
        urn = self._addresses.of_segment(segment)
        return resource | {"via": urn} if urn else resource
