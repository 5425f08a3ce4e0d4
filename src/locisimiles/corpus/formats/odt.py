"""Documents of LibreOffice (``.odt``): paragraphs, headings and tables in reading order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from locisimiles.corpus.formats.packed_parts import PackedParts, local_name
from locisimiles.corpus.formats.written_blocks import WrittenBlocks

if TYPE_CHECKING:
    from lxml.etree import _Element

    from locisimiles.corpus.columns import Columns
    from locisimiles.corpus.options import ReadOptions
    from locisimiles.corpus.report import ReadReport
    from locisimiles.files.raw import RawInput

__all__ = ["read_odt"]

_PART = "content.xml"
# Styles and scripts; what was deleted or is computed; reading aids; titles of pictures.
_LEFT_OUT = frozenset(
    ["automatic-styles", "font-face-decls", "forms", "scripts", "tracked-changes",
     "ruby-text", "title", "desc", "page-number", "page-count"]
)  # fmt: skip
_NOTES = frozenset(["annotation", "note"])
_CONTENTS = frozenset(
    ["alphabetical-index", "bibliography", "illustration-index", "object-index",
     "table-index", "table-of-content", "user-index"]
)  # fmt: skip


def read_odt(raw: RawInput, options: ReadOptions, report: ReadReport) -> Columns:
    """Read a document of LibreOffice; notes, comments and indexes are left out."""
    with PackedParts(raw, report) as parts:
        root = parts.root(_PART)
    blocks = WrittenBlocks()
    _visit(root, blocks)
    return blocks.read(raw, options, report)


def _visit(element: _Element, blocks: WrittenBlocks) -> None:
    name = local_name(element)
    if name in ("p", "h"):
        blocks.end_block()  # one in a frame stands inside another
        _visit_inside(element, blocks)
        blocks.end_block(heading=name == "h")
    elif name in ("s", "tab"):
        blocks.write(" ")
    elif name == "line-break":
        blocks.break_line()
    elif name in _NOTES:
        blocks.notes += 1
    elif name in _CONTENTS:
        blocks.contents += 1
    elif name and name not in _LEFT_OUT:
        _visit_inside(element, blocks)


def _visit_inside(element: _Element, blocks: WrittenBlocks) -> None:
    blocks.write(element.text or "")
    for child in element:
        _visit(child, blocks)
        blocks.write(child.tail or "")
