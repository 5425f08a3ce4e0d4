"""Passages of a project as scholars name them: citations, and what a copy button copies."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Literal

from locisimiles.app.storage.stored_values import stored_value
from locisimiles.corpus import Document, Segment
from locisimiles.corpus.citations import cite
from locisimiles.corpus.columns import parse_marks
from locisimiles.errors import InputError
from locisimiles.export.addresses import WordAddresses
from locisimiles.export.citation import cite_passage

if TYPE_CHECKING:
    from collections.abc import Mapping

    from locisimiles.app.projects.project import Side, StoredSegment, TextTable

__all__ = ["COPY_FORMS", "CopyForm", "copied", "passage_of", "side_of", "with_citations"]

CopyForm = Literal["text", "bibtex", "urn"]
COPY_FORMS: tuple[CopyForm, ...] = ("text", "bibtex", "urn")
"""What can be copied: citation and text, a BibTeX entry, the CTS URN."""


def passage_of(stored: StoredSegment) -> Segment:
    """Return a stored segment as other rooms know segments.

    Examples
    --------
    >>> from locisimiles.app.projects.project import StoredSegment
    >>> passage_of(StoredSegment(0, "a 1", "arma", "", "", "1.1", "")).locus
    '1.1'
    """
    with stored_value("marks"):
        marks = parse_marks(stored.marks)
    return Segment(stored.id, stored.text, stored.author, stored.work, stored.locus, marks)


def side_of(row: Mapping[str, Any], side: Side) -> Segment:
    """Return the segment on one side of a row with texts."""
    with stored_value("marks"):
        marks = parse_marks(row[f"{side}_marks"])
    return Segment(
        row[f"{side}_id"],
        row[f"{side}_text"],
        row[f"{side}_author"],
        row[f"{side}_work"],
        row[f"{side}_locus"],
        marks,
    )


def with_citations(row: Mapping[str, Any]) -> dict[str, Any]:
    """Add the citations of both sides to a row with texts."""
    return {
        **row,
        "query_citation": cite(side_of(row, "query")),
        "source_citation": cite(side_of(row, "source")),
    }


def copied(texts: TextTable, side: Side, position: int, form: CopyForm) -> str:
    """Return a passage as readers copy it, or raise an InputError if it has no such address."""
    stored = texts.segment(side, position)
    whole = passage_of(stored)
    meta = json.loads(texts.meta(side, position))
    segment = Segment(whole.id, whole.text, whole.author, whole.work, whole.locus, whole.loci, meta)
    if form == "text":
        return f"{cite(segment)}: {segment.text}"
    urn = WordAddresses(Document.from_segments([segment])).of_segment(segment)
    if form == "bibtex":
        return cite_passage(segment, urn=urn or "")
    if urn is None:
        raise InputError("app.no_urn", citation=cite(segment))
    return urn
