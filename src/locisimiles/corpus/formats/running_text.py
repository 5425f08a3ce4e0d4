"""Running text: blocks of lines, read as lines, prose or verse and cut into segments.

Plain text, documents of word processors and web pages all become blocks; what follows is the same
for all of them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from locisimiles.corpus.columns import Columns
from locisimiles.corpus.headers import recognise
from locisimiles.corpus.segmenter import Passage, WorkHeader, segment_passages
from locisimiles.corpus.sentences import sentence_ends
from locisimiles.errors import EmptyInputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from locisimiles.corpus.options import ReadOptions, Segmentation
    from locisimiles.corpus.report import ReadReport
    from locisimiles.files.raw import RawInput

__all__ = ["Block", "guess_segmentation", "read_blocks"]

_SECTION_NUMBER = re.compile(r"\[(\d{1,4}[a-z]?)\]\s*")
_HYPHEN = re.compile(r"(?<=[^\W\d_])-\n(.)")
_LETTER = re.compile(r"[^\W\d_]")
_MOSTLY = 0.8
_LONGEST_VERSE = 65
_LONGEST_WRAPPED = 120


class Block(NamedTuple):
    """A paragraph, a stanza or a heading: numbered lines without an empty one between them."""

    lines: tuple[tuple[int, str], ...]
    heading: bool = False


def read_blocks(
    raw: RawInput,
    blocks: Sequence[Block],
    options: ReadOptions,
    report: ReadReport,
    *,
    tell_guess: Callable[[Segmentation], None],
) -> Columns:
    """Cut blocks into segments; `options.segmentation` says what their lines are.

    Bracketed numbers in prose (``[12]``), common in web editions, become loci and are removed
    from the text. Headings are segments of their own, numbered ``h1``, ``h2`` and so on.
    """
    if not any(_LETTER.search(line) for block in blocks for _, line in block.lines):
        raise EmptyInputError("corpus.no_text_in_file", file=raw.name)
    known = recognise(stem=raw.stem)
    segmentation = options.segmentation
    if segmentation == "auto" and known:
        segmentation = "verse" if known.work.verse else "sentences"
    elif segmentation == "auto":
        lines = [line for block in blocks if not block.heading for _, line in block.lines]
        segmentation = guess_segmentation(lines)
        tell_guess(segmentation)
    if segmentation == "lines":
        return _lines_as_segments(raw, blocks)
    verse = segmentation == "verse"
    header = known.header() if known else WorkHeader(raw.stem, verse=verse)
    passages = _verse(blocks) if verse else _prose(raw, _paragraphs(blocks), report)
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


def _lines_as_segments(raw: RawInput, blocks: Sequence[Block]) -> Columns:
    columns = Columns(name=raw.name, ids_are_ours=True)
    headings = 0
    for block in blocks:
        headings += block.heading
        for row, line in block.lines:
            if _LETTER.search(line):
                locus = f"h{headings}" if block.heading else str(row)
                columns.add(f"{raw.stem} {locus}", line, locus=locus, row=row)
    return columns


def _verse(blocks: Sequence[Block]) -> Iterator[Passage]:
    number, headings, begins_part = 0, 0, False
    for block in blocks:
        if block.heading:
            headings += 1
            yield Passage(f"h{headings}", _joined(block), block.lines[0][0], begins_part=True)
            begins_part = True
            continue
        for row, line in block.lines:
            number += 1
            yield Passage(str(number), line, row, begins_part=begins_part)
            begins_part = False


def _paragraphs(blocks: Sequence[Block]) -> Iterator[Block]:
    """Yield blocks; where each line is a paragraph, as in text copied from a page, cut them.

    Nobody wraps lines as long as that, and wrapped lines seldom end with a sentence.
    """
    for block in blocks:
        lines = [line for _, line in block.lines]
        long = sorted(map(len, lines))[len(lines) // 2] > _LONGEST_WRAPPED
        if long and sum(map(_ends_sentence, lines)) >= _MOSTLY * len(lines):
            yield from (block._replace(lines=(line,)) for line in block.lines)
        else:
            yield block


def _ends_sentence(line: str) -> bool:
    return len(line.rstrip()) in sentence_ends(line)


def _prose(raw: RawInput, blocks: Iterable[Block], report: ReadReport) -> Iterator[Passage]:
    """Yield paragraphs, or the sections of a text that numbers them."""
    section, paragraph, headings = "", 0, 0
    for block in blocks:
        row, text = block.lines[0][0], _joined(block)
        if not _LETTER.search(text):
            report.skip(raw.name, row, "corpus.no_word")
            continue
        if block.heading:
            headings += 1
            yield Passage(f"h{headings}", text, row, begins_part=True)
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


def _joined(block: Block) -> str:
    """Return the lines of a block as one, with words broken over lines mended."""
    return _HYPHEN.sub(_mend, "\n".join(line for _, line in block.lines)).replace("\n", " ")


def _mend(hyphen: re.Match[str]) -> str:
    return hyphen[1] if hyphen[1].islower() else hyphen[0]
