"""Collect the blocks of a document while its elements are visited in reading order."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from locisimiles.corpus.formats.running_text import Block, read_blocks

if TYPE_CHECKING:
    from locisimiles.corpus.columns import Columns
    from locisimiles.corpus.options import ReadOptions, Segmentation
    from locisimiles.corpus.report import ReadReport
    from locisimiles.files.raw import RawInput

__all__ = ["WrittenBlocks"]

_LETTER = re.compile(r"[^\W\d_]")
_SOFT_HYPHEN = "\xad"


class WrittenBlocks:
    """The blocks of a document with markup, and what was left out of it.

    Lines without a letter (page numbers, ornaments, empty cells) are no lines of the text; the
    report says how many there were.

    Examples
    --------
    >>> blocks = WrittenBlocks()
    >>> blocks.write("Arma  uirumque")
    >>> blocks.break_line()
    >>> blocks.write("cano")
    >>> blocks.end_block()
    >>> blocks.finished()
    [Block(lines=((1, 'Arma uirumque'), (2, 'cano')), heading=False)]
    """

    def __init__(self) -> None:
        self.notes = 0
        self.contents = 0
        self.menus = 0
        self._blocks: list[Block] = []
        self._lines: list[tuple[int, str]] = []
        self._line: list[str] = []
        self._row = 0
        self._wordless: list[int] = []

    def write(self, text: str) -> None:
        """Append to the current line; white space of any kind is one space."""
        self._line.append(text)

    def break_line(self) -> None:
        """End the current line; an empty one ends the block, as in plain text."""
        text = " ".join("".join(self._line).replace(_SOFT_HYPHEN, "").split())
        self._line.clear()
        if not text:
            self._close(heading=False)
            return
        self._row += 1
        if _LETTER.search(text):
            self._lines.append((self._row, text))
        else:
            self._wordless.append(self._row)

    def end_block(self, *, heading: bool = False) -> None:
        """End the current block."""
        if self._line:
            self.break_line()
        self._close(heading=heading)

    def finished(self) -> list[Block]:
        """Return all blocks."""
        self.end_block()
        return self._blocks

    def read(self, raw: RawInput, options: ReadOptions, report: ReadReport) -> Columns:
        """Cut the blocks into segments, and report what was left out."""

        def tell_guess(guess: Segmentation) -> None:
            if guess == "verse":
                report.note(raw.name, "corpus.read_as_verse")
            elif guess == "lines":
                report.note(raw.name, "corpus.read_as_lines")
            else:
                report.note(raw.name, "corpus.read_as_sentences")

        blocks = self.finished()
        for row in self._wordless:
            report.skip(raw.name, row, "corpus.no_word")
        if self.notes:
            report.note(raw.name, "corpus.notes_left_out", count=self.notes)
        if self.contents:
            report.note(raw.name, "corpus.contents_left_out")
        if self.menus:
            report.note(raw.name, "corpus.menus_left_out")
        return read_blocks(raw, blocks, options, report, tell_guess=tell_guess)

    def _close(self, *, heading: bool) -> None:
        if self._lines:
            self._blocks.append(Block(tuple(self._lines), heading))
            self._lines = []
