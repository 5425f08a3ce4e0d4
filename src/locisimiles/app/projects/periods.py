"""Periods as scholars write them: ``before 100``, ``50 BC – AD 14``, ``4th century``."""

from __future__ import annotations

import re
from typing import NamedTuple

from locisimiles.app.projects.facts import read_year
from locisimiles.errors import ParameterError

__all__ = ["Period", "read_period"]

# In the four languages of the app.
_BEFORE = re.compile(
    r"(?:before|vor|prima del(?:l['\u2019])?|avanti il|avant)\s+(?=\S)", re.IGNORECASE
)
_UNTIL = re.compile(
    r"(?:until|till|up to|to|bis|fino al?(?:l['\u2019])?|jusqu['\u2019](?:en|à)|[<≤])\s*(?=\S)",
    re.IGNORECASE,
)
_AFTER = re.compile(r"(?:after|nach|dopo il|dopo|après)\s+(?=\S)", re.IGNORECASE)
_SINCE = re.compile(
    r"(?:since|from|between|ab|seit|von|zwischen|dal(?:l['\u2019])?|da|tra|fra|depuis|de|entre|[>≥])"
    r"\s*(?=\S)",
    re.IGNORECASE,
)
_BETWEEN = re.compile(
    r"\s*(?:\.\.|[-\u2013\u2014/])\s*|\s+(?:to|and|until|bis|und|al?|e|à|et)\s+", re.IGNORECASE
)
_CENTURY = re.compile(
    r"(?P<number>[0-9]{1,2}|[ivx]+)\s*(?:st|nd|rd|th|\.|er?|°)?\s*"
    r"(?:centur(?:y|ies)|c\.|jahrhundert|jh\.?|jhd?t\.?|sec(?:olo|\.)|siècle|s\.)\s*(?P<era>.*)",
    re.IGNORECASE,
)
_ARTICLE = re.compile(r"(?:the|dem|der|il|le|la)\s+", re.IGNORECASE)
_ROMAN = {"i": 1, "v": 5, "x": 10}
_MOST_CENTURIES = 21


class Period(NamedTuple):
    """The first and the last year, both included; None where it is open."""

    first: int | None = None
    last: int | None = None

    def has(self, year: int) -> bool:
        """Tell whether a year lies in the period."""
        return self.meets(year, year)

    def meets(self, first: int | None, last: int | None) -> bool:
        """Tell whether some year of a time lies in the period; an unknown time only in all time."""
        if first is None or last is None:
            return self == Period()
        return (self.first is None or self.first <= last) and (
            self.last is None or first <= self.last
        )


def read_period(text: str) -> Period:
    """Return the period that a user wrote; all time for an empty text.

    Raises a ParameterError if it is no period.

    Examples
    --------
    >>> read_period("before 100"), read_period("ab 19 v. Chr.")
    (Period(first=None, last=99), Period(first=-19, last=None))
    >>> read_period("50 BC – AD 14"), read_period("100–50 BC")
    (Period(first=-50, last=14), Period(first=-100, last=-50))
    >>> read_period("4th century"), read_period("I sec. a.C."), read_period("")
    (Period(first=301, last=400), Period(first=-100, last=-1), Period(first=None, last=None))
    """
    text = " ".join(text.split())
    period = _read(text)
    if period is None:
        raise ParameterError("app.period_unclear", text=text[:40])
    return period


def _read(text: str) -> Period | None:
    if not text:
        return Period()
    whole = _range(text)
    return Period(*whole) if whole else _half_open(text)


def _half_open(text: str) -> Period | None:
    for words, ends, shift in (
        (_BEFORE, "last", -1), (_UNTIL, "last", 0), (_AFTER, "first", 1), (_SINCE, "first", 0),
    ):  # fmt: skip
        match = words.match(text)
        rest = _ARTICLE.sub("", text[match.end() :], count=1) if match else ""
        years, both = _one(rest), _range(rest)
        if years and ends == "last":
            return Period(None, (years[0] if shift else years[1]) + shift)
        if years:
            return Period((years[1] if shift else years[0]) + shift, None)
        if both and words is _SINCE:  # from … to …
            return Period(*both)
    return None


def _range(text: str) -> tuple[int, int] | None:
    """Return the first and last of one year, of a century, or of what lies between two."""
    single = _one(text)
    if single:
        return single
    for sign in _BETWEEN.finditer(text, 1):
        left, right = _one(text[: sign.start()]), _one(text[sign.end() :])
        if not left or not right:
            continue
        first, last = left[0], right[1]
        if first > last and last < 0:  # 100–50 BC: the era stands at the end only
            first = -first
        if first <= last:
            return first, last
    return None


def _one(text: str) -> tuple[int, int] | None:
    match = _CENTURY.fullmatch(text)
    try:
        if match is not None:
            before = (read_year(f"1 {match['era']}") or 1) < 0
            return _century(_number(match["number"].lower()), before=before)
        year = read_year(text)
    except ParameterError:
        return None
    return None if year is None else (year, year)


def _century(number: int, *, before: bool) -> tuple[int, int] | None:
    if not 0 < number <= _MOST_CENTURIES:
        return None
    return (-100 * number, -100 * number + 99) if before else (100 * number - 99, 100 * number)


def _number(text: str) -> int:
    if text.isdecimal():
        return int(text)
    values = [_ROMAN[letter] for letter in text]
    following = [*values[1:], 0]
    return sum(-a if a < b else a for a, b in zip(values, following, strict=True))
