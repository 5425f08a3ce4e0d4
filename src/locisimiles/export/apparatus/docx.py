"""Word: the text with the apparatus in footnotes, or the apparatus alone.

A package of a few parts is written here, rather than with a library: it needs paragraphs, four
styles and footnotes.
"""

from __future__ import annotations

import zipfile
from typing import TYPE_CHECKING

from lxml import etree

from locisimiles.corpus.segmenter import VERSE_SEPARATOR
from locisimiles.export.apparatus import docx_parts as parts
from locisimiles.export.apparatus.wording import full_title, heading, method, reader_name
from locisimiles.results.characters import for_xml

if TYPE_CHECKING:
    from typing import BinaryIO

    from lxml.etree import _Element

    from locisimiles.export.apparatus.model import Apparatus, Entry, Passage, Section

__all__ = ["write"]

_W = f"{{{parts.WORD_NAMESPACE}}}"
_SPACE = "{http://www.w3.org/XML/1998/namespace}space"
_NO_TIME = (1980, 1, 1, 0, 0, 0)  # equal results give equal bytes
_SEPARATORS = (("separator", "-1"), ("continuationSeparator", "0"))


def write(apparatus: Apparatus, stream: BinaryIO, *, text: bool, language: str) -> None:
    """Write an apparatus as a ``.docx`` file."""
    document = _Document(language)
    document.fill(apparatus, text=text)
    title = for_xml(full_title(apparatus))
    written: dict[str, str | bytes] = {
        **parts.FIXED,
        "docProps/core.xml": parts.core(title, language),
        "word/document.xml": _xml(document.root),
        "word/footnotes.xml": _xml(document.footnotes),
    }
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in written.items():
            undated = zipfile.ZipInfo(name, _NO_TIME)
            undated.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(undated, content)


def _xml(root: _Element) -> bytes:
    return etree.tostring(root, encoding="UTF-8", xml_declaration=True, standalone=True)


class _Document:
    """The main part of a document, and its footnotes."""

    def __init__(self, language: str) -> None:
        self._language = language
        names = {"w": parts.WORD_NAMESPACE}
        self.root = etree.Element(f"{_W}document", nsmap=names)
        self._body = _add(self.root, "body")
        self.footnotes = etree.Element(f"{_W}footnotes", nsmap=names)
        for kind, number in _SEPARATORS:
            note = _add(self.footnotes, "footnote", type=kind, id=number)
            _add(_add(_add(note, "p"), "r"), kind)
        self._notes = 0

    def fill(self, apparatus: Apparatus, *, text: bool) -> None:
        """Write everything."""
        self._paragraph("Title", full_title(apparatus))
        for section in apparatus.sections:
            if section.title:
                self._paragraph("Heading1", section.title)
            if text:
                self._text(section)
            else:
                for entry in section.entries:
                    _add_entry(self._paragraph("Apparatus"), entry)
        sigla = [(one.siglum, one.text) for one in apparatus.abbreviations]
        if sigla:
            self._list("sigla", sigla)
        if len(apparatus.readers) > 1:
            named = [(r.siglum, reader_name(r.name, self._language)) for r in apparatus.readers]
            self._list("readers", named)
        self._paragraph("Heading1", heading("method", self._language))
        self._paragraph("Normal", " ".join(method(apparatus, self._language)))
        page = _add(self._body, "sectPr")
        _add(page, "pgSz", w="11906", h="16838")
        _add(page, "pgMar", top="1418", right="1418", bottom="1418", left="1418",
             header="709", footer="709", gutter="0")  # fmt: skip

    def _text(self, section: Section) -> None:
        paragraph = self._paragraph("Normal")
        for number, passage in enumerate(section.passages):
            if number and passage.breaks:
                _add(_add(paragraph, "r"), "br")
            elif number:
                _add_run(paragraph, " ")
            if passage.label:
                _add_run(paragraph, f"{passage.label} ", style="Locus")
            self._passage(paragraph, passage)

    def _passage(self, paragraph: _Element, passage: Passage) -> None:
        at = 0
        # A footnote stands after the last word of its lemma.
        for entry in sorted(passage.entries, key=lambda entry: (entry.span[1], entry.span[0])):
            _add_run(paragraph, passage.text[at : entry.span[1]])
            at = entry.span[1]
            self._notes += 1
            call = _add(paragraph, "r")
            _add(_add(call, "rPr"), "rStyle", val="FootnoteReference")
            _add(call, "footnoteReference", id=str(self._notes))
            note = _add(_add(self.footnotes, "footnote", id=str(self._notes)), "p")
            _add(_add(note, "pPr"), "pStyle", val="FootnoteText")
            mark = _add(note, "r")
            _add(_add(mark, "rPr"), "rStyle", val="FootnoteReference")
            _add(mark, "footnoteRef")
            _add_run(note, " ")
            _add_entry(note, entry)
        _add_run(paragraph, passage.text[at:])

    def _list(self, name: str, items: list[tuple[str, str]]) -> None:
        self._paragraph("Heading1", heading(name, self._language))
        for siglum, meaning in items:
            paragraph = self._paragraph("Normal")
            _add_run(paragraph, siglum, bold=True)
            _add_run(paragraph, f" {meaning}")

    def _paragraph(self, style: str, text: str = "") -> _Element:
        paragraph = _add(self._body, "p")
        _add(_add(paragraph, "pPr"), "pStyle", val=style)
        _add_run(paragraph, text)
        return paragraph


def _add_entry(paragraph: _Element, entry: Entry) -> None:
    if entry.locus:
        _add_run(paragraph, f"{entry.locus} ", bold=True)
    _add_run(paragraph, f"{entry.lemma}] ")
    for number, citation in enumerate(entry.citations):
        _add_run(paragraph, f"{'; ' if number else ''}{citation.text}")
        if citation.remark:
            _add_run(paragraph, f" {citation.remark}", italic=True)


def _add_run(
    paragraph: _Element, text: str, *, style: str = "", bold: bool = False, italic: bool = False
) -> None:
    if not text:
        return
    run = _add(paragraph, "r")
    if style or bold or italic:
        properties = _add(run, "rPr")
        if style:
            _add(properties, "rStyle", val=style)
        if bold:
            _add(properties, "b")
        if italic:
            _add(properties, "i")
    for number, line in enumerate(text.split(VERSE_SEPARATOR)):
        if number:
            _add(run, "br")
        written = _add(run, "t")
        written.text = for_xml(line)
        written.set(_SPACE, "preserve")


def _add(parent: _Element, name: str, **attributes: str) -> _Element:
    named = {f"{_W}{key}": value for key, value in attributes.items()}
    return etree.SubElement(parent, f"{_W}{name}", named)
