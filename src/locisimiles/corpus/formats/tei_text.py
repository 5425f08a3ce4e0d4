"""Find the passages of a TEI document: the words of the author, and their loci."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

from locisimiles.corpus.formats.tei_numbers import (
    DIVISIONS,
    Numbering,
    heading_of,
    is_division,
    local_name,
    without_spaces,
)
from locisimiles.corpus.loci import join_locus
from locisimiles.corpus.segmenter import VERSE_SEPARATOR, Passage
from locisimiles.files.raw import printable
from locisimiles.messages import Message

if TYPE_CHECKING:
    from collections.abc import Callable

    from lxml.etree import _Element

__all__ = ["Extract", "extract_passages"]

# fmt: off
_NOT_THE_AUTHOR = frozenset([
    "app", "argument", "bibl", "castList", "closer", "dateline", "ex", "figure", "front", "fw",
    "gap", "head", "index", "label", "note", "opener", "rdg", "salute", "signed", "speaker",
    "stage", "teiHeader", "trailer",
])
# fmt: on
_OTHER_DIVISIONS = frozenset(["bibliography", "commentary", "index", "MSS", "sigla", "translation"])
_BLOCKS = frozenset(["ab", "l", "p", *DIVISIONS])
_QUOTES = frozenset(["q", "quote", "said"])
# What to print of a <choice>: the correction, and the edition's own spelling.
_CHOICES = ("corr", "orig", "abbr", "reg", "sic", "expan", "unclear")
_EDITORS_PREFACE = re.compile(r"\b(ADMONITIO|MONITUM|PROLEGOMENA|NOTITIA)\b")
_NUMBER = re.compile(r"\s*\d+(?:-\d+)?\.?\s*")
_VARIANT = re.compile(r"\[\s*Al\.[^\[\]]{0,200}\]")
_BREAK = "\ue000"  # a line or page break, until words broken over it are mended
_BROKEN_WORD = re.compile(rf"(?<=[^\W\d_])-\s*{_BREAK}[\s{_BREAK}]*(?=[^\W\d_])")
_SPACES = re.compile(rf"[\s{_BREAK}]+")
_SPACE_BEFORE_STOP = re.compile(r"(?<=\w)\s+(?=[,.;:!?](?:\s|$))")
_UNNUMBERED = "pr"  # the locus of text before the first number
_LETTER = re.compile(r"[^\W\d_]")


@dataclass(slots=True)
class Extract:
    """The passages of a document in reading order."""

    passages: list[Passage] = field(default_factory=list)
    remarks: list[Message] = field(default_factory=list)
    verse: bool = False


def extract_passages(root: _Element) -> Extract:
    """Collect the words of the author, passage by passage."""
    extract = _walk(root)
    if not extract.passages:  # some files wrap the whole text in a note
        extract = _walk(root, text_in_notes=True)
        if extract.passages:
            extract.remarks.append(Message("corpus.text_in_notes"))
    return extract


def _walk(root: _Element, *, text_in_notes: bool = False) -> Extract:
    walker = _Walker(Numbering.of(root), _quotes_to_close(root), text_in_notes=text_in_notes)
    for body in root.iter("{*}body"):
        walker.enter_body(body)
    return walker.finish()


class _Walker:
    """Walks through a document once, collecting text until the locus changes."""

    def __init__(
        self, numbering: Numbering, closing: set[_Element], *, text_in_notes: bool = False
    ) -> None:
        self._numbering = numbering
        self._closing = closing
        self._extract = Extract()
        self._path: list[str] = []
        self._marks: dict[str, str] = {}  # units and numbers of current milestones or column
        self._line = ""  # number of the current verse line
        self._last_line = 0
        self._paragraphs = 0  # number of open prose elements, in which <l> is a quotation
        self._buffer: list[str] = []
        self._row = 0
        self._variants = 0
        self._verse_surplus = 0  # letters of verse minus letters of prose
        self._handlers: dict[str, Callable[[_Element], None]] = {
            **dict.fromkeys(DIVISIONS, self._division),
            **dict.fromkeys(("ab", "p"), self._paragraph),
            **dict.fromkeys(("emph", "hi"), self._highlighted),
            **dict.fromkeys(_QUOTES, self._quoted),
            "app": self._apparatus,
            "choice": self._choice,
            "del": partial(self._between, "[", "]"),
            "expan": partial(self._unless_in, "abbr"),
            "item": partial(self._between, " ", ""),
            "l": self._verse_line,
            "lb": lambda _: self._say(_BREAK),
            "milestone": self._milestone,
            "pb": self._page,
            "title": partial(self._unless_in, "ab"),
        }
        if text_in_notes:
            self._handlers["note"] = self._note

    def enter_body(self, body: _Element) -> None:
        works = [d for d in body.iter("{*}div") if d.get("subtype") == "work"]
        for element in works or [body]:
            self._children(element)
            self._flush()

    def finish(self) -> Extract:
        if self._variants:
            self._extract.remarks.append(
                Message("corpus.variants_left_out", {"count": self._variants})
            )
        self._extract.verse = self._verse_surplus > 0
        return self._extract

    def _children(self, element: _Element, *, opening: bool = False) -> None:
        """Walk through an element; with `opening`, its unmarked first chapter is still open.

        Files nest up to 256 levels deep, so there must be few calls per level.
        """
        self._say(element.text)
        for child in element:
            name = local_name(child)
            if opening and is_division(child):
                self._flush()
                self._path[-1] = ""
                opening = False
            if handler := self._handlers.get(name):
                handler(child)
            elif name and name not in _NOT_THE_AUTHOR:
                self._children(child)
            self._say(child.tail)

    def _division(self, element: _Element) -> None:
        if not _OTHER_DIVISIONS.isdisjoint(map(element.get, ("type", "subtype", "n"))):
            return
        heading = heading_of(element)
        if _EDITORS_PREFACE.search(heading):
            self._extract.remarks.append(
                Message("corpus.preface_left_out", {"heading": printable(heading[:40])})
            )
            return
        self._flush()
        if not self._numbering.columns:
            self._marks.clear()
        self._last_line = 0
        first_chapter = self._numbering.opening(element)
        self._path += [self._numbering.number(element, heading), first_chapter]
        self._children(element, opening=bool(first_chapter))
        self._flush()
        del self._path[-2:]

    def _verse_line(self, element: _Element) -> None:
        if self._paragraphs:
            self._quoted_line(element)
            return
        self._flush()
        number = element.get("n") or ""
        continues = element.get("part") in ("M", "F") and not number
        if number.isdigit():
            self._last_line = int(number)
        elif not continues:
            self._last_line += 1
        self._line = without_spaces(number) or str(self._last_line)
        self._row = _line_of(element)
        self._children(element)
        self._flush(continues=continues)
        self._line = ""

    def _quoted_line(self, element: _Element) -> None:
        previous = element.getprevious()
        follows_a_line = previous is not None and local_name(previous) == "l"
        self._say(VERSE_SEPARATOR if follows_a_line else " ")
        self._children(element)
        self._say(" ")

    def _paragraph(self, element: _Element) -> None:
        number = without_spaces(element.get("n") or "") if self._numbering.paragraphs else ""
        if number:
            self._flush()
            self._path.append(number)
        self._row = self._row or _line_of(element)
        self._paragraphs += 1
        self._say(" ")
        self._children(element)
        self._say(" ")
        self._paragraphs -= 1
        if number:
            self._flush()
            self._path.pop()

    def _milestone(self, element: _Element) -> None:
        units, unit = self._numbering.milestones, element.get("unit") or ""
        if unit not in units:
            self._say(" ")
            return
        self._flush()
        for finer in units[units.index(unit) :]:
            self._marks.pop(finer, None)
        self._marks[unit] = without_spaces(element.get("n") or "")

    def _page(self, element: _Element) -> None:
        self._say(_BREAK)
        if self._numbering.columns and (number := element.get("n")):
            self._flush()
            self._marks["column"] = without_spaces(number).lower()

    def _choice(self, element: _Element) -> None:
        options = {local_name(child): child for child in element}
        if name := next((name for name in _CHOICES if name in options), None):
            self._children(options[name])

    def _between(self, before: str, after: str, element: _Element) -> None:
        self._say(before)
        self._children(element)
        self._say(after)

    def _quoted(self, element: _Element) -> None:
        style = element.get("rend") or ""
        opening, closing = ("“", "”") if "double" in style else ("‘", "’")
        if not _has_marks(element):
            opening = closing = ""
        if "merge" not in style:
            self._say(opening)
        self._children(element)
        if element in self._closing:
            self._say(closing)

    def _apparatus(self, element: _Element) -> None:
        for lemma in element.iterchildren("{*}lem"):
            self._children(lemma)

    def _note(self, element: _Element) -> None:
        """Walk through a note that holds divisions, paragraphs or lines; others are notes."""
        if any(local_name(inner) in _BLOCKS for inner in element.iter()):
            self._children(element)

    def _unless_in(self, name: str, element: _Element) -> None:
        parent = element.getparent()
        if parent is None or local_name(parent) != name:
            self._children(element)

    def _highlighted(self, element: _Element) -> None:
        # Page numbers of older editions are printed as emphasised numbers.
        if len(element) or not _NUMBER.fullmatch(element.text or ""):
            self._children(element)

    def _say(self, text: str | None) -> None:
        if text:
            self._buffer.append(text)

    def _flush(self, *, continues: bool = False) -> None:
        """Close the current passage, or append it to the one before."""
        text = _BROKEN_WORD.sub("", "".join(self._buffer))
        text, variants = _VARIANT.subn("", text)
        self._variants += variants
        text = _SPACES.sub(" ", text)
        text = _SPACE_BEFORE_STOP.sub("", text).strip()
        self._buffer.clear()
        row, self._row = self._row, 0
        if not _LETTER.search(text):
            return
        self._verse_surplus += len(text) if self._line else -len(text)
        passages = self._extract.passages
        if continues and passages:
            passages[-1] = replace(passages[-1], text=f"{passages[-1].text} {text}")
        else:
            passages.append(Passage(self._locus(), text, row))

    def _locus(self) -> str:
        path = [] if self._numbering.columns else self._path
        line = "" if self._numbering.columns else self._line
        return join_locus(*path, *self._marks.values(), line) or _UNNUMBERED


def _line_of(element: _Element) -> int:
    return element.sourceline if isinstance(element.sourceline, int) else 0


def _has_marks(element: _Element) -> bool:
    """Return whether a quotation is printed in quotation marks, not set off or in capitals."""
    name, style = local_name(element), element.get("rend") or ""
    if name == "said" or next(element.iter("{*}l"), None) is not None:
        return False
    if name == "q" or "single" in style or "double" in style:
        return True
    return not style and not (element.get("{http://www.w3.org/XML/1998/namespace}lang") or "")


def _quotes_to_close(root: _Element) -> set[_Element]:
    """Return the quotations that end where their element ends.

    Perseus encodes a speech of several lines as several elements, all but the first with the
    style ``merge``; the quotation ends after the last of them.
    """
    by_depth: dict[int, list[_Element]] = {}
    for element in root.iter(*(f"{{*}}{name}" for name in _QUOTES)):
        depth = sum(1 for above in element.iterancestors() if local_name(above) in _QUOTES)
        by_depth.setdefault(depth, []).append(element)
    closing: set[_Element] = set()
    for elements in by_depth.values():
        closing.add(elements[-1])
        closing.update(
            element
            for element, following in pairwise(elements)
            if "merge" not in (following.get("rend") or "")
        )
    return closing
