"""The columns of a document: filled row by row by the parsers, then frozen."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass, field
from time import monotonic
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

from locisimiles.corpus.segment import LocusMark
from locisimiles.files.limits import check_cells, check_seconds, check_size, check_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["Columns", "format_marks", "parse_marks"]

_UNSAFE = re.compile(r"[\s%]")  # in the compact form of marks


@dataclass(slots=True)
class Columns:
    """Segments as parallel lists, one per field.

    A segment held this way costs its strings and little more. Authors and works are interned,
    since they repeat.
    """

    name: str = ""  # of the input
    ids_are_ours: bool = False  # generated from loci, so we may change them
    edition: str = ""  # tells two editions of a work apart
    ids: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    authors: list[str] = field(default_factory=list)
    works: list[str] = field(default_factory=list)
    loci: list[str] = field(default_factory=list)
    marks: list[str] = field(default_factory=list)
    rows: list[int] = field(default_factory=list)  # where segments begin, for messages
    meta: dict[str, list[str]] = field(default_factory=dict)
    begun: float = field(default_factory=monotonic)
    size: int = 0  # letters of texts and metadata, which spreadsheets may repeat

    def __len__(self) -> int:
        return len(self.ids)

    def add(
        self,
        segment_id: str,
        text: str,
        *,
        author: str = "",
        work: str = "",
        locus: str = "",
        marks: str = "",
        row: int = 0,
        meta: Mapping[str, str] | None = None,
    ) -> None:
        """Append one segment; raise an UnsafeInputError if the input becomes too large."""
        check_text(self.name, text, row)
        self.size += len(text)
        for name, value in (meta or {}).items():
            if name not in self.meta:
                self.meta[name] = [""] * len(self.ids)
            self.meta[name].append(value)
        self.ids.append(segment_id)
        self.texts.append(text)
        self.authors.append(sys.intern(author))
        self.works.append(sys.intern(work))
        self.loci.append(locus)
        self.marks.append(marks)
        self.rows.append(row)
        check_cells(self.name, len(self.meta) * len(self.ids), row)
        check_size(self.name, self.size)
        check_seconds(self.name, self.begun)
        for column in self.meta.values():
            if len(column) < len(self.ids):
                column.append("")

    def add_all(
        self,
        ids: Sequence[str],
        texts: Sequence[str],
        *,
        authors: Sequence[str],
        works: Sequence[str],
        loci: Sequence[str],
        marks: Sequence[str],
        meta: Mapping[str, Sequence[str]],
    ) -> None:
        """Fill empty columns with those of a table; see `add`."""
        for row, text in enumerate(texts, start=1):
            check_text(self.name, text, row)
        check_cells(self.name, len(meta) * len(ids))
        self.size = sum(sum(map(len, column)) for column in (texts, *meta.values()))
        check_size(self.name, self.size)
        self.ids, self.texts, self.loci, self.marks = map(list, (ids, texts, loci, marks))
        self.authors, self.works = (list(map(sys.intern, names)) for names in (authors, works))
        self.meta = {name: list(column) for name, column in meta.items()}
        self.rows = [0] * len(ids)

    def extend(self, other: Columns) -> None:
        """Append all segments of `other`."""
        before = len(self)
        for name in ("ids", "texts", "authors", "works", "loci", "marks", "rows"):
            getattr(self, name).extend(getattr(other, name))
        for name in dict.fromkeys([*self.meta, *other.meta]):
            column = self.meta.setdefault(name, [""] * before)
            column += other.meta.get(name, [""] * len(other))


def format_marks(marks: Sequence[tuple[str, int]]) -> str:
    """Return locus marks as one compact string.

    Examples
    --------
    >>> format_marks([("6.847", 0), ("6.848", 40)])
    '6.847@0 6.848@40'
    """
    return " ".join(f"{_UNSAFE.sub(_quote, locus)}@{offset}" for locus, offset in marks)


def parse_marks(marks: str) -> tuple[LocusMark, ...]:
    """Return the locus marks that `format_marks` wrote.

    Examples
    --------
    >>> parse_marks("6.847@0 6.848@40")
    (LocusMark(locus='6.847', offset=0), LocusMark(locus='6.848', offset=40))
    >>> parse_marks("")
    ()
    """
    pairs = (mark.rpartition("@") for mark in marks.split())
    return tuple(LocusMark(unquote(locus), int(offset)) for locus, _, offset in pairs)


def _quote(unsafe: re.Match[str]) -> str:
    return quote(unsafe[0], safe="", errors="surrogatepass")
