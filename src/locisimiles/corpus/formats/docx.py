"""Documents of Word (``.docx``): paragraphs, headings and tables in reading order."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from locisimiles.corpus.formats.packed_parts import PackedParts, local_name, value_of
from locisimiles.corpus.formats.written_blocks import WrittenBlocks

if TYPE_CHECKING:
    from lxml.etree import _Element

    from locisimiles.corpus.columns import Columns
    from locisimiles.corpus.options import ReadOptions
    from locisimiles.corpus.report import ReadReport
    from locisimiles.files.raw import RawInput

__all__ = ["read_docx"]

_RELATIONS = "_rels/.rels"
_USUAL_PART = "word/document.xml"
# Deleted or moved away, the same again for old programs, reading aids, properties.
_LEFT_OUT = frozenset(["Fallback", "del", "moveFrom", "pPr", "rPr", "rt", "sectPr", "tblPr"])
_NOTES = frozenset(["commentReference", "endnoteReference", "footnoteReference"])
_SIGNS = {"noBreakHyphen": "-", "ptab": " ", "tab": " "}
_HEADINGS = ("heading", "subtitle", "title")
_CONTENTS = "toc "


def read_docx(raw: RawInput, options: ReadOptions, report: ReadReport) -> Columns:
    """Read a document of Word; notes, comments and the table of contents are left out."""
    with PackedParts(raw, report) as parts:
        place = _main_part(parts)
        root = parts.root(place)
        styles = _styles(parts, posixpath.join(posixpath.dirname(place), "styles.xml"))
    reader = _Reader(styles)
    reader.visit(root)
    return reader.blocks.read(raw, options, report)


class _Reader:
    def __init__(self, styles: dict[str, str]) -> None:
        self.blocks = WrittenBlocks()
        self._styles = styles

    def visit(self, element: _Element) -> None:
        """Write what an element contains."""
        name = local_name(element)
        if name in _LEFT_OUT:
            return
        if name == "p":
            self._paragraph(element)
        elif name == "t":
            self.blocks.write(element.text or "")
        elif name in _SIGNS:
            self.blocks.write(_SIGNS[name])
        elif name in ("br", "cr"):
            self.blocks.break_line()
        elif name in _NOTES:
            self.blocks.notes += 1
        else:
            for child in element:
                self.visit(child)

    def _paragraph(self, element: _Element) -> None:
        self.blocks.end_block()  # one in a text box stands inside another
        style = self._style(element)
        if style.startswith(_CONTENTS):
            self.blocks.contents += 1
            return
        for child in element:
            self.visit(child)
        self.blocks.end_block(heading=style.startswith(_HEADINGS))

    def _style(self, paragraph: _Element) -> str:
        """Return the name of a paragraph's style, which is English in every language."""
        for properties in paragraph.iterchildren("{*}pPr"):
            for style in properties.iterchildren("{*}pStyle"):
                identifier = value_of(style)
                return self._styles.get(identifier, identifier).lower()
        return ""


def _main_part(parts: PackedParts) -> str:
    if _RELATIONS in parts:
        for relation in parts.root(_RELATIONS):
            if value_of(relation, "Type").endswith("/officeDocument"):
                return value_of(relation, "Target").lstrip("/")
    return _USUAL_PART


def _styles(parts: PackedParts, place: str) -> dict[str, str]:
    if place not in parts:
        return {}
    return {
        value_of(style, "styleId"): value_of(style.find("{*}name"))
        for style in parts.root(place).iterchildren("{*}style")
    }
