"""Verbatim reference or allusion: the rule by which the benchmark was labelled.

An established reference is *cit.* if at least two of its lemmas match, stand close together (at
most two words between them, function words not counted) and no hard stop parts them, on both
sides; otherwise it is *cf.* Whether a pair is a reference at all, the rule does not say.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from locisimiles.classify.comparison import ComparableTexts
from locisimiles.classify.labels import Label
from locisimiles.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["reference_type", "reference_types"]


def reference_type(query: str, source: str) -> Label:
    """Return what a reference is by rule, given that it is one.

    Examples
    --------
    >>> reference_type("Haesit uox faucibus.", "et vox faucibus haesit")
    <Label.CIT: 1>
    >>> reference_type("Haesit. Quid? Vox faucibus", "et uox mihi. haesit")
    <Label.CF: 2>
    """
    return Label(int(reference_types([query], [source])[0]))


def reference_types(queries: Sequence[str], sources: Sequence[str]) -> NDArray[np.uint8]:
    """Return what references are by rule, pair by pair.

    Raises
    ------
    ParameterError
        If there are not as many sources as queries.
    """
    if len(queries) != len(sources):
        raise ParameterError(f"{len(queries)} queries and {len(sources)} sources are no pairs")
    texts = ComparableTexts([*queries, *sources])
    asked, others = texts.rows(queries), texts.rows(sources)
    types = np.full(len(queries), Label.CF, np.uint8)
    order = np.argsort(asked, kind="stable")
    for rows in _groups(asked, order):
        pairs = texts.compare(int(asked[rows[0]]), others[rows]).pairs
        types[rows[np.unique(pairs.text[pairs.close & pairs.in_one_clause])]] = Label.CIT
    return types


def _groups(asked: NDArray[np.int64], order: NDArray[np.int64]) -> list[NDArray[Any]]:
    """Return the pairs of each query."""
    if not len(order):
        return []
    return np.split(order, np.flatnonzero(np.diff(asked[order])) + 1)
