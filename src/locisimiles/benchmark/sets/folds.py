"""Folds that keep all references of a query together."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.checks import check_between
from locisimiles.errors import ParameterError
from locisimiles.files.hashing import sha256_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from locisimiles.benchmark.sets.references import References

__all__ = ["query_folds", "shuffled_place"]

_FEWEST_FOLDS, _MOST_FOLDS = 2, 127


def shuffled_place(*parts: object) -> bytes:
    """Return a sort key for a random order that depends only on the parts.

    Unlike random numbers, it depends neither on the order of calls nor on the version of a library.

    Examples
    --------
    >>> sorted("abcd", key=lambda name: shuffled_place(2, name))
    ['c', 'd', 'a', 'b']
    >>> sorted("abcd", key=lambda name: shuffled_place(3, name))
    ['c', 'a', 'd', 'b']
    """
    return bytes.fromhex(sha256_of("\0".join(map(str, parts))))


def query_folds(
    references: References, query_ids: Sequence[str], n: int, *, seed: int = 0
) -> NDArray[np.int8]:
    """Return the fold of each reference, with about the same number of references in each fold.

    Queries with many references are placed first, each into the fold that has the fewest; the seed
    decides the order of those with equally many. `query_ids` are the ids of the query document. A
    ParameterError is raised if there are fewer than two folds, or fewer queries than folds.

    Examples
    --------
    >>> from locisimiles.benchmark.sets.references import References
    >>> references = References.from_columns([0, 0, 1, 2], [0, 1, 0, 0], [1, 1, 1, 1])
    >>> query_folds(references, ["a", "b", "c"], 2).tolist()
    [0, 0, 1, 1]
    """
    counts = Counter(references.query.tolist())
    check_between(_FEWEST_FOLDS, _MOST_FOLDS, n=n)
    if len(counts) < n:
        raise ParameterError("benchmark.too_few_queries", queries=len(counts), folds=n)
    order = sorted(
        counts,
        key=lambda query: (-counts[query], shuffled_place("fold", seed, query_ids[query])),
    )
    pairs, members = [0] * n, [0] * n
    fold_of = {}
    for query in order:
        fold = min(range(n), key=lambda fold: (pairs[fold], members[fold], fold))
        fold_of[query] = fold
        pairs[fold] += counts[query]
        members[fold] += 1
    return np.array([fold_of[query] for query in references.query.tolist()], np.int8)
