"""Loci (``6.847``) and CTS URNs (``urn:cts:latinLit:phi0690.phi003:6.847``)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from locisimiles.errors import ParameterError

__all__ = [
    "CtsUrn",
    "LocusRange",
    "join_locus",
    "locus_range",
    "numeric_range",
    "parent_locus",
    "roman_to_int",
]

LocusRange = tuple[tuple[int, ...], tuple[int, ...]]
"""The first and the last locus of a range: ``6.847-6.850`` is ((6, 847), (6, 850))."""

_URN = re.compile(
    r"urn:cts:(?P<namespace>\w+):(?P<work>[\w-]+(?:\.[\w-]+){0,3})(?::(?P<passage>\S*))?"
)
_WORK_LEVELS = 2
_NUMBERS = re.compile(r"\d{1,9}(\.\d{1,9}){0,9}")
_ROMAN = re.compile(r"M{0,3}(CM|CD|D?C{0,4})(XC|XL|L?X{0,4})(IX|IV|V?I{0,4})")
_ROMAN_DIGITS = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}


@dataclass(frozen=True, slots=True)
class CtsUrn:
    """A canonical reference to a text, an edition of it, or a passage in it.

    Examples
    --------
    >>> urn = CtsUrn.parse("urn:cts:latinLit:phi0690.phi003.perseus-lat2:6.847")
    >>> urn.work, urn.edition, urn.passage
    ('phi0690.phi003', 'perseus-lat2', '6.847')
    >>> str(urn.at("6.847-6.850"))
    'urn:cts:latinLit:phi0690.phi003.perseus-lat2:6.847-6.850'
    """

    namespace: str
    work: str
    edition: str = ""
    passage: str = ""

    @classmethod
    def parse(cls, text: str) -> CtsUrn:
        """Parse a CTS URN, or raise a ParameterError."""
        match = _URN.fullmatch(text.strip())
        if match is None:
            raise ParameterError("corpus.not_a_urn", text=text)
        parts = match["work"].split(".")
        return cls(
            namespace=match["namespace"],
            work=".".join(parts[:_WORK_LEVELS]),
            edition=".".join(parts[_WORK_LEVELS:]),
            passage=match["passage"] or "",
        )

    def at(self, passage: str) -> CtsUrn:
        """Return the URN of a passage of this text."""
        return CtsUrn(self.namespace, self.work, self.edition, passage)

    def __str__(self) -> str:
        edition = f".{self.edition}" if self.edition else ""
        passage = f":{self.passage}" if self.passage else ""
        return f"urn:cts:{self.namespace}:{self.work}{edition}{passage}"


def join_locus(*parts: str) -> str:
    """Join the levels of a locus, leaving out empty ones.

    Examples
    --------
    >>> join_locus("6", "", "847")
    '6.847'
    """
    return ".".join(part for part in parts if part)


def parent_locus(locus: str) -> str:
    """Return the book, poem or chapter that contains a line or section.

    Examples
    --------
    >>> parent_locus("6.847"), parent_locus("12")
    ('6', '')
    """
    return locus.rpartition(".")[0]


def locus_range(first: str, last: str) -> str:
    """Return a range of loci.

    Examples
    --------
    >>> locus_range("6.847", "6.850"), locus_range("6.847", "6.847")
    ('6.847-6.850', '6.847')
    """
    return first if first == last else f"{first}-{last}"


@lru_cache(maxsize=1 << 16)
def numeric_range(locus: str) -> LocusRange | None:
    """Return the first and the last locus of a range as numbers; None if they are not numeric.

    Examples
    --------
    >>> numeric_range("6.847-6.850"), numeric_range("0667b")
    (((6, 847), (6, 850)), None)
    """
    first, _, last = locus.partition("-")
    last = last or first
    if not _NUMBERS.fullmatch(first) or not _NUMBERS.fullmatch(last):
        return None
    return tuple(map(int, first.split("."))), tuple(map(int, last.split(".")))


def roman_to_int(numeral: str) -> int | None:
    """Return the value of a Roman numeral, None for anything else.

    Additive spellings (``IIII``, ``XXXX``) are accepted, as editions use them.

    Examples
    --------
    >>> roman_to_int("XIV"), roman_to_int("IIII"), roman_to_int("dixit"), roman_to_int("")
    (14, 4, None, None)
    """
    numeral = numeral.upper()
    if not numeral or not _ROMAN.fullmatch(numeral):
        return None
    values = [_ROMAN_DIGITS[digit] for digit in numeral]
    following = [*values[1:], 0]
    return sum(-a if a < b else a for a, b in zip(values, following, strict=True))
