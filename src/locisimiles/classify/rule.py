"""Verbatim reference or allusion: the rule by which the benchmark was labelled.

A reference is *cit.* if at least two lemmas match, stand close together (at most two words between
them, stop words not counted) and are not separated by a hard stop, on both sides; otherwise it is
*cf.* The rule does not say whether a pair is a reference at all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from locisimiles.checks import check_equal_lengths
from locisimiles.classify.comparison import ComparableTexts
from locisimiles.classify.labels import Label
from locisimiles.index import TextPart

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["reference_type", "reference_types"]


def reference_type(query: str, source: str) -> Label:
    """Return the type of a reference by rule, given that the pair is one.

    Examples
    --------
    >>> reference_type("Haesit uox faucibus.", "et vox faucibus haesit")
    <Label.CIT: 1>
    >>> reference_type("Haesit. Quid? Vox faucibus", "et uox mihi. haesit")
    <Label.CF: 2>
    """
    return Label(int(reference_types([query], [source])[0]))


def reference_types(queries: Sequence[str], sources: Sequence[str]) -> NDArray[np.uint8]:
    """Return the types of references by rule, pair by pair.

    Raises
    ------
    ParameterError
        If there are not as many sources as queries.
    """
    check_equal_lengths(query=queries, source=sources)
    types = np.full(len(queries), Label.CF, np.uint8)
    pairs_of: dict[str, list[int]] = {}
    for row, text in enumerate(queries):
        pairs_of.setdefault(text, []).append(row)
    texts = ComparableTexts(TextPart.of([*pairs_of, *sources]))
    for query, own in enumerate(pairs_of.values()):
        rows = np.array(own, np.int64)
        pairs = texts.compare(query, len(pairs_of) + rows).pairs
        types[rows[np.unique(pairs.text[pairs.close & pairs.in_one_clause])]] = Label.CIT
    return types
