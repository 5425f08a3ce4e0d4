"""Values that a project stores as JSON or in a notation of ours, read as input."""

from __future__ import annotations

import json
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from locisimiles.errors import InputError, LocisimilesError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["load_alignment", "stored_value"]

_PLACES = 4  # start and end in the query and in the source


@contextmanager
def stored_value(name: str) -> Iterator[None]:
    """Raise an InputError where a stored value is not in the form in which we write it.

    Examples
    --------
    >>> with stored_value("meta"):
    ...     json.loads("{")
    Traceback (most recent call last):
    ...
    locisimiles.errors.InputError: the project is damaged (meta)...
    """
    try:
        yield
    except LocisimilesError:
        raise
    except (AttributeError, LookupError, TypeError, ValueError, RecursionError) as error:
        raise InputError("app.project_damaged", reason=name) from error


def load_alignment(stored: str) -> list[list[Any]]:
    """Return the words that answer each other, as a result stores them.

    Examples
    --------
    >>> load_alignment('[[0, 4, 5, 9, "form"]]')
    [[0, 4, 5, 9, 'form']]
    """
    with stored_value("alignment"):
        words: list[list[Any]] = json.loads(stored)
        for word in words:
            *places, bond = word
            if len(places) != _PLACES or not isinstance(bond, str):
                raise ValueError(stored)
            if any(type(place) is not int or place < 0 for place in places):
                raise TypeError(stored)
    return words
