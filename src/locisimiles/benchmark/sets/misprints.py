"""Numbers of chapters and verses that are easily taken for each other in print."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["easily_confused"]

_MOST = 200  # no psalm has a higher number, and no chapter more verses
_SIGNS = (
    (100, "C"), (90, "XC"), (50, "L"), (40, "XL"),
    (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
)  # fmt: skip
_TWO_DIGITS = 10


def easily_confused(one: NDArray[np.str_], other: NDArray[np.str_]) -> NDArray[np.bool_]:
    """Tell which numbers differ by one, or in one sign as Roman or Arabic numerals.

    Numbers of one digit differ in one sign from any other, so their digits do not count. Psalms are
    one off wherever the Hebrew numbers were meant.

    Examples
    --------
    >>> one, other = np.array(["6", "14", "49", "5"]), np.array(["26", "19", "2", "9"])
    >>> easily_confused(one, other).tolist()
    [True, True, False, False]
    """
    table = _table()
    left, right = _numbers(one), _numbers(other)
    known = (left > 0) & (right > 0)
    result: NDArray[np.bool_] = known & table[left, right]
    return result


def _numbers(texts: NDArray[np.str_]) -> NDArray[np.int64]:
    return np.array(
        [
            int(text) if text.isascii() and text.isdigit() and int(text) <= _MOST else 0
            for text in texts.tolist()
        ],
        np.int64,
    )


@cache
def _table() -> NDArray[np.bool_]:
    roman = [_roman(number) for number in range(_MOST + 1)]
    table = np.zeros((_MOST + 1, _MOST + 1), np.bool_)
    for low in range(1, _MOST + 1):
        for high in range(low + 1, _MOST + 1):
            table[low, high] = table[high, low] = (
                high - low == 1
                or (high >= _TWO_DIGITS and _one_sign(str(low), str(high)))
                or _one_sign(roman[low], roman[high])
            )
    return table


def _roman(number: int) -> str:
    signs = ""
    for value, sign in _SIGNS:
        signs += sign * (number // value)
        number %= value
    return signs


def _one_sign(one: str, other: str) -> bool:
    """Tell whether one sign was left out, put in, or replaced."""
    if len(one) == len(other):
        return sum(a != b for a, b in zip(one, other, strict=True)) == 1
    short, long = sorted((one, other), key=len)
    return len(long) - len(short) == 1 and any(
        long[:at] + long[at + 1 :] == short for at in range(len(long))
    )
