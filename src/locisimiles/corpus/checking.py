"""Checks that a program passed what we work with: segments, documents, names of files."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, cast

from locisimiles.corpus.segment import Segment
from locisimiles.errors import ParameterError
from locisimiles.files.raw import printable

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["check_segment", "check_texts", "input_name", "kind_of"]


def kind_of(value: object) -> str:
    """Return what a value is, as messages say it.

    Examples
    --------
    >>> kind_of(["arma"]), kind_of(None)
    ('list', 'None')
    """
    return "None" if value is None else type(value).__name__


def check_segment(segment: Segment) -> None:
    """Raise a ParameterError for what is no segment, or has an id or text that is none.

    Examples
    --------
    >>> check_segment("arma uirumque cano")
    Traceback (most recent call last):
    ...
    locisimiles.errors.ParameterError: 'arma uirumque cano' is not a Segment; pass segments, or
    texts to Document.from_texts()
    """
    if not isinstance(segment, Segment):
        raise ParameterError("corpus.not_a_segment", value=printable(repr(segment)))
    check_texts((segment.id, segment.text))


def check_texts(values: Iterable[object]) -> None:
    """Raise a ParameterError for an id or text that is no string."""
    for value in values:
        if not isinstance(value, str):
            raise ParameterError("corpus.not_a_text", value=printable(repr(value)))


def input_name(name: object) -> str:
    """Return the name of a file, a folder or a text, however it was given.

    Examples
    --------
    >>> input_name(b"letters.txt")
    'letters.txt'
    >>> input_name(None)
    Traceback (most recent call last):
    ...
    locisimiles.errors.ParameterError: None is not the name of an input; name a file, a folder or a
    text of the library; Document.from_texts() and Document.from_pandas() take what is in memory
    """
    if not isinstance(name, str | bytes | os.PathLike):
        raise ParameterError("corpus.not_an_input", kind=kind_of(name))
    return os.fsdecode(cast("str", name))
