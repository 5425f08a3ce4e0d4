"""W3C Web Annotation: a collection that other tools can show beside the texts."""

from __future__ import annotations

import json
import uuid
from typing import TYPE_CHECKING, Any, TextIO

from locisimiles.export.addresses import WordAddresses
from locisimiles.export.explained import explanations_of
from locisimiles.export.highlights import aligned

if TYPE_CHECKING:
    from locisimiles.corpus import Document, Segment
    from locisimiles.evidence.alignment import Alignment, Span
    from locisimiles.results import Reference, Results

__all__ = ["ANNOTATION_CONTEXT", "write_web_annotations"]

ANNOTATION_CONTEXT = "http://www.w3.org/ns/anno.jsonld"
_AROUND = 32
_DIGITS = 4
_OURS = uuid.uuid5(uuid.NAMESPACE_URL, "locisimiles")


def write_web_annotations(results: Results, stream: TextIO) -> None:
    """Write results as an annotation collection of one page.

    Each annotation targets the stretch of the query that answers the source, links it to the
    stretch of the source, and says what type it is if a classifier was asked. Offsets count
    characters of the segment's text, which stands beside them.
    """
    sides = _Side(results.query), _Side(results.source)
    manifest = json.dumps(dict(results.manifest), ensure_ascii=False, sort_keys=True)
    own = uuid.uuid5(_OURS, _encodable(manifest))
    head = {
        "@context": ANNOTATION_CONTEXT,
        "id": own.urn,
        "type": "AnnotationCollection",
        "label": "References found by locisimiles",
        "generator": {
            "id": _OURS.urn,
            "type": "Software",
            "name": f"locisimiles {results.manifest.get('locisimiles', '')}".strip(),
        },
        "total": len(results),
    }
    page = {"id": uuid.uuid5(own, "page 1").urn, "type": "AnnotationPage", "startIndex": 0}
    # The items may be many, so they are written one by one into what is open here.
    stream.write(_dumped(head)[:-1] + ', "first": ' + _dumped(page)[:-1] + ', "items": [')
    pairs = zip(aligned(results), explanations_of(results), strict=False)
    for number, (pair, explanation) in enumerate(pairs):
        annotation = _annotation(own, *pair, sides)
        if explanation:
            annotation["body"].append(_said("describing", explanation))
        stream.write(",\n" if number else "\n")
        stream.write(_dumped(annotation))
    stream.write("\n]}}\n")


def _dumped(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _encodable(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")


def _annotation(
    collection: uuid.UUID,
    reference: Reference,
    alignment: Alignment,
    sides: tuple[_Side, _Side],
) -> dict[str, Any]:
    query, source = reference.query, reference.source
    pair = json.dumps([query.id, source.id])
    bodies: list[dict[str, object]] = [
        {**sides[1].stretch(source, alignment.source_span), "purpose": "linking"},
        _said("assessing", str(round(reference.score, _DIGITS))),
    ]
    judged = reference.probabilities
    if judged is not None:
        bodies.append(_said("classifying", judged.kind))
        probable = f"cit. {round(judged.cit, _DIGITS)}, cf. {round(judged.cf, _DIGITS)}"
        bodies.append(_said("assessing", probable))
    return {
        "id": uuid.uuid5(collection, pair).urn,
        "type": "Annotation",
        "motivation": ["linking"] if judged is None else ["linking", "classifying"],
        "body": bodies,
        "target": sides[0].stretch(query, alignment.query_span),
    }


def _said(purpose: str, value: str) -> dict[str, object]:
    return {"type": "TextualBody", "purpose": purpose, "format": "text/plain", "value": value}


class _Side:
    """The segments of one document as resources on the web."""

    def __init__(self, document: Document) -> None:
        self._addresses = WordAddresses(document)
        self._document = uuid.uuid5(_OURS, document.fingerprint())

    def stretch(self, segment: Segment, span: Span | None) -> dict[str, object]:
        """Return a stretch of a segment's text, or all of it."""
        start, end = span or (0, len(segment.text))
        text = segment.text
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
