"""Columns of texts on disk, read a row at a time, or all at once."""

from __future__ import annotations

from abc import abstractmethod
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, overload

import numpy as np

from locisimiles.files.text_columns import join_texts, split_texts

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from locisimiles.files.array_files import ArrayFile

__all__ = ["Positions", "RepeatedTexts", "StoredTexts", "packed", "ranges", "unpacked"]


def packed(name: str, texts: Sequence[str]) -> dict[str, NDArray[np.generic]]:
    """Return texts as two arrays: their bytes, and where each begins."""
    content, lengths = join_texts(texts)
    bounds = np.cumsum([0, *lengths], dtype=np.int64)
    return {name: np.frombuffer(content, np.uint8), f"{name}.bounds": bounds}


def unpacked(arrays: ArrayFile, name: str) -> list[str]:
    """Return all texts that `packed` packed."""
    content = arrays.array(name).tobytes()
    bounds = arrays.array(f"{name}.bounds").tolist()
    return split_texts(content, bounds)


def ranges(begin: NDArray[np.int64], count: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the numbers from each beginning on, as many as its count, one after the other."""
    before = np.cumsum(count) - count
    found: NDArray[np.int64] = np.repeat(begin - before, count) + np.arange(count.sum())
    return found


class _Column(Sequence[str]):
    """A column in several parts; equal to a tuple of the same texts."""

    def __init__(self, sizes: Sequence[int]) -> None:
        self._begins: list[int] = [0, *np.cumsum(sizes, dtype=np.int64).tolist()]

    def __len__(self) -> int:
        return self._begins[-1]

    @overload
    def __getitem__(self, key: int) -> str: ...
    @overload
    def __getitem__(self, key: slice) -> tuple[str, ...]: ...
    def __getitem__(self, key: int | slice) -> str | tuple[str, ...]:
        if isinstance(key, slice):
            return tuple(self[row] for row in range(*key.indices(len(self))))
        row = range(len(self))[key]
        part = bisect_right(self._begins, row) - 1
        return self._text(part, row - self._begins[part])

    def __iter__(self) -> Iterator[str]:
        for part in range(len(self._begins) - 1):
            yield from self._texts(part)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence):
            return NotImplemented
        return len(self) == len(other) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    @abstractmethod
    def _text(self, part: int, row: int) -> str:
        """Return the text of a row of a part."""

    @abstractmethod
    def _texts(self, part: int) -> Sequence[str]:
        """Return all texts of a part."""


class StoredTexts(_Column):
    """A column of the texts of several files, in which it may be missing: then it is empty."""

    def __init__(self, files: Sequence[ArrayFile], sizes: Sequence[int], name: str) -> None:
        super().__init__(sizes)
        self._files, self._sizes, self._name = files, sizes, name

    def _text(self, part: int, row: int) -> str:
        arrays, name = self._files[part], self._name
        if name not in arrays:
            return ""
        begin, end = arrays.rows(f"{name}.bounds", row, row + 2).tolist()
        return arrays.rows(name, begin, end).tobytes().decode("utf-8", "surrogatepass")

    def _texts(self, part: int) -> Sequence[str]:
        arrays, name = self._files[part], self._name
        return unpacked(arrays, name) if name in arrays else [""] * self._sizes[part]


class RepeatedTexts(_Column):
    """A column with the same text in all rows of a part, such as the author of a work.

    Examples
    --------
    >>> column = RepeatedTexts(["Vergil", "Horace"], [2, 1])
    >>> column[2], tuple(column), column == ("Vergil", "Vergil", "Horace")
    ('Horace', ('Vergil', 'Vergil', 'Horace'), True)
    """

    def __init__(self, texts: Sequence[str], sizes: Sequence[int]) -> None:
        super().__init__(sizes)
        self._repeated, self._sizes = texts, sizes

    def _text(self, part: int, row: int) -> str:
        del row
        return self._repeated[part]

    def _texts(self, part: int) -> Sequence[str]:
        return [self._repeated[part]] * self._sizes[part]


class Positions(Mapping[str, int]):
    """The position of each id, looked up in the order of ids.

    Examples
    --------
    >>> positions = Positions(("b", "a", "c"), np.array([1, 0, 2]))
    >>> positions["c"], "d" in positions, dict(positions)
    (2, False, {'b': 0, 'a': 1, 'c': 2})
    """

    def __init__(self, ids: Sequence[str], ties: NDArray[np.int64]) -> None:
        self._ids, self._ties = ids, ties

    @cached_property
    def _order(self) -> NDArray[np.int64]:
        order = np.empty(len(self._ties), np.int64)
        order[self._ties] = np.arange(len(order))
        return order

    def __getitem__(self, segment_id: str) -> int:
        low, high = 0, len(self._order)
        while low < high:
            middle = (low + high) // 2
            if self._ids[int(self._order[middle])] < segment_id:
                low = middle + 1
            else:
                high = middle
        if low < len(self._order) and self._ids[int(self._order[low])] == segment_id:
            return int(self._order[low])
        raise KeyError(segment_id)

    def __iter__(self) -> Iterator[str]:
        return iter(self._ids)

    def __len__(self) -> int:
        return len(self._ids)
