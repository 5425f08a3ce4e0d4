"""How the parts of a TEI document are numbered.

CTS editions number every division. The Corpus Corporum numbers them in headings (``CAPUT II.``,
``2.``) or, for most of the Patrologia Latina, by the columns of the printed page.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from locisimiles.corpus.loci import roman_to_int

if TYPE_CHECKING:
    from lxml.etree import _Element

__all__ = [
    "DIVISIONS",
    "Numbering",
    "heading_number",
    "heading_of",
    "is_division",
    "local_name",
    "without_spaces",
    "words_of",
]

_COLUMN = re.compile(r"\d{3,4}[A-Da-d]")  # a column of the Patrologia, and the part of it
DIVISIONS = frozenset(["div", *(f"div{level}" for level in range(8))])
_PLAIN_NUMBER = re.compile(r"\d+\.?")
_NUMBERED_HEADING = re.compile(
    r"(?:\bcap(?:ut|itulum)?|\bliber|\blib|\bepist(?:ola|ula)?|\bpsalmus|§)\.?\s*"
    r"(?P<number>\d+|[ivxlcdm]+(?=\W|$)|[a-z]+(?:\s+[a-z]+)?)",
    re.IGNORECASE,
)
_BARE_NUMBER = re.compile(r"\W*(?P<number>\d+|[ivxlcdm]+)\W*", re.IGNORECASE)
# fmt: off
_ORDINALS = {
    "primus": 1, "primum": 1, "secundus": 2, "secundum": 2, "tertius": 3, "tertium": 3,
    "quartus": 4, "quintus": 5, "sextus": 6, "septimus": 7, "octavus": 8, "nonus": 9,
    "decimus": 10, "undecimus": 11, "duodecimus": 12, "vigesimus": 20,
}
# fmt: on
_UNITS = ("book", "chapter", "section", "paragraph")
_FEWEST_COLUMNS = 3


@dataclass(frozen=True, slots=True)
class Numbering:
    """Where the loci of a document come from."""

    headings: bool = False  # divisions without @n are numbered by their headings
    columns: bool = False  # loci are the columns of the printed page
    milestones: tuple[str, ...] = ()  # units finer than divisions, the coarsest first
    paragraphs: bool = False  # paragraphs have the lowest number

    @classmethod
    def of(cls, root: _Element) -> Numbering:
        """Return how a document is numbered."""
        divisions = [e for e in root.iter() if is_division(e)]
        leaves = [d for d in divisions if not any(is_division(child) for child in d)]
        if any(map(_own_number, divisions)):
            milestones = _finer_units(root, leaves)
            numbered = any(map(_own_number, leaves))
            return cls(headings=True, milestones=milestones, paragraphs=not numbered)
        plain = [leaf for leaf in leaves if _PLAIN_NUMBER.fullmatch(heading_of(leaf))]
        if 2 * len(plain) > len(leaves):
            return cls(headings=True)
        columns = [e for e in root.iter("{*}pb") if _COLUMN.fullmatch(e.get("n") or "")]
        if len(columns) >= _FEWEST_COLUMNS:
            return cls(columns=True)
        milestones = _finer_units(root, [])
        return cls(headings=True, milestones=milestones, paragraphs=not milestones)

    def number(self, division: _Element, heading: str) -> str:
        """Return the number of a division; empty without one."""
        return _own_number(division) or (heading_number(heading) if self.headings else "")

    def opening(self, division: _Element) -> str:
        """Return the number of the unmarked first chapter of a division.

        If the first numbered chapter is the second, the text before it is the first.
        """
        if not self.headings or _own_number(division):
            return ""
        first = next((child for child in division if is_division(child)), None)
        if first is None or _own_number(first):
            return ""
        return {"2": "1", "1": "pr"}.get(heading_number(heading_of(first)), "")


def heading_number(heading: str) -> str:
    """Return the number in the heading of a chapter; empty without one.

    Examples
    --------
    >>> [heading_number(h) for h in ("2.", "CAPUT II. De deo.", "LIBER DECIMUS TERTIUS", "§ 4")]
    ['2', '2', '13', '4']
    >>> heading_number("331 EPISTOLA LX. AD HELIODORUM"), heading_number("LXXI.")
    ('60', '71')
    >>> heading_number("(Vers. 3.)"), heading_number("PRAEFATIO.")
    ('', '')
    """
    match = _NUMBERED_HEADING.search(heading) or _BARE_NUMBER.fullmatch(heading)
    if match is None:
        return ""
    number = match["number"].lower()
    if number.isdigit():
        return number
    value = _ordinal(number) or roman_to_int(number)
    return str(value) if value is not None else ""


def _ordinal(words: str) -> int | None:
    values = [_ORDINALS.get(part) for part in words.split()]
    if None not in values:
        return sum(value for value in values if value is not None)
    return values[0]


def local_name(element: _Element) -> str:
    """Return the name of an element without its namespace; empty for comments."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def is_division(element: _Element) -> bool:
    """Return whether an element is a book, chapter or section."""
    return local_name(element) in DIVISIONS


def heading_of(division: _Element) -> str:
    """Return the text of the heading of a division."""
    head = next(division.iterchildren("{*}head"), None)
    return words_of(head) if head is not None else ""


def words_of(element: _Element) -> str:
    """Return the whole text of an element, with single spaces."""
    return " ".join("".join(map(str, element.itertext())).split())


def _finer_units(root: _Element, leaves: list[_Element]) -> tuple[str, ...]:
    """Return the units that milestones number inside the smallest divisions.

    A milestone of a coarser unit than its division is an alternative numbering.
    """
    numbered = {e.get("unit") for e in root.iter("{*}milestone") if e.get("n")}
    levels = [
        _UNITS.index(unit)
        for leaf in leaves
        for unit in (leaf.get("subtype"), leaf.get("type"))
        if unit in _UNITS
    ]
    # Divisions of unknown kinds (letters, poems) may contain anything from sections down.
    unknown = _UNITS.index("chapter") if leaves else -1
    return tuple(unit for unit in _UNITS[max(levels, default=unknown) + 1 :] if unit in numbered)


def without_spaces(number: str) -> str:
    """Return a number as part of a locus.

    Examples
    --------
    >>> without_spaces(" 12 a ")
    '12_a'
    """
    return "_".join(number.split())


def _own_number(division: _Element) -> str:
    number = (division.get("n") or "").strip()
    if number.startswith("urn:") or division.get("type") == "edition":
        return ""
    return without_spaces(number)
