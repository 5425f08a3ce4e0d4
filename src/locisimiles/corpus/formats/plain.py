"""Plain text: a segment a line, running prose, or verse."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from locisimiles.corpus.columns import Columns
from locisimiles.corpus.decoding import decode, split_lines
from locisimiles.corpus.headers import recognise
from locisimiles.corpus.segmenter import Passage, WorkHeader, segment_passages
from locisimiles.corpus.sentences import sentence_ends
from locisimiles.errors import EmptyInputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from locisimiles.corpus.inputs import RawInput
    from locisimiles.corpus.options import Cut, ReadOptions
    from locisimiles.corpus.report import ReadReport

__all__ = ["guess_cut", "read_txt"]

_SECTION_NUMBER = re.compile(r"\[(\d{1,4}[a-z]?)\]\s*")
_HYPHENATED = re.compile(r"[^\W\d_]-$")
_LETTER = re.compile(r"[^\W\d_]")
_MOSTLY = 0.8
_LONGEST_VERSE = 65


def read_txt(raw: RawInput, options: ReadOptions, report: ReadReport) -> Columns:
    """Read a plain text; `options.cut` says what its lines are.

    Bracketed numbers in prose (``[12]``), as many web editions have them, are taken as loci
    and removed from the text.
    """
    text, _ = decode(raw, report, encoding=options.encoding)
    lines = [line.strip() for line in split_lines(text)]
    if not any(_LETTER.search(line) for line in lines):
        raise EmptyInputError("there is no text in this file", file=raw.name)
    known = recognise(stem=raw.stem)
    cut = options.cut
    if cut == "auto" and known:
        cut = "verse" if known.work.verse else "sentences"
    elif cut == "auto":
        cut = guess_cut(lines)
        report.note(raw.name, f"plain text, {_WHAT_IT_WAS_READ_AS[cut]} (--cut)")
    if cut == "lines":
        return _lines_as_segments(raw, lines)
    header = known.header() if known else WorkHeader(raw.stem, verse=cut == "verse")
    passages = _verse(lines) if cut == "verse" else _prose(raw, lines, report)
    if known:
        passages = known.addresses(passages)
    colon = known.work.colon if known else "never"
    return segment_passages(passages, header, options.stop_rules(colon=colon))


_WHAT_IT_WAS_READ_AS: dict[Cut, str] = {
    "lines": "each line read as one segment",
    "sentences": "read as running prose and cut into sentences",
    "verse": "read as verse, lines joined to sentences",
}


def guess_cut(lines: list[str]) -> Cut:
    """Guess what the lines of a text are.

    Lines that nearly all are one sentence are segments; short lines of uneven length are verse;
    everything else is prose.

    Examples
    --------
    >>> guess_cut(["Haesit uox faucibus.", "Omnia tuta timeo."])
    'lines'
    >>> guess_cut(["Arma uirumque cano, Troiae qui", "Italiam, fato profugus,", "litora."])
    'verse'
    >>> guess_cut(["Quousque tandem abutere, Catilina, patientia", "nostra? quam diu etiam " * 9])
    'sentences'
    """
    filled = [line for line in lines if line]
    whole = sum(1 for line in filled if sentence_ends(line) == [len(line)])
    if len(filled) > 1 and whole >= _MOSTLY * len(filled):
        return "lines"
    short = sum(1 for line in filled if len(line) <= _LONGEST_VERSE)
    ragged = len({len(line) for line in filled}) > 1
    if len(filled) > 1 and ragged and short >= _MOSTLY * len(filled):
        return "verse"
    return "sentences"


def _lines_as_segments(raw: RawInput, lines: list[str]) -> Columns:
    columns = Columns(name=raw.name, ids_are_ours=True)
    for number, line in enumerate(lines, start=1):
        if _LETTER.search(line):
            columns.add(f"{raw.stem} {number}", line, locus=str(number), row=number)
    return columns


def _verse(lines: list[str]) -> Iterator[Passage]:
    number = 0
    for row, line in enumerate(lines, start=1):
        if line:
            number += 1
            yield Passage(str(number), line, row)


def _prose(raw: RawInput, lines: list[str], report: ReadReport) -> Iterator[Passage]:
    """Yield a passage a paragraph, or a numbered section where the text numbers them."""
    section, paragraph = "", 0
    for row, text in _paragraphs(lines):
        if not _LETTER.search(text):
            report.skip(raw.name, row, "there is no word in it")
            continue
        paragraph += 1
        opening, *numbered = _SECTION_NUMBER.split(text)
        pieces = [(section or str(paragraph), opening)]
        pieces += zip(numbered[::2], numbered[1::2], strict=True)
        begins_part = True
        for locus, piece in pieces:
            if piece.strip():
                yield Passage(locus, piece.strip(), row, begins_part=begins_part)
                begins_part = False
        section = pieces[-1][0] if numbered else section


def _paragraphs(lines: list[str]) -> Iterator[tuple[int, str]]:
    gathered: list[str] = []
    first = 1
    for row, line in enumerate([*lines, ""], start=1):
        if line and not gathered:
            first = row
        if line:
            gathered.append(line)
        elif gathered:
            yield first, _mend(gathered)
            gathered = []


def _mend(lines: list[str]) -> str:
    """Join wrapped lines, closing words hyphenated at a line's end."""
    pieces = [lines[0]]
    for line in lines[1:]:
        if _HYPHENATED.search(pieces[-1]) and line[0].islower():
            pieces[-1] = pieces[-1][:-1]
            pieces.append(line)
        else:
            pieces += [" ", line]
    return "".join(pieces)
