"""TEI: the segments of all references, and annotations that link them.

``text`` contains the segments, with aligned words as ``w``; ``standOff`` contains an ``annotation``
for each reference, which targets the citing segment and points to the cited one, and a ``link`` for
each pair of words; ``cit`` has the words that answer and the passage as it is cited. Works with CTS
URNs are addressed by them. Parallel sources share an annotation:
it points to each of the others, too, and says what rank and score it had.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, BinaryIO

from lxml import etree

from locisimiles.export.addresses import WordAddresses
from locisimiles.export.json_files import compact_json
from locisimiles.export.tei_readers import TeiReaders
from locisimiles.results.characters import for_xml
from locisimiles.results.columns import DIGITS
from locisimiles.results.groups import grouped_references
from locisimiles.results.highlights import number_marks, pieces

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.etree import _Element

    from locisimiles.corpus import Document, Segment
    from locisimiles.evidence.alignment import Alignment, Span
    from locisimiles.results import Reference, Results
    from locisimiles.results.groups import Grouped

__all__ = ["TEI_NAMESPACE", "write_tei"]

TEI_NAMESPACE = "http://www.tei-c.org/ns/1.0"
_XML_ID = "{http://www.w3.org/XML/1998/namespace}id"
_XML_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
_VERSION = re.compile(r"\d+(\.\d+){0,3}", re.ASCII)


def write_tei(results: Results, stream: BinaryIO) -> None:
    """Write results as a TEI document."""
    sides = _Side("q", results.query), _Side("s", results.source)
    readers = TeiReaders(results)
    with etree.xmlfile(stream, encoding="utf-8") as file:
        file.write_declaration()
        with file.element("TEI", nsmap={None: TEI_NAMESPACE}):
            file.write("\n", _header(results, readers), "\n")
            with file.element("standOff"):
                with file.element("listAnnotation"):
                    for number, found in enumerate(grouped_references(results), start=1):
                        annotation = _annotation(number, *found[:3], sides, readers)
                        _add_citation(annotation, found, sides[1])
                        for parallel in found.parallels:
                            _add_parallel(annotation, parallel, sides[1])
                        file.write("\n", annotation)
                file.write("\n")
            file.write("\n")
            with file.element("text"), file.element("body"):
                for side, kind in zip(sides, ("query", "source"), strict=True):
                    with file.element("div", {"type": kind}):
                        for block in side.blocks():
                            file.write("\n", block)
                    file.write("\n")


def _annotation(  # noqa: PLR0917 - a reference has three parts
    number: int,
    reference: Reference,
    alignment: Alignment,
    explanation: str,
    sides: tuple[_Side, _Side],
    readers: TeiReaders,
) -> _Element:
    query, source = sides
    target = f"#{query.number(reference.query)}"
    if urn := query.addresses.of_segment(reference.query):
        target += f" {urn}"
    attributes = {_XML_ID: f"r{number}", "motivation": "linking", "target": target}
    annotation = etree.Element("annotation", attributes)
    _add(annotation, "ptr", {"type": "source", "target": f"#{source.number(reference.source)}"})
    if urn := source.addresses.of_segment(reference.source):
        _add(annotation, "ptr", {"type": "cts", "target": urn})
    _add(annotation, "note", {"type": "rank"}, str(reference.rank))
    _add(annotation, "note", {"type": "score"}, str(round(reference.score, DIGITS)))
    judged = reference.probabilities
    if reference.kind:
        _add(annotation, "note", {"type": "reference"}, reference.kind)
    if judged is not None:
        if reference.judgement is not None:
            _add(annotation, "note", {"type": "machine"}, judged.kind)
        for name, value in (("cit.", judged.cit), ("cf.", judged.cf)):
            attributes = {"type": "probability", "subtype": name.rstrip(".")}
            _add(annotation, "note", attributes, str(round(value, DIGITS)))
    if alignment.pairs:
        _add_links(_add(annotation, "note", {"type": "words"}), reference, alignment, sides)
    if explanation:
        _add(annotation, "note", {"type": "explanation"}, explanation)
    readers.annotate(annotation, reference.judgement)
    return annotation


def _add_citation(annotation: _Element, found: Grouped, source: _Side) -> None:
    """Add the words of the query that answer, and the passage they answer, as it is cited."""
    text, span = found.reference.query.text, found.alignment.query_span
    cit = _add(_add(annotation, "note", {"type": "citation"}), "cit")
    _add(cit, "quote", {_XML_LANG: "la"}, text if span is None else text[slice(*span)])
    segment = found.reference.source
    target = source.addresses.of_segment(segment) or f"#{source.number(segment)}"
    _add(cit, "ref", {"target": target}, found.passage)


def _add_parallel(annotation: _Element, reference: Reference, source: _Side) -> None:
    """Point to a source with nearly the same words."""
    target = f"#{source.number(reference.source)}"
    if urn := source.addresses.of_segment(reference.source):
        target += f" {urn}"
    _add(annotation, "ptr", {"type": "parallel", "target": target})
    said = f"rank {reference.rank}, score {round(reference.score, DIGITS)}"
    judged = reference.judgement
    if judged is not None and judged.verdict:
        said += f", {judged.verdict}"
    _add(annotation, "note", {"type": "parallel", "target": target}, f"cf. also: {said}")


def _add_links(
    note: _Element, reference: Reference, alignment: Alignment, sides: tuple[_Side, _Side]
) -> None:
    query, source = sides
    for kind, find in (("words", _Side.word), ("cts", _Side.word_urn)):
        targets = [
            (find(query, reference.query, pair.query), find(source, reference.source, pair.source))
            for pair in alignment.pairs
        ]
        if None not in targets[0]:
            links = _add(note, "linkGrp", {"type": kind, "targFunc": "query source"})
            for pair, (one, other) in zip(alignment.pairs, targets, strict=True):
                _add(links, "link", {"type": pair.bond, "target": f"{one} {other}"})


class _Side:
    """The segments of one document to write, and the words marked in them."""

    def __init__(self, letter: str, document: Document) -> None:
        self.addresses = WordAddresses(document)
        self._letter = letter
        self._document = document
        self._numbers: dict[str, str] = {}
        self._words: dict[str, set[Span]] = {}

    def number(self, segment: Segment) -> str:
        """Return the XML id of a segment."""
        return self._numbers.setdefault(segment.id, f"{self._letter}{len(self._numbers) + 1}")

    def word(self, segment: Segment, span: Span) -> str | None:
        """Mark a word in the text, and return a reference to it."""
        self._words.setdefault(segment.id, set()).add(span)
        return f"#{self.number(segment)}.{span[0]}-{span[1]}"

    def word_urn(self, segment: Segment, span: Span) -> str | None:
        """Return the CTS URN of a word; None if its work has none."""
        return self.addresses.of_word(segment, span)

    def blocks(self) -> Iterator[_Element]:
        """Yield the segments with their marked words."""
        for segment_id, number in self._numbers.items():
            segment = self._document[segment_id]
            block = etree.Element("ab", {_XML_ID: number, "n": for_xml(segment_id)})
            if urn := self.addresses.of_segment(segment):
                block.set("corresp", urn)
            bibl = _add(block, "bibl")
            parts = {"author": segment.author, "title": segment.work, "biblScope": segment.locus}
            for name, value in parts.items():
                if value:
                    _add(bibl, name, text=value)
            self._add_text(_add(block, "quote", {_XML_LANG: "la"}), segment, number)
            yield block

    def _add_text(self, quote: _Element, segment: Segment, number: str) -> None:
        spans = sorted(self._words.get(segment.id, ()))
        word = None
        for piece, mark in pieces(segment.text, number_marks(spans)):
            if mark is not None:
                start, end = spans[mark]
                word = _add(quote, "w", {_XML_ID: f"{number}.{start}-{end}"}, piece)
            elif word is None:
                quote.text = for_xml(piece)
            else:
                word.tail = for_xml(piece)


def _header(results: Results, readers: TeiReaders) -> _Element:
    manifest = results.manifest
    header = etree.Element("teiHeader")
    description = _add(header, "fileDesc")
    title = _add(description, "titleStmt")
    _add(title, "title", text="References found by locisimiles")
    responsible = _add(title, "respStmt")
    _add(responsible, "resp", text=readers.responsibility)
    _add(responsible, "name", text=f"locisimiles {manifest.get('locisimiles', '')}".strip())
    readers.add_statements(title)
    _add(_add(description, "publicationStmt"), "p", text="Written by locisimiles.")
    sources = _add(description, "sourceDesc")
    for name in ("query", "source"):
        _add(sources, "p", {"n": name}, f"{name}: {compact_json(manifest.get(name, {}))}")
    encoding = _add(header, "encodingDesc")
    found = f"{len(results):,} references, found as the application says."
    _add(encoding, "p", text=f"{found} {manifest.get('assumption', '')}".strip())
    # TEI allows numbers only; the description has the full version.
    version = _VERSION.match(str(manifest.get("locisimiles", "")))
    attributes = {"ident": "locisimiles", "version": version[0] if version else "0"}
    application = _add(_add(encoding, "appInfo"), "application", attributes)
    _add(application, "label", text="locisimiles")
    _add(application, "desc", text=compact_json(dict(manifest)))
    return header


# Elements without a namespace get that of the root they are written into.
def _add(
    parent: _Element, name: str, attributes: dict[str, str] | None = None, text: str = ""
) -> _Element:
    child = etree.SubElement(parent, name, attributes or {})
    if text:
        child.text = for_xml(text)
    return child
