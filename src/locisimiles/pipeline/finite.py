"""Scores and probabilities must be numbers: a damaged model gives others, and no error."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from locisimiles.errors import MalformedInputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["check_finite"]


def check_finite(numbers: NDArray[np.floating], part: object) -> None:
    """Raise a MalformedInputError if a model has given something that is no number.

    Parameters
    ----------
    numbers
        What it has given.
    part
        The retriever or classifier, as `parameters` describes it.

    Examples
    --------
    >>> check_finite(np.array([0.5, np.nan]), "ensemble")
    Traceback (most recent call last):
    ...
    locisimiles.errors.MalformedInputError: the model gives values that are no numbers (ensemble)...
    """
    if not np.isfinite(numbers).all():
        raise MalformedInputError("pipeline.no_numbers", part=str(part))
