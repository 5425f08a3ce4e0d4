"""How texts come out of the segmenter: lengths, and segments that look odd, with the reason.

A segment is odd if it has no word or a single one, more than a hundred, no stop at its end, or
begins with a sign that no sentence begins with. Most such segments are what the text says:
questions of one word, long periods, poems whose end is lost. What has none of the known reasons is
worth a look.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from locisimiles.corpus.loci import parent_locus

if TYPE_CHECKING:
    from collections.abc import Iterator

    from locisimiles.corpus.document import Document

__all__ = ["LONG", "UNEXPLAINED", "CutReport", "OddSegment", "cut_report"]

LONG = 100
"""The number of words above which a segment is odd."""

UNEXPLAINED = "unexplained"

_WORD = re.compile(r"[^\W\d_]+")
_DIGIT = re.compile(r"\d")
_CLOSED = re.compile(r"[\s\"'’”»›)\]}>—–-]+$")
_GAP = re.compile(r"\.\s*\.|…|\*|†")
_STOP = re.compile(r"(\S*?)([.!?]+)(\W*)(?=(\w*))")
_BEGINNING = re.compile(r"[\"'“”‘‛‹›«»(\[{<⟨〈*†.…—–/_\s-]*[^\W_]")
_MARKUP = re.compile(r"&\w+;|[|\\<>`^~+=＜＞（）̓̔]")
_AFTER_ASIDE = re.compile(r"[—–-]\s*:")
_ABBREVIATION = re.compile(  # as a whole word: a praenomen, a month, a. d., tr. pl., procos.
    r"[\"'“‘(\[]*(?:[A-Z][a-z]{0,3}['’]?|[a-z]|cn|cos|fr|lib|pl|pr|procos|ti|tr)"
)
_SHORT = 3  # letters
_SPEECH = ("ait", "aiunt", "inqu")


class OddSegment(NamedTuple):
    """A segment that looks odd: how, and why it is so; `UNEXPLAINED` if no known reason fits."""

    id: str
    text: str
    kind: str
    reason: str


@dataclass(frozen=True, slots=True)
class CutReport:
    """Lengths of the segments of a text in words, and its odd segments."""

    name: str
    segments: int
    shortest: int
    median: float
    longest: int
    odd: tuple[OddSegment, ...]

    @property
    def unexplained(self) -> tuple[OddSegment, ...]:
        """The odd segments without a known reason."""
        return tuple(one for one in self.odd if one.reason == UNEXPLAINED)

    @property
    def reasons(self) -> Counter[str]:
        """How often each kind of odd segment has each reason."""
        return Counter(f"{one.kind}: {one.reason}" for one in self.odd)


def cut_report(document: Document, name: str = "") -> CutReport:
    """Measure the segments of a text.

    Examples
    --------
    >>> from locisimiles import Document
    >>> report = cut_report(Document.from_texts(["Quid?", "Arma uirumque cano.", "***"]))
    >>> report.segments, report.longest
    (3, 3)
    >>> [(one.text, one.kind, one.reason) for one in report.odd]
    [('Quid?', 'one word', 'question or exclamation'), ('***', 'no word', 'gap in the text')]
    """
    lengths = [len(_WORD.findall(text)) for text in document.texts]
    return CutReport(
        name,
        len(document),
        min(lengths, default=0),
        float(np.median(lengths)) if lengths else 0.0,
        max(lengths, default=0),
        tuple(_odd(document, lengths)),
    )


def _odd(document: Document, lengths: list[int]) -> Iterator[OddSegment]:
    for row, (length, text) in enumerate(zip(lengths, document.texts, strict=True)):
        where = (document.ids[row], text)
        if length == 0:
            yield OddSegment(*where, "no word", _why_no_word(text))
            continue
        if length == 1:
            yield OddSegment(*where, "one word", _why_one_word(text))
        if length > LONG:
            yield OddSegment(*where, f"more than {LONG} words", _why_long(text))
        if _CLOSED.sub("", text)[-1:] not in tuple(".!?…:"):
            yield OddSegment(*where, "no stop at the end", _why_open(document, row))
        if not _BEGINNING.match(text):
            yield OddSegment(*where, "begins with a sign", _why_sign(text))


def _why_no_word(text: str) -> str:
    if _GAP.search(text):
        return "gap in the text"
    return "number alone" if _DIGIT.search(text) else UNEXPLAINED


def _why_one_word(text: str) -> str:
    for sign, reason in (
        (_GAP, "gap in the text"),
        (_DIGIT, "reference or number of the edition"),
        (_MARKUP, "markup of the file"),
    ):
        if sign.search(text):
            return reason
    short = len(_WORD.findall(text)[0]) <= _SHORT
    return {
        "?": "question or exclamation",
        "!": "question or exclamation",
        ":": "colon that ends a segment in this work",
        ".": "short answer, speaker, greeting or source" if short else "sentence of one word",
    }.get(_CLOSED.sub("", text)[-1:], UNEXPLAINED)


def _why_long(text: str) -> str:
    """Return "one period" if no stop inside can end a sentence."""
    last = _CLOSED.sub("", text).rstrip(".!?…")
    for before, stop, between, following in _STOP.findall(text[: len(last)]):
        attached = not between and following
        continued = between.strip()[:1] in tuple(",;")
        speech = following.startswith(_SPEECH)
        abbreviated = stop == "." and _ABBREVIATION.fullmatch(before)
        if any(map(unicodedata.combining, before)):
            return "stop after Greek whose accents are separate signs"
        if not (attached or continued or speech or abbreviated or _inside_aside(text, before)):
            return UNEXPLAINED
    return "one period of the editor"


def _inside_aside(text: str, before: str) -> bool:
    opened, closed = text.rfind("(", 0, text.find(before) + 1), text.find(")", text.find(before))
    return 0 <= opened < closed


def _why_open(document: Document, row: int) -> str:
    if row + 1 == len(document):
        return "end of the text"
    if _GAP.search(document.texts[row][-8:]):
        return "gap in the text"
    here, after = document.loci[row], document.loci[row + 1]
    if not here or not after:
        return UNEXPLAINED
    parts = [parent_locus(locus.partition("-")[0]) for locus in (here, after)]
    return "end of a book, poem, letter or chapter" if parts[0] != parts[1] else UNEXPLAINED


def _why_sign(text: str) -> str:
    if _MARKUP.match(text):
        return "markup of the file"
    if _AFTER_ASIDE.match(text):
        return "stop at the end of an aside"
    return "quotation mark set apart" if text[0] in "’”'\"»" else UNEXPLAINED
