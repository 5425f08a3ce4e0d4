"""From citable passages (verse lines, sections) to sentence-like segments with ids.

A segment is a sentence, however many lines or sections it spans. Its id consists of the work, the
locus at which it begins, and its number among the sentences that begin there:
``verg. aen. 6.847.1``.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from dataclasses import dataclass, field
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, NamedTuple

from locisimiles.corpus.columns import Columns, format_marks
from locisimiles.corpus.loci import CtsUrn, join_locus, locus_range, parent_locus
from locisimiles.corpus.sentences import StopRules, sentence_ends

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

__all__ = ["VERSE_SEPARATOR", "Passage", "WorkHeader", "segment_passages"]

VERSE_SEPARATOR = " / "
_BROKEN_WORD = re.compile(r"(?<=[^\W\d_])-$")
_PADDING = " \t\n\r/"
_LETTER = re.compile(r"[^\W\d_]")


@dataclass(frozen=True, slots=True)
class Passage:
    """The smallest part of a text that has an address: a verse line, a section."""

    locus: str
    text: str
    row: int = 0  # line of the file, for messages
    begins_part: bool = False  # the first of a paragraph or poem: no sentence runs into it


@dataclass(frozen=True, slots=True)
class WorkHeader:
    """What the segments of a work have in common."""

    abbreviation: str  # the first part of every id: verg. aen.
    author: str = ""
    title: str = ""
    verse: bool = False  # whether passages are lines of verse
    urn: CtsUrn | None = None
    edition: str = ""
    meta: dict[str, str] = field(default_factory=dict)


def segment_passages(
    passages: Iterable[Passage], header: WorkHeader, rules: StopRules | None = None
) -> Columns:
    """Cut the passages of a work, given in reading order, into segments.

    Examples
    --------
    >>> lines = [
    ...     Passage("1.1", "Arma virumque cano, Troiae qui primus ab oris"),
    ...     Passage("1.2", "Italiam venit. Multum ille"),
    ...     Passage("1.3", "iactatus."),
    ... ]
    >>> columns = segment_passages(lines, WorkHeader("verg. aen.", verse=True))
    >>> columns.ids, columns.loci
    (['verg. aen. 1.1.1', 'verg. aen. 1.2.1'], ['1.1-1.2', '1.2-1.3'])
    >>> columns.texts[1]
    'Multum ille / iactatus.'
    """
    columns = Columns(ids_are_ours=True)
    starting_here: Counter[str] = Counter()
    meta = dict(header.meta)
    if header.edition:
        meta["edition"] = header.edition
    for run in _unbroken_runs(list(passages), verse=header.verse):
        for sentence in _cut_run(run, rules or StopRules(), verse=header.verse):
            first, last = sentence.marks[0][0], sentence.marks[-1][0]
            starting_here[first] += 1
            locus = locus_range(first, last)
            urn = {"urn": str(header.urn.at(locus))} if header.urn else {}
            columns.add(
                f"{header.abbreviation} {join_locus(first, str(starting_here[first]))}".lstrip(),
                sentence.text,
                author=header.author,
                work=header.title,
                locus=locus,
                marks=format_marks(sentence.marks),
                row=sentence.row,
                meta=meta | urn,
            )
    return columns


class _Sentence(NamedTuple):
    text: str
    marks: list[tuple[str, int]]
    row: int


def _unbroken_runs(passages: list[Passage], *, verse: bool) -> Iterator[list[Passage]]:
    """Split where a book, poem, letter or chapter ends, so that no sentence crosses it.

    In prose a sentence may cross a chapter, if the chapter before ends in the middle of one.
    """
    passages = [passage for passage in passages if passage.text]
    part = 0
    parts = [0] * len(passages)
    for i, (before, after) in enumerate(pairwise(passages), start=1):
        if after.begins_part:
            part += 1
        elif parent_locus(before.locus) != parent_locus(after.locus):
            open_sentence = before.text[-1].isalpha() or before.text[-1] in ",-"
            part += verse or not open_sentence
        parts[i] = part
    numbered = zip(parts, passages, strict=True)
    for _, run in groupby(numbered, key=lambda pair: pair[0]):
        yield [passage for _, passage in run]


def _cut_run(run: Sequence[Passage], rules: StopRules, *, verse: bool) -> Iterator[_Sentence]:
    text, starts, line_ends = _join(run, VERSE_SEPARATOR if verse else " ")
    begin = 0
    for end in _close(text, sentence_ends(text, rules, line_ends=line_ends if verse else set())):
        first = end - len(text[begin:end].lstrip(_PADDING))
        body = text[first:end].rstrip(_PADDING)
        earliest = bisect_right(starts, first) - 1
        after_last = max(bisect_left(starts, first + len(body)), earliest + 1)
        marks = [(run[i].locus, max(starts[i] - first, 0)) for i in range(earliest, after_last)]
        yield _Sentence(body, marks, run[earliest].row)
        begin = end


def _close(text: str, ends: list[int]) -> list[int]:
    """Extend the last sentence to the end of the text, with or without a stop."""
    last = ends[-1] if ends else 0
    if _LETTER.search(text, last):
        return [*ends, len(text)]
    return [*ends[:-1], len(text)] if ends else ends


def _join(run: Sequence[Passage], separator: str) -> tuple[str, list[int], set[int]]:
    """Join passages to one text, mending words broken over a line.

    Return the text, the offset at which each passage starts, and the offsets at which one ends.
    """
    pieces: list[str] = []
    starts: list[int] = []
    ends: set[int] = set()
    length = 0
    for passage, following in zip(run, [*run[1:], None], strict=True):
        text = passage.text
        if following is not None:
            text = _BROKEN_WORD.sub("", text)
        glue = separator if following is not None and text == passage.text else ""
        starts.append(length)
        ends.add(length + len(text))
        pieces += [text, glue]
        length += len(text) + len(glue)
    return "".join(pieces), starts, ends
