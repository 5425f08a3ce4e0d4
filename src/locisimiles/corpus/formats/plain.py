"""Plain text: one segment per line, running prose, or verse."""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING

from locisimiles.corpus.columns import Columns
from locisimiles.corpus.headers import recognise
from locisimiles.corpus.inputs import read_text
from locisimiles.corpus.segmenter import Passage, WorkHeader, segment_passages
from locisimiles.corpus.sentences import sentence_ends
from locisimiles.errors import EmptyInputError
from locisimiles.files.decoding import split_lines
from locisimiles.messages import Message

if TYPE_CHECKING:
    from collections.abc import Iterator

    from locisimiles.corpus.options import ReadOptions, Segmentation
    from locisimiles.corpus.report import ReadReport
    from locisimiles.files.raw import RawInput

__all__ = ["guess_segmentation", "read_txt"]

_SECTION_NUMBER = re.compile(r"\[(\d{1,4}[a-z]?)\]\s*")
_HYPHEN = re.compile(r"(?<=[^\W\d_])-\n(.)")
_LETTER = re.compile(r"[^\W\d_]")
_MOSTLY = 0.8
_LONGEST_VERSE = 65
_GUESSES = {
    "lines": Message("corpus.read_as_lines"),
    "sentences": Message("corpus.read_as_sentences"),
    "verse": Message("corpus.read_as_verse"),
}


def read_txt(raw: RawInput, options: ReadOptions, report: ReadReport) -> Columns:
    """Read a plain text; `options.segmentation` says what its lines are.

    Bracketed numbers in prose (``[12]``), common in web editions, become loci and are removed
    from the text.
    """
    text = read_text(raw, report, encoding=options.encoding)
    lines = [line.strip() for line in split_lines(text)]
    if not any(_LETTER.search(line) for line in lines):
        raise EmptyInputError("corpus.no_text_in_file", file=raw.name)
    known = recognise(stem=raw.stem)
    segmentation = options.segmentation
    if segmentation == "auto" and known:
        segmentation = "verse" if known.work.verse else "sentences"
    elif segmentation == "auto":
        segmentation = guess_segmentation(lines)
        report.note(raw.name, "corpus.segmentation_guessed", guess=_GUESSES[segmentation])
    if segmentation == "lines":
        return _lines_as_segments(raw, lines)
    verse = segmentation == "verse"
    header = known.header() if known else WorkHeader(raw.stem, verse=verse)
    passages = _verse(lines) if verse else _prose(raw, lines, report)
    if known:
        passages = known.prefixed(passages)
    colon = known.work.colon if known else "never"
    return segment_passages(passages, header, options.stop_rules(colon=colon))


def guess_segmentation(lines: list[str]) -> Segmentation:
    """Guess what the lines of a text are.

    If most lines are sentences, lines are segments; short lines of uneven length are verse;
    everything else is prose.

    Examples
    --------
    >>> guess_segmentation(["Haesit uox faucibus.", "Omnia tuta timeo."])
    'lines'
    >>> guess_segmentation(["Arma uirumque cano, Troiae qui", "Italiam, fato profugus,", "litora."])
    'verse'
    >>> guess_segmentation(["Quousque tandem abutere, Catilina", "patientia nostra? quam " * 9])
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
    filled = ((row, line) for row, line in enumerate(lines, start=1) if line)
    for number, (row, line) in enumerate(filled, start=1):
        yield Passage(str(number), line, row)


def _prose(raw: RawInput, lines: list[str], report: ReadReport) -> Iterator[Passage]:
    """Yield paragraphs, or the sections of a text that numbers them."""
    section, paragraph = "", 0
    for row, text in _paragraphs(lines):
        if not _LETTER.search(text):
            report.skip(raw.name, row, "corpus.no_word")
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
    """Yield the first row and the text of each paragraph, with words broken over lines mended."""
    for filled, group in groupby(enumerate(lines, start=1), key=lambda line: bool(line[1])):
        if filled:
            rows, paragraph = zip(*group, strict=True)
            yield rows[0], _HYPHEN.sub(_mend, "\n".join(paragraph)).replace("\n", " ")


def _mend(hyphen: re.Match[str]) -> str:
    return hyphen[1] if hyphen[1].islower() else hyphen[0]
