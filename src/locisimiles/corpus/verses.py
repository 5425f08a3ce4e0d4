"""Read the verses of a Bible from a file of your own.

A verse is recognised by its label, as in ``Matth. 5.22``, ``Mt 5:22``, ``1 Cor 13,1`` or ``vulg.
mt. 5.22``: the id of a segment, or its work and locus, or what begins a line.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from locisimiles.corpus.document import Document
from locisimiles.corpus.library.vulgate import Verse, book_of
from locisimiles.errors import InputError, MalformedInputError
from locisimiles.files.decoding import decode
from locisimiles.files.raw import read_raw

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["read_verses"]

_LABEL = re.compile(r"(?P<book>.+?)[\s.]*\b(?P<chapter>\d{1,3})\s*[.:,]\s*(?P<verse>\d{1,3})\.?")
_LINE = re.compile(r"(?P<label>\S.{0,40}?\d{1,3}\s*[.:,]\s*\d{1,3})\.?[\s|]+(?P<text>\S.*)")
_FIELDS = re.compile(
    r"(?P<book>[^|\t]{1,40})[|\t](?P<chapter>\d{1,3})[|\t](?P<verse>\d{1,3})[|\t](?P<text>.*\S.*)"
)
_MOST_WITHOUT_LABEL = 0.2
_LINES = (".txt", ".lat", ".md", "")


def read_verses(path: Path) -> list[Verse]:
    """Read the verses of a file, in its order.

    Raises
    ------
    InputError
        If more than a fifth of its passages have no label, or two have the same.
    """
    verses, unnamed = list[Verse](), 0
    first: dict[tuple[str, int, int], int] = {}
    for row, (labels, text) in enumerate(_passages(path), start=1):
        verse = next(filter(None, (_verse(label, text) for label in labels)), None)
        if verse is None:
            unnamed += 1
        elif first.setdefault(verse[:3], row) != row:
            name = f"{verse.book} {verse.chapter}.{verse.verse}"
            raise MalformedInputError(
                "corpus.verse_twice",
                verse=name,
                first=str(first[verse[:3]]),
                file=str(path),
                row=row,
            )
        else:
            verses.append(verse)
    if not verses or unnamed > _MOST_WITHOUT_LABEL * (len(verses) + unnamed):
        raise InputError("corpus.no_verses", file=str(path), count=unnamed)
    return verses


def _passages(path: Path) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield what may be labels of each passage, and its text."""
    if path.suffix.lower() in _LINES:
        for line in decode(read_raw(path))[0].splitlines():
            found = _FIELDS.fullmatch(line.strip()) or _LINE.fullmatch(line.strip())
            if found is not None:
                named = found.groupdict()
                label = named.get("label") or "{book} {chapter}.{verse}".format_map(named)
                yield (label,), found["text"].strip()
            elif line.strip():
                yield (), line
        return
    for segment in Document(path):
        yield (f"{segment.work} {segment.locus}", segment.id), segment.text


def _verse(label: str, text: str) -> Verse | None:
    found = _LABEL.fullmatch(label.strip())
    book = "" if found is None else book_of(found["book"])
    return Verse(book, int(found["chapter"]), int(found["verse"]), text) if found and book else None
