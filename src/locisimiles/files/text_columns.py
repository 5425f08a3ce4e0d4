"""Columns of texts in memory, without an object of Python for each cell.

A cell of five letters takes sixty bytes as an object, and nine here. Tables of strangers may have
millions of them.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise
from typing import TYPE_CHECKING, overload

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

__all__ = ["TextColumn", "TextColumnWriter", "join_texts", "split_texts"]

_AT_ONCE = 4096  # cells that are objects at a time
_ERRORS = "surrogatepass"


def join_texts(texts: Sequence[str]) -> tuple[bytes, list[int]]:
    r"""Return texts as their bytes, and the length of each.

    Examples
    --------
    >>> join_texts(["arma", "", "ē"])
    (b'arma\xc4\x93', [4, 0, 2])
    """
    joined = "".join(texts)
    if joined.isascii():
        return joined.encode(), list(map(len, texts))
    encoded = [text.encode("utf-8", _ERRORS) for text in texts]
    return b"".join(encoded), list(map(len, encoded))


def split_texts(content: bytes | bytearray, bounds: Sequence[int]) -> list[str]:
    r"""Return the texts between some bounds of their bytes.

    Examples
    --------
    >>> split_texts(b"arma\xc4\x93", [0, 4, 4, 6])
    ['arma', '', 'ē']
    """
    joined = content.decode("utf-8", _ERRORS)
    if len(joined) == len(content):  # a character is a byte
        return [joined[begin:end] for begin, end in pairwise(bounds)]
    return [content[begin:end].decode("utf-8", _ERRORS) for begin, end in pairwise(bounds)]


class TextColumn(Sequence[str]):
    """A column of texts that does not change; equal to a tuple of the same texts.

    Examples
    --------
    >>> column = TextColumn.of(["arma", "uirum", "cano"])
    >>> column[1], column[-1], column[:2], column == ("arma", "uirum", "cano")
    ('uirum', 'cano', ('arma', 'uirum'), True)
    """

    __slots__ = ("_bounds", "_content")

    def __init__(self, content: bytes | bytearray, bounds: NDArray[np.int64]) -> None:
        self._content, self._bounds = content, bounds

    @classmethod
    def of(cls, texts: Iterable[str]) -> TextColumn:
        """Make a column of texts."""
        writer, left = TextColumnWriter(), iter(texts)
        while some := list(islice(left, _AT_ONCE)):
            writer.extend(some)
        return writer.column()

    @property
    def lengths(self) -> NDArray[np.int64]:
        """The bytes of each text."""
        return np.diff(self._bounds)

    def take(self, rows: NDArray[np.int64]) -> TextColumn:
        """Return a column of the texts in some rows, in their order."""
        if len(rows) == len(self) and (rows == np.arange(len(rows))).all():
            return self
        lengths = self.lengths[rows]
        bounds = np.zeros(len(rows) + 1, np.int64)
        np.cumsum(lengths, out=bounds[1:])
        old, new = np.frombuffer(self._content, np.uint8), np.empty(bounds[-1], np.uint8)
        shift = self._bounds[rows] - bounds[:-1]
        for row in range(0, len(rows), _AT_ONCE):
            part = slice(row, row + _AT_ONCE)
            begin, end = bounds[row], bounds[min(row + _AT_ONCE, len(rows))]
            new[begin:end] = old[np.arange(begin, end) + np.repeat(shift[part], lengths[part])]
        return TextColumn(new.tobytes(), bounds)

    def __len__(self) -> int:
        return len(self._bounds) - 1

    @overload
    def __getitem__(self, key: int) -> str: ...
    @overload
    def __getitem__(self, key: slice) -> tuple[str, ...]: ...
    def __getitem__(self, key: int | slice) -> str | tuple[str, ...]:
        if isinstance(key, slice):
            return tuple(self[row] for row in range(*key.indices(len(self))))
        row = range(len(self))[key]
        begin, end = self._bounds[row], self._bounds[row + 1]
        return self._content[begin:end].decode("utf-8", _ERRORS)

    def __iter__(self) -> Iterator[str]:
        for row in range(0, len(self), _AT_ONCE):
            bounds = self._bounds[row : row + _AT_ONCE + 1]
            part = self._content[bounds[0] : bounds[-1]]
            yield from split_texts(part, (bounds - bounds[0]).tolist())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence):
            return NotImplemented
        return len(self) == len(other) and all(
            mine == its for mine, its in zip(self, other, strict=True)
        )

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"<TextColumn: {len(self):,} texts>"


class TextColumnWriter:
    """Makes a column, some texts at a time.

    Examples
    --------
    >>> writer = TextColumnWriter()
    >>> writer.fill(2)
    >>> writer.extend(["arma"])
    >>> tuple(writer.column())
    ('', '', 'arma')
    """

    __slots__ = ("_content", "_lengths")

    def __init__(self) -> None:
        self._content, self._lengths = bytearray(), array("i")

    def extend(self, texts: Sequence[str]) -> None:
        """Append texts."""
        content, lengths = join_texts(texts)
        self._content += content
        self._lengths.extend(lengths)

    def fill(self, size: int) -> None:
        """Append empty texts until there are as many."""
        self._lengths.frombytes(bytes(self._lengths.itemsize * (size - len(self._lengths))))

    def column(self) -> TextColumn:
        """Return all texts; the writer is of no more use."""
        bounds = np.zeros(len(self._lengths) + 1, np.int64)
        np.cumsum(np.frombuffer(self._lengths, np.intc), out=bounds[1:])
        return TextColumn(self._content, bounds)
