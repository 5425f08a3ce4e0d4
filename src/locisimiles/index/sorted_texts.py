"""Sorted texts in bytes, among which many are found at once without decoding all of them."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Any

import numpy as np

from locisimiles.index.columns import ranges

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["SortedTexts", "Wanted"]

_WIDTH = 24  # bytes of a text that are compared at once; most lemmas are shorter


class Wanted:
    """Texts to be found, perhaps in several places."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.texts = [text.encode("utf-8", "surrogatepass") for text in texts]
        self.lengths = np.array(list(map(len, self.texts)), np.int64)
        self.heads = np.array(self.texts, f"S{_WIDTH}")
        # NumPy takes no notice of zeros at the end of bytes.
        self.odd = [row for row, one in enumerate(self.texts) if len(one) > _WIDTH or 0 in one]


class SortedTexts:
    """Distinct texts in the order of their code points, which is that of their bytes in UTF-8.

    Parameters
    ----------
    content, bounds
        Their bytes, one text after the other, and where each begins and the last ends.

    Examples
    --------
    >>> content = np.frombuffer(b"armauir", np.uint8)
    >>> SortedTexts(content, np.array([0, 4, 7])).find(Wanted(["uir", "cano"])).tolist()
    [1, -1]
    """

    def __init__(self, content: NDArray[np.uint8], bounds: NDArray[np.int64]) -> None:
        self._content, self._bounds = content, bounds
        self._lengths = np.diff(bounds)
        heads = np.zeros((len(self._lengths), _WIDTH), np.uint8)
        short = np.minimum(self._lengths, _WIDTH)
        row = np.repeat(np.arange(len(short)), short)
        column = np.arange(len(row)) - np.repeat(np.cumsum(short) - short, short)
        heads[row, column] = content[ranges(bounds[:-1], short)]
        self._heads: NDArray[np.bytes_] = heads.view(f"S{_WIDTH}").reshape(-1)

    def __len__(self) -> int:
        return len(self._lengths)

    def __getitem__(self, place: int) -> bytes:
        return self._content[self._bounds[place] : self._bounds[place + 1]].tobytes()

    def find(self, wanted: Wanted) -> NDArray[np.int64]:
        """Return the places of texts; -1 for those that are not there."""
        if not len(self):
            return np.full(len(wanted.texts), -1)
        place = np.minimum(np.searchsorted(self._heads, wanted.heads), len(self) - 1)
        fits = (self._heads[place] == wanted.heads) & (self._lengths[place] == wanted.lengths)
        found = np.where(fits, place, -1)
        for row in wanted.odd:
            found[row] = self._search(wanted.texts[row])
        return found

    def _search(self, text: bytes) -> int:
        texts: Any = self  # a sequence as far as bisect asks
        place = bisect_left(texts, text)
        return place if place < len(self) and self[place] == text else -1
