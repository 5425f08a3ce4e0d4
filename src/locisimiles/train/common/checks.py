"""Checks of settings, beside those of `locisimiles.checks`."""

from __future__ import annotations

import math

from locisimiles.errors import ParameterError

__all__ = ["check_positive", "check_share"]


def check_positive(**values: float) -> None:
    """Raise a ParameterError for a value that is no positive number.

    Examples
    --------
    >>> check_positive(rate=0.0)
    Traceback (most recent call last):
    ...
    locisimiles.errors.ParameterError: rate must be positive (got 0.0)
    """
    for name, value in values.items():
        if not 0 < value < math.inf:
            raise ParameterError("train.not_positive", name=name, value=str(value))


def check_share(**values: float) -> None:
    """Raise a ParameterError for a value below 0, or of 1 and more."""
    for name, value in values.items():
        if not 0 <= value < 1:
            raise ParameterError("train.not_a_share", name=name, value=str(value))
