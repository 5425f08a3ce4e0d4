"""TEI: the text with anchors, and an ``app`` for each lemma, which points to them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lxml import etree

from locisimiles.corpus.segmenter import VERSE_SEPARATOR
from locisimiles.export.apparatus.model import ALSO
from locisimiles.export.apparatus.wording import full_title, method, reader_name
from locisimiles.export.tei import TEI_NAMESPACE
from locisimiles.results.characters import for_xml

if TYPE_CHECKING:
    from typing import BinaryIO

    from lxml.etree import _Element

    from locisimiles.export.apparatus.model import Apparatus, Citation, Entry, Passage, Section

__all__ = ["write"]

_XML = "{http://www.w3.org/XML/1998/namespace}"
_VERSION = re.compile(r"\d+(\.\d+){0,3}", re.ASCII)


def write(apparatus: Apparatus, stream: BinaryIO, *, text: bool, language: str) -> None:
    """Write an apparatus as a TEI document."""
    root = etree.fromstring(f'<TEI xmlns="{TEI_NAMESPACE}"/>')
    _add_header(root, apparatus, language)
    readers = {one.siglum: f"#reader{number}" for number, one in enumerate(apparatus.readers, 1)}
    whole = _add(root, "text")
    body = _add(whole, "body")
    # An apparatus alone is the body itself.
    place = _add(whole, "back") if text else body
    listed = _add(_add(place, "div", {"type": "apparatus"}), "listApp", {"type": "fontes"})
    number = 0
    for section in apparatus.sections:
        division = _add_section(body, section) if text else None
        for passage in section.passages:
            numbered = list(enumerate(passage.entries, number + 1))
            number += len(numbered)
            if division is not None:
                _add_passage(division, passage, numbered)
            for key, entry in numbered:
                _add_entry(listed, key, entry, passage, readers, anchored=text)
    etree.indent(listed, "  ")
    tree = etree.ElementTree(root)
    tree.write(stream, encoding="utf-8", xml_declaration=True)


def _add_header(root: _Element, apparatus: Apparatus, language: str) -> None:
    header = _add(root, "teiHeader", {f"{_XML}lang": language})
    description = _add(header, "fileDesc")
    title = _add(description, "titleStmt")
    _add(title, "title", text=full_title(apparatus))
    for number, reader in enumerate(apparatus.readers, start=1):
        responsible = _add(title, "respStmt", {f"{_XML}id": f"reader{number}"})
        _add(responsible, "resp", text="accepted references")
        name = _add(responsible, "name", text=reader_name(reader.name, language))
        name.set("n", for_xml(reader.siglum))
    published = _add(description, "publicationStmt")
    _add(published, "p", text=f"locisimiles {apparatus.version}".strip())
    sources = _add(_add(description, "sourceDesc"), "listBibl")
    for number, siglum in enumerate(apparatus.sigla, start=1):
        bibl = _add(sources, "bibl", {f"{_XML}id": f"siglum{number}"})
        _add(bibl, "abbr", text=siglum.siglum)
        known = {"author": siglum.author, "title": siglum.title, "edition": siglum.edition}
        for part, value in known.items():
            if value:
                _add(bibl, part, text=value)
    encoding = _add(header, "encodingDesc")
    project = _add(encoding, "projectDesc")
    for sentence in method(apparatus, language):
        _add(project, "p", text=sentence)
    # TEI allows numbers only.
    version = _VERSION.match(apparatus.version)
    attributes = {"ident": "locisimiles", "version": version[0] if version else "0"}
    application = _add(_add(encoding, "appInfo"), "application", attributes)
    _add(application, "label", text=f"locisimiles {apparatus.version}".strip())
    etree.indent(header, "  ")


def _add_section(body: _Element, section: Section) -> _Element:
    division = _add(body, "div", {"type": "verse" if section.verse else "prose"})
    if section.title:
        _add(division, "head", text=section.title)
    return division


def _add_passage(division: _Element, passage: Passage, entries: list[tuple[int, Entry]]) -> None:
    block = _add(division, "ab", {"n": for_xml(passage.locus or passage.id), f"{_XML}lang": "la"})
    block.tail = "\n"
    if passage.urn:
        block.set("corresp", for_xml(passage.urn))
    # Lemmas may cross, so their ends are points in the text.
    points = sorted(
        [(entry.span[0], 1, f"app{key}-from") for key, entry in entries]
        + [(entry.span[1], 0, f"app{key}-to") for key, entry in entries]
    )
    at = 0
    for offset, _, name in points:
        _add_words(block, passage.text[at:offset])
        _add(block, "anchor", {f"{_XML}id": name})
        at = offset
    _add_words(block, passage.text[at:])


def _add_words(block: _Element, words: str) -> None:
    """Append words; the lines of verse are separated by ``lb``."""
    first, *others = words.split(VERSE_SEPARATOR)
    _append(block, first)
    for line in others:
        _add(block, "lb")
        _append(block, line)


def _append(block: _Element, words: str) -> None:
    if len(block):
        block[-1].tail = (block[-1].tail or "") + for_xml(words)
    else:
        block.text = (block.text or "") + for_xml(words)


def _add_entry(
    listed: _Element,
    key: int,
    entry: Entry,
    passage: Passage,
    readers: dict[str, str],
    *,
    anchored: bool,
) -> None:
    attributes = {"type": "fontes", f"{_XML}id": f"app{key}"}
    if anchored:
        attributes |= {"from": f"#app{key}-from", "to": f"#app{key}-to"}
    if entry.locus:
        attributes["loc"] = for_xml(entry.locus)
    app = _add(listed, "app", attributes)
    _add(app, "lem", {"corresp": for_xml(passage.urn)} if passage.urn else {}, entry.lemma)
    for citation in entry.citations:
        _add_citation(app, citation, readers)


def _add_citation(app: _Element, citation: Citation, readers: dict[str, str]) -> None:
    subtype = {"": "cit", ALSO: "parallel"}.get(citation.mark, "cf")
    note = _add(app, "note", {"type": "source", "subtype": subtype})
    if responsible := " ".join(readers[one] for one in citation.readers):
        note.set("resp", responsible)
    cit = _add(note, "cit")
    _add(cit, "quote", {f"{_XML}lang": "la"}, citation.quotation)
    bibl = _add(cit, "bibl")
    full = " ".join(filter(None, (citation.mark, citation.siglum, citation.locus)))
    if citation.urn:
        _add(bibl, "ref", {"target": citation.urn}, full)
    else:
        bibl.text = for_xml(full)
    for one in citation.notes:
        attributes = {"type": "comment"}
        if one.reader:
            attributes["resp"] = readers[one.reader]
        _add(note, "note", attributes, one.text)


def _add(
    parent: _Element, name: str, attributes: dict[str, str] | None = None, text: str = ""
) -> _Element:
    child = etree.SubElement(parent, f"{{{TEI_NAMESPACE}}}{name}", attributes or {})
    if text:
        child.text = for_xml(text)
    return child
