"""Checks of parameters: each raises a ParameterError that names the parameter and its value."""

from __future__ import annotations

import math
import re
from numbers import Integral, Real
from typing import TYPE_CHECKING

from locisimiles.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sized
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "check_at_least",
    "check_between",
    "check_choice",
    "check_equal_lengths",
    "check_has",
    "check_number",
    "check_pairs",
    "check_positive",
    "check_whole",
    "checked_row",
    "parse_share",
    "size_in_bytes",
]

_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([kmgt]?)i?b?", re.IGNORECASE | re.ASCII)


def check_number(**values: object) -> None:
    """Raise a ParameterError for a value that is no number; None is not checked.

    Examples
    --------
    >>> check_number(score="12")
    Traceback (most recent call last):
    ...
    locisimiles.errors.ParameterError: score must be a number (got '12')
    """
    for name, value in values.items():
        number = isinstance(value, Real) and not isinstance(value, bool)
        if value is not None and not number:
            raise ParameterError("checks.not_a_number", name=name, value=repr(value))


def check_at_least(least: int, **values: float | None) -> None:
    """Raise a ParameterError for a value below `least`; None is not checked.

    Examples
    --------
    >>> check_at_least(1, k=0)
    Traceback (most recent call last):
    ...
    locisimiles.errors.ParameterError: k must be at least 1 (got 0)
    """
    check_number(**values)
    for name, value in values.items():
        if value == math.inf:
            raise ParameterError("checks.infinite", name=name)
        if value is not None and not least <= value:
            raise ParameterError("checks.too_small", name=name, value=str(value), least=least)


def check_positive(**values: float) -> None:
    """Raise a ParameterError for a value that is not positive and finite.

    Examples
    --------
    >>> check_positive(power=0)
    Traceback (most recent call last):
    ...
    locisimiles.errors.ParameterError: power must be a positive number (got 0)
    """
    check_number(**values)
    for name, value in values.items():
        if not 0 < value < math.inf:
            raise ParameterError("checks.not_positive", name=name, value=str(value))


def check_between(low: float, high: float, **values: float | None) -> None:
    """Raise a ParameterError for a value outside `low` to `high`; None is not checked.

    Examples
    --------
    >>> check_between(0, 1, b=1.5)
    Traceback (most recent call last):
    ...
    locisimiles.errors.ParameterError: b must be between 0 and 1 (got 1.5)
    """
    check_number(**values)
    for name, value in values.items():
        if value is not None and not low <= value <= high:
            raise ParameterError(
                "checks.out_of_range", name=name, value=str(value), low=str(low), high=str(high)
            )


def parse_share(text: str) -> float:
    """Return a share between 0 and 1, which may be written in percent.

    Examples
    --------
    >>> parse_share("0.5"), parse_share("50%"), parse_share("0,5")
    (0.5, 0.5, 0.5)
    >>> parse_share("50")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    locisimiles.errors.ParameterError: '50' is no share between 0 and 1; for 50 in a hundred, ...
    """
    plain = text.strip().replace(",", ".")
    try:
        share = float(plain.removesuffix("%")) / (100 if plain.endswith("%") else 1)
    except ValueError:
        share = math.nan
    if 0 <= share <= 1:
        return share
    if 1 < share <= 100 and not plain.endswith("%"):  # noqa: PLR2004 - percent
        raise ParameterError("checks.of_a_hundred", value=f"{share:g}", share=f"{share / 100:g}")
    raise ParameterError("checks.no_share", value=text)


def check_whole(**values: object) -> None:
    """Raise a ParameterError for a value that is not an integer; None is not checked.

    Examples
    --------
    >>> check_whole(window=2.5)
    Traceback (most recent call last):
    ...
    locisimiles.errors.ParameterError: window must be a whole number (got 2.5)
    """
    for name, value in values.items():
        whole = isinstance(value, Integral) and not isinstance(value, bool)
        if value is not None and not whole:
            raise ParameterError("checks.not_whole", name=name, value=str(value))


def check_choice(choices: Iterable[str], **values: object) -> None:
    """Raise a ParameterError for a value that is not one of the choices.

    Examples
    --------
    >>> check_choice(["qrels", "run"], kind="runs")
    Traceback (most recent call last):
    ...
    locisimiles.errors.ParameterError: unknown kind 'runs'; choose one of qrels, run
    """
    known = list(choices)
    for name, value in values.items():
        if value not in known:
            raise ParameterError(
                "checks.unknown_choice", name=name, value=str(value), choices=", ".join(known)
            )


def check_has(name: str, value: object, *methods: str) -> None:
    """Raise a ParameterError for a value without some of these methods, or for a class.

    Examples
    --------
    >>> check_has("retriever", 3, "index")
    Traceback (most recent call last):
    ...
    locisimiles.errors.ParameterError: 3 is neither the name of a retriever nor one; give a name, or
    an object with the methods index
    """
    if isinstance(value, type):
        raise ParameterError("checks.a_class", value=value.__name__)
    if not all(callable(getattr(value, method, None)) for method in methods):
        shown = ", ".join(methods)
        raise ParameterError("checks.lacks_methods", name=name, value=repr(value), methods=shown)


def check_equal_lengths(**columns: Sized) -> None:
    """Raise a ParameterError if the columns differ in length.

    Examples
    --------
    >>> check_equal_lengths(query=[1, 2], source=[3])
    Traceback (most recent call last):
    ...
    locisimiles.errors.ParameterError: query and source must have equal length (2 and 1)
    """
    (first, expected), *others = ((name, len(column)) for name, column in columns.items())
    for name, length in others:
        if length != expected:
            raise ParameterError(
                "checks.unequal_lengths",
                first=first,
                second=name,
                first_length=expected,
                second_length=length,
            )


def checked_row(row: object, size: int, what: str) -> int:
    """Return a row, counted from the end if negative; raise an IndexError beyond `size`.

    Examples
    --------
    >>> checked_row(-1, 3, "pairs")
    2
    >>> checked_row(3, 3, "pairs")
    Traceback (most recent call last):
    ...
    IndexError: there is no row 3: there are 3 pairs
    """
    if isinstance(row, bool) or not isinstance(row, Integral):
        raise ParameterError("checks.not_a_row", value=repr(row))
    number = int(row)
    if not -size <= number < size:
        raise IndexError(f"there is no row {number}: there are {size} {what}")
    return number % size


def size_in_bytes(name: str, size: str) -> int:
    """Return a size in bytes that was given as a number and a unit.

    Raise a ParameterError that names it if it is none.

    Examples
    --------
    >>> size_in_bytes("memory", "1.5 GB"), size_in_bytes("memory", "800m")
    (1500000000, 800000000)
    >>> size_in_bytes("memory", "much")
    Traceback (most recent call last):
    ...
    locisimiles.errors.ParameterError: memory is much, not a size; give a number and a unit, such as
    800 MB or 5 GB
    """
    number = _SIZE.fullmatch(size.strip())
    if number is None:
        raise ParameterError("checks.no_size", name=name, value=size)
    return int(float(number[1]) * _UNITS[number[2].lower()])


def check_pairs(
    query: NDArray[np.integer[Any]], source: NDArray[np.integer[Any]], queries: int, sources: int
) -> None:
    """Raise a ParameterError if pairs are not positions in documents of these sizes."""
    check_equal_lengths(query=query, source=source)
    for side, column, size in (("query", query, queries), ("source", source, sources)):
        if len(column) and not 0 <= column.min() <= column.max() < size:
            raise ParameterError("checks.pair_outside", side=side, size=size)
