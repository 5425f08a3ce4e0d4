"""Parse untrusted XML without loading, expanding or fetching anything.

Document types are removed before parsing: they may hold entity bombs, and old TEI files name DTDs
that no longer exist. Simple entities that a file declares (``<!ENTITY mdash "—">``) and those of
HTML are resolved; others stay in the text as written.
"""

from __future__ import annotations

import re
from html import escape
from html.entities import html5
from typing import TYPE_CHECKING

from lxml import etree

from locisimiles.corpus.formats.decoded import read_text
from locisimiles.errors import MalformedInputError, UnsafeInputError
from locisimiles.files.raw import printable

if TYPE_CHECKING:
    from collections.abc import Callable

    from locisimiles.corpus.report import ReadReport
    from locisimiles.files.raw import RawInput

__all__ = ["looks_like_xml", "parse_xml"]

_ENCODING = re.compile(rb"\s*<\?xml[^>]*encoding\s*=\s*[\"']([\w.-]+)[\"']")
# An element of TEI, or any element with attributes.
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
    """Return whether a text is an XML document.

    Examples
    --------
    >>> looks_like_xml("<?xml version='1.0'?><TEI/>"), looks_like_xml("<verg. aen. 1.1> Arma")
    (True, False)
    >>> looks_like_xml('<!-- version 2 --><teiCorpus xmlns="http://www.tei-c.org/ns/1.0">')
    True
    """
    begin, doctype = _read_prolog(text)
    declared = doctype is not None or text.lstrip().startswith("<?xml")
    return declared or _ROOT.match(text, begin) is not None


def parse_xml(raw: RawInput, report: ReadReport, *, encoding: str | None = None) -> etree._Element:
    """Parse a file and return its root element.

    Raises a MalformedInputError that names the line, or an UnsafeInputError for nested entities
    and entities that make the file grow too much.
    """
    text = read_text(raw, report, encoding=encoding or _declared_encoding(raw))
    begin, doctype = _read_prolog(text)
    # Keep the line breaks, so that line numbers in errors stay correct.
    body = "\n" * text.count("\n", 0, begin) + text[begin:]
    resolve = _resolver(raw, report, _own_entities(raw, doctype or ""))
    expanded = _outside_cdata(body, lambda part: _REFERENCE.sub(resolve, part))
    if len(expanded) > _GREATEST_GROWTH * len(body) + _SMALL_ENOUGH_TO_TRUST:
        raise UnsafeInputError("corpus.entities_grow", file=raw.name)
    parser = etree.XMLParser(
        encoding="utf-8", resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False
    )
    try:
        return etree.fromstring(expanded.encode("utf-8", "replace"), parser)
    except etree.XMLSyntaxError as error:
        raise MalformedInputError(
            "corpus.xml_broken", file=raw.name, row=error.lineno, reason=printable(error.msg)
        ) from error


def _read_prolog(text: str) -> tuple[int, str | None]:
    """Return where the root element begins, and the document type before it.

    The prolog is scanned once, in linear time.
    """
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
            return at, doctype


def _after(text: str, closing: str, start: int) -> int:
    at = text.find(closing, start)
    return at + len(closing) if at >= 0 else len(text)


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
            raise UnsafeInputError("corpus.nested_entity", file=raw.name, name=match["name"])
        entities[match["name"]] = value
    return entities


def _resolver(
    raw: RawInput, report: ReadReport, entities: dict[str, str]
) -> Callable[[re.Match[str]], str]:
    """Return a function that replaces entity references and keeps unknown ones as text."""
    unknown: set[str] = set()

    def resolve(reference: re.Match[str]) -> str:
        name = reference[1]
        if name in _XML_OWN:
            return reference[0]
        if name in entities:
            return entities[name]
        if f"{name};" in html5:
            return escape(html5[f"{name};"], quote=False)
        if name not in unknown:
            unknown.add(name)
            report.note(raw.name, "corpus.unknown_entity", name=name)
        return f"&amp;{name};"

    return resolve
