"""Tesserae texts: one passage per line, its locus in angle brackets.

::

    <verg. aen. 1.1>	Arma virumque cano, Troiae qui primus ab oris
    <verg. aen. 1.2>	Italiam, fato profugus, Laviniaque venit
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from locisimiles.corpus.columns import Columns
from locisimiles.corpus.formats.decoded import read_text
from locisimiles.corpus.headers import recognise
from locisimiles.corpus.loci import join_locus
from locisimiles.corpus.segmenter import Passage, WorkHeader, segment_passages
from locisimiles.errors import EmptyInputError, MalformedInputError
from locisimiles.files.decoding import split_lines
from locisimiles.files.raw import printable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from locisimiles.corpus.options import ReadOptions
    from locisimiles.corpus.report import ReadReport
    from locisimiles.corpus.sentences import Stop
    from locisimiles.files.raw import RawInput

__all__ = ["looks_like_tess", "read_tess"]

# Unlike tags of XML, a tag contains no '=' and no quotation marks.
_LINE = re.compile(r"(?P<junk>[^<\s]{0,12})<(?P<tag>[^<>=\"'!?/][^<>=\"]*)>\s*(?P<text>.*)")
_TAG = re.compile(r"(?P<work>\D*?)\s*(?P<locus>\d.*)")
_SPACES = re.compile(r"\s+")
_EDITION = "tesserae"
_LONGEST_VERSE = 70
_MOSTLY = 0.6


def looks_like_tess(text: str) -> bool:
    r"""Return whether the first line of a text has a locus in angle brackets.

    Examples
    --------
    >>> looks_like_tess("<verg. aen. 1.1>\tArma"), looks_like_tess("<TEI>"), looks_like_tess("a")
    (True, False, False)
    """
    match = _LINE.match(split_lines(text.lstrip())[0])
    return bool(match and match["text"] and _TAG.fullmatch(match["tag"]))


def read_tess(raw: RawInput, options: ReadOptions, report: ReadReport) -> Columns:
    """Read a Tesserae text and cut it into sentences.

    A line without a locus continues the one before; such lines, and stray letters before a locus,
    are reported. Works in the catalogue get the abbreviation of the benchmark.
    """
    text = read_text(raw, report, encoding=options.encoding)
    works = _merge_subdivisions(_gather(raw, text, report))
    columns = Columns(name=raw.name, ids_are_ours=True, edition=_EDITION)
    for header, passages, colon in _recognised(raw, works):
        columns.extend(segment_passages(passages, header, options.stop_rules(colon=colon)))
    if not len(columns):
        raise EmptyInputError("corpus.no_text_in_file", file=raw.name)
    return columns


def _recognised(
    raw: RawInput, works: dict[str, list[Passage]]
) -> Iterator[tuple[WorkHeader, list[Passage], Stop]]:
    """Find the works in the catalogue, joining passages whose tags name the same work."""
    recognised: dict[str, tuple[WorkHeader, list[Passage], Stop]] = {}
    for tag, passages in works.items():
        # The file name is used only if the file contains a single work.
        known = recognise(stem=raw.stem if len(works) == 1 else "", tags=(tag,))
        if known is None:
            header = WorkHeader(tag, verse=_looks_like_verse(passages))
            recognised[tag] = (header, passages, "never")
        else:
            header = known.header(edition=_EDITION)
            entry = recognised.setdefault(header.abbreviation, (header, [], known.work.colon))
            entry[1].extend(known.prefixed(passages))
    yield from recognised.values()


def _gather(raw: RawInput, text: str, report: ReadReport) -> dict[str, list[Passage]]:
    """Collect the lines of the file by the work in their tags."""
    works: dict[str, list[Passage]] = {}
    last: list[Passage] = []
    for row, line in enumerate(split_lines(text), start=1):
        words = _SPACES.sub(" ", line).strip()
        match = _LINE.fullmatch(words)
        if match:
            if match["junk"]:
                report.note(
                    raw.name,
                    "corpus.letters_before_locus",
                    row=str(row),
                    letters=printable(match["junk"]),
                )
            work, locus = _tag_of(match["tag"])
            last = works.setdefault(work, [])
            last.append(Passage(locus, match["text"], row))
        elif words:
            if not last:
                raise MalformedInputError("corpus.no_locus", file=raw.name, row=row)
            report.note(raw.name, "corpus.continued_row", row=str(row))
            last[-1] = replace(last[-1], text=f"{last[-1].text} {words}".strip())
    for passages in works.values():
        for passage in passages:
            if not passage.text:
                report.skip(raw.name, passage.row, "corpus.no_text_after_locus")
        passages[:] = [passage for passage in passages if passage.text]
    return works


def _tag_of(tag: str) -> tuple[str, str]:
    """Split ``verg. aen. 1.1`` into the work and the locus."""
    match = _TAG.fullmatch(tag.strip())
    if match is None:
        return tag.strip().lower(), ""
    return match["work"].strip().lower(), match["locus"].replace(" ", "_")


def _merge_subdivisions(works: dict[str, list[Passage]]) -> dict[str, list[Passage]]:
    """Read ``cic. rep. fr. 4`` as locus ``fr.4`` of ``cic. rep.``, not as a separate work."""
    largest_first = sorted(works, key=lambda tag: -len(works[tag]))
    merged: dict[str, list[Passage]] = {}
    for tag, passages in works.items():
        home = next((other for other in largest_first if tag.startswith(f"{other} ")), tag)
        part = tag.removeprefix(home).strip(" .").replace(" ", "_")
        merged.setdefault(home, []).extend(
            replace(passage, locus=join_locus(part, passage.locus)) for passage in passages
        )
    for passages in merged.values():
        passages.sort(key=lambda passage: passage.row)
    return merged


def _looks_like_verse(passages: list[Passage]) -> bool:
    short = sum(1 for passage in passages if len(passage.text) <= _LONGEST_VERSE)
    stopped = sum(1 for passage in passages if passage.text.rstrip("'\"”’)")[-1:] in ".!?")
    return short > _MOSTLY * len(passages) and stopped < _MOSTLY * len(passages)
