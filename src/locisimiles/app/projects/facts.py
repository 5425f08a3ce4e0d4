"""Author, work and date of a file, as a user entered them."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING

from locisimiles.app.storage.stored_values import stored_value
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
    """Return the facts entered for the files of a side, by their names."""
    setting = _SETTING.format(side=side)
    with stored_value(setting):
        stored = json.loads(project.setting(setting) or "{}")
        return {name: _fact(**facts) for name, facts in stored.items()}


def keep_facts(project: Project, side: Side, facts: Mapping[str, TextFacts]) -> None:
    """Store the facts entered for the files of a side."""
    kept = {name: asdict(one) for name, one in facts.items() if one}
    project.set_setting(_SETTING.format(side=side), json.dumps(kept))


def with_facts(document: Document, facts: Mapping[str, TextFacts]) -> Document:
    """Return a document whose segments have the facts entered for their files.

    Facts are stored by file name; those of a zip file hold for every file in it. A year that was
    not entered is taken from the catalogue, if it has the author and work.
    """
    if not facts:
        return document
    segments = iter(document)
    changed: list[Segment] = []
    for file in document.report.files:
        entered = next((one for name, one in facts.items() if _is_in(file.name, name)), TextFacts())
        changed += (_with_entered(next(segments), entered) for _ in range(file.segments))
    return Document.from_segments(changed)


def _fact(author: str = "", work: str = "", year: int | None = None) -> TextFacts:
    return TextFacts(author, work, None if year is None else int(year)).tidied()


def _is_in(name: str, file: str) -> bool:
    return name == file or name.startswith(f"{file}/")


def _with_entered(segment: Segment, entered: TextFacts) -> Segment:
    if not entered:
        return segment
    author, work = entered.author or segment.author, entered.work or segment.work
    named = replace(segment, author=author, work=work)
    year = entered.year if entered.year is not None else year_of(named)
    return named if year is None else replace(named, meta={**named.meta, "year": str(year)})
