"""The published references, with the texts of both segments as the labels quote them."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from locisimiles.benchmark.sets.authors import QUERY_AUTHORS, SOURCE_AUTHORS
from locisimiles.benchmark.sets.labels import bare_id, read_pairs
from locisimiles.corpus.library import Catalogue
from locisimiles.corpus.loci import parent_locus
from locisimiles.errors import InputError
from locisimiles.files.tables import read_table

if TYPE_CHECKING:
    import os

    from locisimiles.benchmark.sets.labels import LabelledPair
    from locisimiles.corpus.library import Work
    from locisimiles.files.tables import Table

__all__ = ["Gold", "GoldSegment", "author_of_id", "read_gold"]


@dataclass(frozen=True, slots=True)
class GoldSegment:
    """A segment that the labels name.

    Attributes
    ----------
    id
        Its id, such as ``verg. aen. 6.847.1``.
    author
        Its author, as named in the catalogue.
    abbreviation
        The part of the id that names the work, as in the catalogue; empty if the catalogue does not
        have the work.
    texts
        Its text, in every spelling that occurs in the labels.
    """

    id: str
    author: str
    abbreviation: str
    texts: tuple[str, ...]

    @property
    def locus(self) -> str:
        """The locus at which the segment begins.

        Examples
        --------
        >>> GoldSegment("verg. aen. 6.847.1", "Virgil", "verg. aen.", ("Excudent alii",)).locus
        '6.847'
        """
        return parent_locus(self.id.rpartition(" ")[2])

    @property
    def work(self) -> str:
        """The part of the id between author and locus, for works without another name."""
        return " ".join(self.id.split()[1:-1])


@dataclass(frozen=True, slots=True)
class Gold:
    """The labelled segments of both sides, by id, and their pairs."""

    queries: tuple[GoldSegment, ...]
    sources: tuple[GoldSegment, ...]
    pairs: tuple[LabelledPair, ...]


def read_gold(path: str | os.PathLike[str]) -> Gold:
    """Read the labels as published, with both texts of each pair.

    The columns are ``position_query`` and ``position_corpus`` (the ids, in angle brackets or not),
    ``text_query`` and ``text_corpus``, ``ref_type``, ``fold_id`` and ``text_provenance``.
    """
    table = read_table(path)
    return Gold(
        queries=_segments(table, "position_query", "text_query"),
        sources=_segments(table, "position_corpus", "text_corpus"),
        pairs=tuple(read_pairs(table, published=True)),
    )


def author_of_id(segment_id: str) -> str:
    """Return the author that the first word of an id stands for; empty if it is unknown.

    Examples
    --------
    >>> author_of_id("verg. aen. 6.847.1"), author_of_id("17")
    ('Virgil', '')
    """
    return _authors().get(segment_id.partition(" ")[0], "")


def _segments(table: Table, id_column: str, text_column: str) -> tuple[GoldSegment, ...]:
    table.require([id_column])
    table.require([text_column])
    texts: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for row in table.rows:
        text = " ".join(row.cells[text_column].split()).removesuffix(" /")
        if not text:
            raise InputError(
                "benchmark.empty_cell", file=table.file, row=row.number, column=text_column
            )
        texts[bare_id(row.cells[id_column])].setdefault(text, row.number)
    return tuple(
        GoldSegment(
            id=segment_id,
            author=_author(segment_id, table.file, min(spellings.values())),
            abbreviation=_abbreviation(segment_id),
            texts=tuple(sorted(spellings)),
        )
        for segment_id, spellings in sorted(texts.items())
    )


def _author(segment_id: str, file: str, row: int) -> str:
    author = author_of_id(segment_id)
    if not author:
        raise InputError(
            "benchmark.unknown_author",
            file=file,
            row=row,
            id=segment_id,
            names=", ".join(sorted(_authors())),
        )
    return author


def _abbreviation(segment_id: str) -> str:
    fitting = [name for name in _abbreviations() if segment_id.startswith(f"{name} ")]
    return max(fitting, key=len, default="")


@lru_cache(maxsize=1)
def _authors() -> dict[str, str]:
    return {work.abbreviation.partition(" ")[0]: work.author for work in _works()}


@lru_cache(maxsize=1)
def _abbreviations() -> frozenset[str]:
    return frozenset(work.abbreviation for work in _works())


def _works() -> list[Work]:
    authors = {*QUERY_AUTHORS, *SOURCE_AUTHORS}
    return [work for work in Catalogue.shipped().works.values() if work.author in authors]
