"""Parse XML that strangers wrote, without loading, expanding or fetching anything.

Document types are taken out before parsing: they are where entity bombs live and where old TEI
files ask for DTDs that nobody can fetch any more. Plain entities that a file declares for itself
(``<!ENTITY mdash "—">``) are honoured, those of HTML too; others stay in the text as written.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import escape
from html.entities import html5
from typing import TYPE_CHECKING

from lxml import etree

from locisimiles.corpus.decoding import decode
from locisimiles.errors import MalformedInputError, UnsafeInputError

if TYPE_CHECKING:
    from collections.abc import Callable

    from locisimiles.corpus.inputs import RawInput
    from locisimiles.corpus.report import ReadReport

__all__ = ["looks_like_xml", "parse_xml"]

_ENCODING = re.compile(rb"\s*<\?xml[^>]*encoding\s*=\s*[\"']([\w.-]+)[\"']")
# An element of TEI, or any with attributes.
_ROOT = re.compile(
    r"<(?:(?:\w+:)?(?:TEI|TEI\.2|teiCorpus|text|body|div\d?)[\s/>]|[A-Za-z][\w:.-]*\s+[\w:.-]+=[\"'])"
)
_ENTITY = re.compile(
    r"<!ENTITY\s+(?P<name>[\w.:-]+)\s+(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)')\s*>"
)
_REFERENCE = re.compile(r"&([A-Za-z_][\w.:-]*);")
_IN_DOCTYPE = re.compile(r"[\"'\[\]>]")
_XML_OWN = frozenset(["amp", "apos", "gt", "lt", "quot"])
_LONGEST_ENTITY = 1000
_GREATEST_GROWTH = 4
_SMALL_ENOUGH_TO_TRUST = 100_000


def looks_like_xml(text: str) -> bool:
    """Tell whether a text is an XML document.

    Examples
    --------
    >>> looks_like_xml("<?xml version='1.0'?><TEI/>"), looks_like_xml("<verg. aen. 1.1> Arma")
    (True, False)
    >>> looks_like_xml('<!-- version 2 --><teiCorpus xmlns="http://www.tei-c.org/ns/1.0">')
    True
    """
    prolog = _read_prolog(text)
    declared = prolog.doctype is not None or text.lstrip().startswith("<?xml")
    return declared or _ROOT.match(text, prolog.end) is not None


def parse_xml(raw: RawInput, report: ReadReport, *, encoding: str | None = None) -> etree._Element:
    """Parse a file and return its root element.

    Raises
    ------
    MalformedInputError
        If it is not well-formed; the message names the line.
    UnsafeInputError
        If it defines entities by entities, or grows too much by them.
    """
    text, _ = decode(raw, report, encoding=encoding or _declared_encoding(raw))
    prolog = _read_prolog(text)
    subset = prolog.doctype or ""
    # Line breaks are kept, so that the parser's line numbers stay true.
    body = "\n" * text.count("\n", 0, prolog.end) + text[prolog.end :]
    resolve = _Resolver(raw, report, _own_entities(raw, subset))
    expanded = _outside_cdata(body, lambda part: _REFERENCE.sub(resolve, part))
    if len(expanded) > _GREATEST_GROWTH * len(body) + _SMALL_ENOUGH_TO_TRUST:
        raise UnsafeInputError("the file grows too much by its entities", file=raw.name)
    parser = etree.XMLParser(
        encoding="utf-8", resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False
    )
    try:
        return etree.fromstring(expanded.encode("utf-8", "replace"), parser)
    except etree.XMLSyntaxError as error:
        raise MalformedInputError(
            f"the XML is broken ({error.msg})",
            file=raw.name,
            row=error.lineno,
            hint="an XML editor shows where",
        ) from error


@dataclass(frozen=True, slots=True)
class _Prolog:
    """What stands before the root element: where it ends, and its document type."""

    end: int
    doctype: str | None


def _read_prolog(text: str) -> _Prolog:
    """Read declaration, comments and document type, each character once."""
    at, doctype = 0, None
    while True:
        while at < len(text) and text[at].isspace():
            at += 1
        if text.startswith("<?", at):
            at = _after(text, "?>", at)
        elif text.startswith("<!--", at):
            at = _after(text, "-->", at)
        elif text.startswith("<!DOCTYPE", at):
            end = _end_of_doctype(text, at)
            doctype, at = text[at:end], end
        else:
            return _Prolog(at, doctype)


def _after(text: str, closing: str, start: int) -> int:
    found = text.find(closing, start)
    return found + len(closing) if found >= 0 else len(text)


def _end_of_doctype(text: str, at: int) -> int:
    inside_subset = False
    while match := _IN_DOCTYPE.search(text, at):
        at = match.end()
        mark = match.group()
        if mark in "\"'":
            at = _after(text, mark, at)
        elif mark == "[":
            inside_subset = True
        elif mark == "]":
            inside_subset = False
        elif not inside_subset:
            return at
    return len(text)


def _outside_cdata(text: str, change: Callable[[str], str]) -> str:
    pieces = []
    at = 0
    while (opening := text.find("<![CDATA[", at)) >= 0:
        closing = _after(text, "]]>", opening)
        pieces += [change(text[at:opening]), text[opening:closing]]
        at = closing
    return "".join([*pieces, change(text[at:])])


def _declared_encoding(raw: RawInput) -> str | None:
    declared = _ENCODING.match(raw.data[:200])
    return declared[1].decode() if declared else None


def _own_entities(raw: RawInput, subset: str) -> dict[str, str]:
    entities: dict[str, str] = {}
    for match in _ENTITY.finditer(subset):
        value = match["double"] if match["double"] is not None else match["single"]
        if _REFERENCE.search(value) or "%" in value or len(value) > _LONGEST_ENTITY:
            raise UnsafeInputError(
                f"the entity '{match['name']}' is built from other entities",
                file=raw.name,
                hint="such files can grow without bounds and are not read",
            )
        entities[match["name"]] = value
    return entities


class _Resolver:
    """Replaces entity references by what they stand for, or keeps them as text."""

    def __init__(self, raw: RawInput, report: ReadReport, entities: dict[str, str]) -> None:
        self._raw = raw
        self._report = report
        self._entities = entities
        self._told: set[str] = set()

    def __call__(self, reference: re.Match[str]) -> str:
        name = reference[1]
        if name in _XML_OWN:
            return reference[0]
        if name in self._entities:
            return self._entities[name]
        if f"{name};" in html5:
            return escape(html5[f"{name};"], quote=False)
        if name not in self._told:
            self._told.add(name)
            self._report.note(self._raw.name, f"the entity &{name}; is not defined, kept as text")
        return f"&amp;{name};"
