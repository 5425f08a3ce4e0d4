"""What a user says about a file: its author, work and date."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING

from locisimiles.corpus import Document, Segment
from locisimiles.corpus.library.dates import year_of
from locisimiles.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from locisimiles.app.projects.project import Project, Side

__all__ = ["TextFacts", "facts_of", "keep_facts", "read_year", "with_facts"]

_LONGEST = 200
_SETTING = "facts_{side}"
# A number with what scholars of four languages write before and after it.
_YEAR = re.compile(
    r"(?:(?:c|ca|circa|um|vers|verso)\.?\s*)?"
    r"(?P<before>(?:ad|a\.\s?d|n\.?\s?chr|d\.?\s?c|apr\.?\s?j\.?-?c)\.?\s*)?"
    r"(?P<sign>[-\u2212\u2013])?\s*(?P<number>[0-9]{1,4})\s*"
    r"(?P<after>(?:bce?|b\.\s?c(?:\.\s?e)?|v\.?\s?chr|a\.?\s?c|av\.?\s?j\.?-?c"
    r"|ad|a\.\s?d|ce|n\.?\s?chr|d\.?\s?c|apr\.?\s?j\.?-?c)\.?)?",
    re.IGNORECASE,
)
_EARLIER = ("b", "v", "ac", "a.c", "a. c", "av")


@dataclass(frozen=True, slots=True)
class TextFacts:
    """Author, work and year of completion; empty or None what is unknown."""

    author: str = ""
    work: str = ""
    year: int | None = None

    def __bool__(self) -> bool:
        return bool(self.author or self.work or self.year is not None)

    def tidied(self) -> TextFacts:
        """Return the facts with single spaces, none of them endless."""
        return TextFacts(_tidied(self.author), _tidied(self.work), self.year)


def _tidied(name: str) -> str:
    return " ".join(name.split())[:_LONGEST]


def read_year(text: str) -> int | None:
    """Return the year that a user wrote, negative before our era; None for an empty text.

    Raises a ParameterError if it is no year.

    Examples
    --------
    >>> read_year("19 BC"), read_year("-19"), read_year("AD 96"), read_year("ca. 400")
    (-19, -19, 96, 400)
    >>> read_year("19 v. Chr."), read_year("19 a.C."), read_year("19 av. J.-C."), read_year("")
    (-19, -19, -19, None)
    """
    text = text.strip()
    if not text:
        return None
    match = _YEAR.fullmatch(text)
    if match is None or (match["before"] and match["after"]):
        raise ParameterError("app.year_unclear", text=text[:40])
    earlier = match["sign"] or (match["after"] or "").lower().startswith(_EARLIER)
    return -int(match["number"]) if earlier else int(match["number"])


def facts_of(project: Project, side: Side) -> dict[str, TextFacts]:
    """Return what was said about the files of a side, by their names."""
    stored = json.loads(project.setting(_SETTING.format(side=side)) or "{}")
    return {name: TextFacts(**facts) for name, facts in stored.items()}


def keep_facts(project: Project, side: Side, facts: Mapping[str, TextFacts]) -> None:
    """Keep what was said about the files of a side."""
    kept = {name: asdict(one) for name, one in facts.items() if one}
    project.set_setting(_SETTING.format(side=side), json.dumps(kept))


def with_facts(document: Document, facts: Mapping[str, TextFacts]) -> Document:
    """Return a document whose segments know what was said about the files they came from.

    Facts are by path; what is said of a zip file is said of all files in it. A year that nobody
    entered is that of the catalogue, if it knows author and work.
    """
    if not facts:
        return document
    segments = iter(document)
    changed: list[Segment] = []
    for file in document.report.files:
        said = next((one for path, one in facts.items() if _is_in(file.name, path)), TextFacts())
        changed += (_told(next(segments), said) for _ in range(file.segments))
    return Document.from_segments(changed)


def _is_in(name: str, path: str) -> bool:
    return name == path or name.startswith(f"{path}/")


def _told(segment: Segment, facts: TextFacts) -> Segment:
    if not facts:
        return segment
    told = replace(segment, author=facts.author or segment.author, work=facts.work or segment.work)
    year = facts.year if facts.year is not None else year_of(told)
    return told if year is None else replace(told, meta={**told.meta, "year": str(year)})
