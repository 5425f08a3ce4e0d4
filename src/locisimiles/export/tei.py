"""TEI: the segments that were found, and beside them who answers whom.

The passages stand in ``text``, their answering words marked as ``w``; ``standOff`` holds an
``annotation`` for each reference, which targets the passage that refers and points to the other,
and a ``link`` for each pair of words. CTS URNs are given where works have them.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, BinaryIO

from locisimiles.export.addresses import WordAddresses
from locisimiles.export.characters import for_xml
from locisimiles.export.explained import explanations_of
from locisimiles.export.highlights import Mark, aligned, pieces

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lxml.etree import _Element

    from locisimiles.corpus import Document, Segment
    from locisimiles.evidence.alignment import Alignment
    from locisimiles.results import Reference, Results

__all__ = ["TEI_NAMESPACE", "write_tei"]

TEI_NAMESPACE = "http://www.tei-c.org/ns/1.0"
_XML_ID = "{http://www.w3.org/XML/1998/namespace}id"
_XML_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
_DIGITS = 4
_VERSION = re.compile(r"\d+(\.\d+){0,3}", re.ASCII)


def write_tei(results: Results, stream: BinaryIO) -> None:
    """Write results as a TEI document."""
    from lxml import etree

    sides = _Side("q", results.query), _Side("s", results.source)
    with etree.xmlfile(stream, encoding="utf-8") as file:
        file.write_declaration()
        with file.element("TEI", nsmap={None: TEI_NAMESPACE}):
            file.write("\n", _header(results), "\n")
            with file.element("standOff"):
                _write_annotations(results, file, sides)
            file.write("\n")
            with file.element("text"), file.element("body"):
                for side, kind in zip(sides, ("query", "source"), strict=True):
                    with file.element("div", {"type": kind}):
                        for block in side.blocks():
                            file.write("\n", block)
                    file.write("\n")


def _write_annotations(results: Results, file: Any, sides: tuple[_Side, _Side]) -> None:  # noqa: ANN401
    with file.element("listAnnotation"):
        pairs = zip(aligned(results), explanations_of(results), strict=False)
        for number, (pair, explanation) in enumerate(pairs, start=1):
            annotation = _annotation(number, *pair, sides)
            if explanation:
                _add(annotation, "note", {"type": "explanation"}, explanation)
            file.write("\n", annotation)
    file.write("\n")


def _annotation(
    number: int, reference: Reference, alignment: Alignment, sides: tuple[_Side, _Side]
) -> _Element:
    query, source = sides
    own, other = query.number(reference.query), source.number(reference.source)
    annotation = _element("annotation", {_XML_ID: f"r{number}", "motivation": "linking"})
    annotation.set("target", _targets(own, query.addresses.of_segment(reference.query)))
    _add(annotation, "ptr", {"type": "source", "target": f"#{other}"})
    urn = source.addresses.of_segment(reference.source)
    if urn:
        _add(annotation, "ptr", {"type": "cts", "target": urn})
    _add(annotation, "note", {"type": "rank"}, str(reference.rank))
    _add(annotation, "note", {"type": "score"}, str(round(reference.score, _DIGITS)))
    judged = reference.probabilities
    if judged is not None:
        _add(annotation, "note", {"type": "reference"}, judged.kind)
        for name, value in (("cit.", judged.cit), ("cf.", judged.cf)):
            attributes = {"type": "probability", "subtype": name.rstrip(".")}
            _add(annotation, "note", attributes, str(round(value, _DIGITS)))
    if alignment.pairs:
        _add_links(_add(annotation, "note", {"type": "words"}), reference, alignment, sides)
    return annotation


def _add_links(
    note: _Element, reference: Reference, alignment: Alignment, sides: tuple[_Side, _Side]
) -> None:
    links = _add(note, "linkGrp", {"type": "words", "targFunc": "query source"})
    for pair in alignment.pairs:
        words = (
            sides[0].word(reference.query, pair.query),
            sides[1].word(reference.source, pair.source),
        )
        _add(links, "link", {"type": pair.bond, "target": " ".join(words)})
    located = (
        sides[0].addresses.of_word(reference.query, alignment.pairs[0].query),
        sides[1].addresses.of_word(reference.source, alignment.pairs[0].source),
    )
    if None in located:
        return
    links = _add(note, "linkGrp", {"type": "cts", "targFunc": "query source"})
    for pair in alignment.pairs:
        own = sides[0].addresses.of_word(reference.query, pair.query)
        other = sides[1].addresses.of_word(reference.source, pair.source)
        _add(links, "link", {"type": pair.bond, "target": f"{own} {other}"})


class _Side:
    """The segments of one document that are written, and the words marked in them."""

    def __init__(self, letter: str, document: Document) -> None:
        self.addresses = WordAddresses(document)
        self._letter = letter
        self._document = document
        self._numbers: dict[str, str] = {}
        self._words: dict[str, set[tuple[int, int]]] = {}

    def number(self, segment: Segment) -> str:
        """Return the XML id of a segment."""
        return self._numbers.setdefault(segment.id, f"{self._letter}{len(self._numbers) + 1}")

    def word(self, segment: Segment, span: tuple[int, int]) -> str:
        """Return a reference to a word, which will be marked as such."""
        self._words.setdefault(segment.id, set()).add(span)
        return f"#{self.number(segment)}.{span[0]}-{span[1]}"

    def blocks(self) -> Any:  # noqa: ANN401 - an iterator of elements
        """Yield the segments, with their words."""
        for segment_id, number in self._numbers.items():
            segment = self._document[segment_id]
            block = _element("ab", {_XML_ID: number, "n": for_xml(segment_id)})
            urn = self.addresses.of_segment(segment)
            if urn:
                block.set("corresp", urn)
            bibl = _add(block, "bibl", {})
            parts = {"author": segment.author, "title": segment.work, "biblScope": segment.locus}
            for name, value in parts.items():
                if value:
                    _add(bibl, name, {}, value)
            self._add_text(_add(block, "quote", {_XML_LANG: "la"}), segment, number)
            yield block

    def _add_text(self, quote: _Element, segment: Segment, number: str) -> None:
        marks: list[Mark] = []
        end = 0
        for span in sorted(self._words.get(segment.id, ())):
            if span[0] >= end:  # elements cannot overlap, and spans of one tokenizer do not
                marks.append(Mark(*span, len(marks)))
                end = span[1]
        word = None
        for piece, mark in pieces(segment.text, marks):
            if mark is not None:
                span = marks[mark][:2]
                word = _add(quote, "w", {_XML_ID: f"{number}.{span[0]}-{span[1]}"}, piece)
            elif word is None:
                quote.text = for_xml(piece)
            else:
                word.tail = for_xml(piece)


def _header(results: Results) -> _Element:
    manifest = results.manifest
    header = _element("teiHeader", {})
    description = _add(header, "fileDesc", {})
    title = _add(description, "titleStmt", {})
    _add(title, "title", {}, "References found by locisimiles")
    responsible = _add(title, "respStmt", {})
    _add(responsible, "resp", {}, "found by a program and not judged by a reader")
    _add(responsible, "name", {}, f"locisimiles {manifest.get('locisimiles', '')}".strip())
    _add(_add(description, "publicationStmt", {}), "p", {}, "Written by locisimiles.")
    sources = _add(description, "sourceDesc", {})
    for name in ("query", "source"):
        _add(sources, "p", {"n": name}, f"{name}: {_compact(manifest.get(name, {}))}")
    encoding = _add(header, "encodingDesc", {})
    _add(encoding, "p", {}, f"{len(results):,} references, found as the application says.")
    _add_application(_add(encoding, "appInfo", {}), manifest)
    return header


def _add_application(about: _Element, manifest: Mapping[str, object]) -> None:
    # TEI wants numbers here; what follows them (a development version) stands in the description.
    version = _VERSION.match(str(manifest.get("locisimiles", "")))
    attributes = {"ident": "locisimiles", "version": version[0] if version else "0"}
    application = _add(about, "application", attributes)
    _add(application, "label", {}, "locisimiles")
    _add(application, "desc", {}, _compact(dict(manifest)))


def _compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _targets(number: str, urn: str | None) -> str:
    return f"#{number} {urn}" if urn else f"#{number}"


def _element(name: str, attributes: dict[str, str]) -> _Element:
    from lxml import etree

    # Without a namespace of their own, elements take that of the root they are written into.
    return etree.Element(name, attributes)


def _add(parent: _Element, name: str, attributes: dict[str, str], text: str = "") -> _Element:
    from lxml import etree

    child = etree.SubElement(parent, name, attributes)
    if text:
        child.text = for_xml(text)
    return child
