"""Plain text: one segment per line, running prose, or verse."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from locisimiles.corpus.formats.running_text import Block, read_blocks
from locisimiles.corpus.inputs import read_text
from locisimiles.files.decoding import split_lines
from locisimiles.messages import Message

if TYPE_CHECKING:
    from collections.abc import Iterator

    from locisimiles.corpus.columns import Columns
    from locisimiles.corpus.options import ReadOptions, Segmentation
    from locisimiles.corpus.report import ReadReport
    from locisimiles.files.raw import RawInput

__all__ = ["read_txt"]

_GUESSES = {
    "lines": Message("corpus.read_as_lines"),
    "sentences": Message("corpus.read_as_sentences"),
    "verse": Message("corpus.read_as_verse"),
}


def read_txt(raw: RawInput, options: ReadOptions, report: ReadReport) -> Columns:
    """Read a plain text, whose blocks end at empty lines."""

    def tell_guess(guess: Segmentation) -> None:
        report.note(raw.name, "corpus.segmentation_guessed", guess=_GUESSES[guess])

    text = read_text(raw, report, encoding=options.encoding)
    return read_blocks(raw, list(_blocks(text)), options, report, tell_guess=tell_guess)


def _blocks(text: str) -> Iterator[Block]:
    lines = ((row, line.strip()) for row, line in enumerate(split_lines(text), start=1))
    for filled, group in groupby(lines, key=lambda line: bool(line[1])):
        if filled:
            yield Block(tuple(group))
