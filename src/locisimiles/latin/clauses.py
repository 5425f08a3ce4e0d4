"""Number the clauses of many texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from locisimiles.latin.tokens import TokenTable

__all__ = ["HARD_STOPS", "clause_numbers"]

HARD_STOPS = ".;:!?"
"""Signs that end a clause."""


def clause_numbers(
    texts: Sequence[str], table: TokenTable, ends: str = HARD_STOPS
) -> NDArray[np.int64]:
    """Return the clause of each token, numbered across all texts.

    `ends` are the signs that end a clause. The stop of an abbreviation is part of its token and
    does not end a clause.

    Examples
    --------
    >>> from locisimiles.latin import tokenize_all
    >>> texts = ["arma cano. Troiae", "qui"]
    >>> clause_numbers(texts, tokenize_all(texts)).tolist()
    [0, 0, 1, 2]
    """
    if not len(table):
        return np.empty(0, np.int64)
    segment = np.repeat(np.arange(len(texts)), np.diff(table.bounds))
    codes = np.frombuffer("\n".join(texts).encode("utf-32-le", "surrogatepass"), np.uint32)
    is_end = np.zeros(len(codes), np.bool_)
    for sign in ends:
        is_end |= codes == ord(sign)
    before = np.concatenate([[0], np.cumsum(is_end)])
    lengths = np.fromiter(map(len, texts), np.int64, len(texts))
    begin = (np.cumsum(lengths + 1) - lengths - 1)[segment]
    start, end = table.start + begin, table.end + begin
    inside = before[end] - before[start]
    passed = before[start] - np.concatenate([[0], np.cumsum(inside)[:-1]])
    is_new = (np.diff(passed) != 0) | (np.diff(segment) != 0)
    return np.concatenate([[0], np.cumsum(is_new)])
