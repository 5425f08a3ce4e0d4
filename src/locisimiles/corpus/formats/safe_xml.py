"""Parse XML that strangers wrote, without loading, expanding or fetching anything.

Document types are taken out before parsing: they are where entity bombs live and where old TEI
files ask for DTDs that nobody can fetch any more. Plain entities that a file declares for itself
(``<!ENTITY mdash "—">``) are honoured, those of HTML too; others stay in the text as written.
"""

from __future__ import annotations

import re
from html.entities import html5
from typing import TYPE_CHECKING

from lxml import etree

from locisimiles.corpus.decoding import decode
from locisimiles.errors import MalformedInputError, UnsafeInputError

if TYPE_CHECKING:
    from locisimiles.corpus.inputs import RawInput
    from locisimiles.corpus.report import ReadReport

__all__ = ["looks_like_xml", "parse_xml"]

_DECLARATION = re.compile(r"\s*<\?xml\b[^>]*\?>")
_ENCODING = re.compile(rb"\s*<\?xml[^>]*encoding\s*=\s*[\"']([\w.-]+)[\"']")
_DOCTYPE = re.compile(
    r"<!DOCTYPE\b(?:[^\[>\"']|\"[^\"]*\"|'[^']*')*(?:\[(?P<subset>.*?)\]\s*)?>", re.DOTALL
)
_ENTITY = re.compile(
    r"<!ENTITY\s+(?P<name>[\w.:-]+)\s+(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)')\s*>"
)
_REFERENCE = re.compile(r"&([A-Za-z_][\w.:-]*);")
_XML_OWN = frozenset(["amp", "apos", "gt", "lt", "quot"])
_LONGEST_ENTITY = 1000


def looks_like_xml(text: str) -> bool:
    """Tell whether a text is an XML document.

    Examples
    --------
    >>> looks_like_xml("<?xml version='1.0'?><TEI/>"), looks_like_xml("<verg. aen. 1.1> Arma")
    (True, False)
    """
    return bool(re.match(r"\s*<(\?xml|!DOCTYPE|!--|TEI|tei|text|body)\b", text))


def parse_xml(raw: RawInput, report: ReadReport, *, encoding: str | None = None) -> etree._Element:
    """Parse a file and return its root element.

    Raises
    ------
    MalformedInputError
        If it is not well-formed; the message names the line.
    UnsafeInputError
        If it defines entities by entities.
    """
    declared = _ENCODING.match(raw.data[:200])
    text, _ = decode(raw, report, encoding=encoding or (declared and declared[1].decode()) or None)
    text = _blank(_DECLARATION.match(text), text)
    doctype = _DOCTYPE.search(text, 0, _start_of_root(text))
    entities = _own_entities(raw, doctype["subset"] or "") if doctype else {}
    text = _blank(doctype, text)
    text = _REFERENCE.sub(_Resolver(raw, report, entities), text)
    parser = etree.XMLParser(
        encoding="utf-8", resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False
    )
    try:
        return etree.fromstring(text.encode(), parser)
    except etree.XMLSyntaxError as error:
        raise MalformedInputError(
            f"the XML is broken ({error.msg})",
            file=raw.name,
            row=error.lineno,
            hint="an XML editor shows where",
        ) from error


def _start_of_root(text: str) -> int:
    """Return where the root element begins, so that no DOCTYPE is looked for inside the text."""
    root = re.search(
        r"<[A-Za-z_]", re.sub(r"<!--.*?-->", lambda m: " " * len(m[0]), text, flags=re.DOTALL)
    )
    # An internal subset may contain markup of its own: the first '<' plus letter after it counts.
    doctype = _DOCTYPE.search(text)
    if doctype and (root is None or doctype.start() < root.start()):
        return doctype.end()
    return root.start() if root else len(text)


def _blank(match: re.Match[str] | None, text: str) -> str:
    """Take a match out of a text but leave its line breaks, so that line numbers stay true."""
    if match is None:
        return text
    return text[: match.start()] + "\n" * match[0].count("\n") + text[match.end() :]


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
        value = self._entities.get(name) or html5.get(f"{name};")
        if value is not None:
            return value
        if name not in self._told:
            self._told.add(name)
            self._report.note(self._raw.name, f"the entity &{name}; is not defined, kept as text")
        return f"&amp;{name};"
