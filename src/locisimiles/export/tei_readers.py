"""Readers in a TEI document: who judged, and what each of them said."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lxml import etree

from locisimiles.results.characters import for_xml

if TYPE_CHECKING:
    from lxml.etree import _Element

    from locisimiles.results import PairJudgement, ReaderJudgement, Results

__all__ = ["TeiReaders"]

_XML_ID = "{http://www.w3.org/XML/1998/namespace}id"
_NAMELESS = "a reader without a name"


class TeiReaders:
    """The readers of results, by the ids that annotations point to.

    Attributes
    ----------
    responsibility
        What the program is responsible for, and what readers are.
    """

    def __init__(self, results: Results) -> None:
        judged = [one for one in results.judgements or () if one is not None]
        names = sorted({one.reader for pair in judged for one in _all(pair)})
        self._ids = {name: f"reader{number}" for number, name in enumerate(names, start=1)}
        decided = sum(any(one.verdict for one in _all(pair)) for pair in judged)
        self.responsibility = "found by a program and not judged by a reader"
        if decided:
            self.responsibility = (
                f"found by a program; {decided:,} of {len(results):,} judged by readers"
            )

    def add_statements(self, title: _Element) -> None:
        """Name the readers in the header."""
        for name, identifier in self._ids.items():
            statement = etree.SubElement(title, "respStmt")
            etree.SubElement(statement, "resp").text = "judged references"
            person = etree.SubElement(statement, "name", {_XML_ID: identifier})
            person.text = for_xml(name or _NAMELESS)

    def annotate(self, annotation: _Element, judgement: PairJudgement | None) -> None:
        """Add what each reader said of a pair: the verdict with its date, and the note."""
        for one in _all(judgement) if judgement is not None else ():
            who = {"resp": f"#{self._ids[one.reader]}"}
            if one.adjudicated:
                who["subtype"] = "adjudicated"
            if one.verdict is not None:
                verdict = etree.SubElement(annotation, "note", {"type": "verdict", **who})
                verdict.text = one.verdict
                _date(verdict, one.date)
            if one.note:
                note = etree.SubElement(annotation, "note", {"type": "comment", **who})
                note.text = for_xml(one.note)
                if one.verdict is None:  # else the verdict has the date
                    _date(note, one.date)


def _date(note: _Element, date: str) -> None:
    if date:
        etree.SubElement(note, "date", {"when": for_xml(date)})


def _all(pair: PairJudgement) -> tuple[ReaderJudgement | PairJudgement, ...]:
    """Return the judgements of all readers; a table that others made may have only one."""
    return pair.readers or (pair,)
