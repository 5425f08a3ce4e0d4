"""Web pages (``.html``): paragraphs, headings, lists and tables in reading order."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lxml import etree

from locisimiles.corpus.formats.packed_parts import local_name
from locisimiles.corpus.formats.written_blocks import WrittenBlocks
from locisimiles.corpus.inputs import read_text
from locisimiles.errors import EmptyInputError, UnsafeInputError
from locisimiles.files.decoding import is_text_encoding, marked_encoding, split_lines

if TYPE_CHECKING:
    from lxml.etree import _Element

    from locisimiles.corpus.columns import Columns
    from locisimiles.corpus.options import ReadOptions
    from locisimiles.corpus.report import ReadReport
    from locisimiles.files.raw import RawInput

__all__ = ["looks_like_html", "read_html"]

# Atomic groups: comments before the root must not be tried in every combination.
_BEGIN = re.compile(
    r"(?is)(?>\s*(?:<\?(?>.*?>)|<!--(?>.*?-->)))*+\s*(?:<!doctype\s+html\b|<html[\s>])"
)
_CHARSET = re.compile(rb"(?i)<(?:meta|\?xml)[^>]*?(?:charset|encoding)\s*=\s*[\"']?\s*([\w.:-]+)")
_DECLARATION = 4096
_LATIN_1 = frozenset(["ascii", "iso-8859-1", "iso8859-1", "latin-1", "latin1", "us-ascii"])
_WIDE = ("utf-16", "utf-32")  # not of a page whose declaration could be read
_HEADINGS = frozenset(f"h{level}" for level in range(1, 7))
_BLOCKS = _HEADINGS | frozenset(
    ["address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details",
     "dir", "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "header",
     "hr", "legend", "li", "main", "menu", "ol", "p", "pre", "section", "summary", "table",
     "tbody", "td", "tfoot", "th", "thead", "tr", "ul"]
)  # fmt: skip
_LEFT_OUT = frozenset(
    ["applet", "audio", "button", "canvas", "embed", "head", "iframe", "input", "math", "noframes",
     "noscript", "object", "rp", "rt", "script", "select", "style", "svg", "template", "textarea",
     "title", "video"]
)  # fmt: skip
_NOTE_CLASSES = frozenset(
    ["endnote", "endnotes", "footnote", "footnotes", "footnote-ref", "footnoteref", "fnref",
     "noteref", "reference", "references", "sdendnoteanc", "sdfootnoteanc"]
)  # fmt: skip
_NOTE_ROLES = frozenset(
    ["doc-endnote", "doc-endnotes", "doc-footnote", "doc-noteref", "endnote", "endnotes",
     "footnote", "footnotes", "noteref"]
)  # fmt: skip
_NOTE_ID = re.compile(r"(?:sd)?(?:ftn|edn|footnote|endnote|fn)-?\d+")
_NOTE_MARK = re.compile(r"[\[(]?\s*(?:\d{1,4}|[a-z]|[*†‡§]+)\s*[\])]?")


def looks_like_html(text: str) -> bool:
    """Return whether a text is a web page.

    Examples
    --------
    >>> looks_like_html("<!doctype html><p>Arma"), looks_like_html("<?xml version='1.0'?><TEI/>")
    (True, False)
    """
    return _BEGIN.match(text) is not None


def read_html(raw: RawInput, options: ReadOptions, report: ReadReport) -> Columns:
    """Read a web page; scripts, menus and footnotes are left out."""
    text = read_text(raw, report, encoding=options.encoding or _encoding(raw.data))
    root = _parse(raw, text.replace("\x00", ""))
    blocks = WrittenBlocks()
    _visit(root, blocks, preformatted=False)
    return blocks.read(raw, options, report)


def _encoding(data: bytes) -> str | None:
    """Return the declared encoding, unless a mark or the bytes themselves say otherwise.

    Many pages that were converted to UTF-8 still declare what they were before.
    """
    declared = _CHARSET.search(data[:_DECLARATION])
    if declared is None or marked_encoding(data):
        return None
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        name = declared[1].decode().lower()
    else:
        return None
    if name in _LATIN_1:
        return "cp1252"  # as browsers do
    usable = is_text_encoding(name) and not name.startswith((*_WIDE, "utf-8", "utf8"))
    return name if usable else None


def _parse(raw: RawInput, text: str) -> _Element:
    parser = etree.HTMLParser(
        encoding="utf-8", no_network=True, remove_comments=True, remove_pis=True, huge_tree=False
    )
    try:
        root = etree.fromstring(text.encode("utf-8", "replace"), parser)
    except etree.XMLSyntaxError as error:
        raise EmptyInputError("corpus.no_text_in_file", file=raw.name) from error
    if root is None:
        raise EmptyInputError("corpus.no_text_in_file", file=raw.name)
    if any(entry.level_name == "FATAL" for entry in parser.error_log):
        # The rest of the page would be missing without a word about it.
        raise UnsafeInputError("corpus.page_too_deep", file=raw.name)
    return root


def _visit(element: _Element, blocks: WrittenBlocks, *, preformatted: bool) -> None:
    name = local_name(element).lower()
    if not name or name in _LEFT_OUT or "hidden" in element.attrib:
        return
    if name == "nav":
        blocks.menus += 1
    elif _is_note(element, name):
        blocks.notes += 1
    elif name == "br":
        blocks.break_line()
    elif name in _BLOCKS:
        blocks.end_block()
        _visit_inside(element, blocks, preformatted=preformatted or name == "pre")
        blocks.end_block(heading=name in _HEADINGS)
    else:
        _visit_inside(element, blocks, preformatted=preformatted)


def _visit_inside(element: _Element, blocks: WrittenBlocks, *, preformatted: bool) -> None:
    _write(element.text, blocks, preformatted=preformatted)
    for child in element:
        _visit(child, blocks, preformatted=preformatted)
        _write(child.tail, blocks, preformatted=preformatted)


def _write(text: str | None, blocks: WrittenBlocks, *, preformatted: bool) -> None:
    first, *others = split_lines(text or "") if preformatted else [text or ""]
    blocks.write(first)
    for line in others:
        blocks.break_line()
        blocks.write(line)


def _is_note(element: _Element, name: str) -> bool:
    """Tell a footnote or its mark by what editors of web pages call them."""
    kinds = " ".join(
        element.get(key, "") for key in ("role", "epub:type", "{http://www.idpf.org/2007/ops}type")
    )
    if not _NOTE_ROLES.isdisjoint(kinds.split()):
        return True
    if not _NOTE_CLASSES.isdisjoint(element.get("class", "").lower().split()):
        return True
    if name in ("aside", "div", "li", "p") and _NOTE_ID.fullmatch(element.get("id", "").lower()):
        return True
    if name != "sup":
        return False
    return _NOTE_MARK.fullmatch("".join(map(str, element.itertext())).strip()) is not None
