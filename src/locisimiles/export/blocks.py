"""Blocks of results as the rows of one table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from locisimiles.results.columns import (
    NUMBER_COLUMNS,
    cell_batches,
    column_names,
    our_names,
    result_rows,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from locisimiles.results import Results
    from locisimiles.results.columns import Cell

__all__ = ["BlockRows"]


class BlockRows:
    """Yields the rows of blocks of results, to be written while others are still searched.

    Attributes
    ----------
    names
        The columns of the table.
    numbers
        Those that hold numbers.
    manifest
        The manifest of the block last read; in the end, that of the whole.
    """

    def __init__(self, blocks: Iterable[Results]) -> None:
        self._blocks = iter(blocks)
        self._first = next(self._blocks)
        self._ours, self.names = our_names(self._first), column_names(self._first)
        # Others' columns are text.
        self.numbers = NUMBER_COLUMNS.intersection(self.names).difference(self._first.further)
        self.manifest: Mapping[str, object] = self._first.manifest

    def __iter__(self) -> Iterator[dict[str, Cell]]:
        for block in self.blocks():
            yield from result_rows(block, self._ours)

    def batches(self) -> Iterator[dict[str, Sequence[Cell]]]:
        """Yield the cells of the rows by column, of some thousand rows at a time."""
        for block in self.blocks():
            yield from cell_batches(block, self._ours)

    def blocks(self) -> Iterator[Results]:
        """Yield the blocks themselves, for formats that need no row of a table."""
        block: Results | None = self._first
        while block is not None:
            self.manifest = block.manifest
            yield block
            block = next(self._blocks, None)
