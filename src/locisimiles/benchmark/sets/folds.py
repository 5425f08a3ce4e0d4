"""Folds in which all references of a query stay together."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.errors import ParameterError
from locisimiles.files.hashing import sha256_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from locisimiles.benchmark.sets.references import References

__all__ = ["query_folds", "shuffled_place"]

_FEWEST_FOLDS = 2
_MOST_FOLDS = 127


def shuffled_place(*parts: object) -> bytes:
    """Return a key that puts things in a random order which depends on nothing but the parts.

    Unlike random numbers it does not depend on the order in which things are asked for, nor on
    versions of a library.

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
    """Put the queries into folds with about the same number of references each.

    Queries with many references are placed first, each into the fold that has the fewest; those
    with equally many come in an order that the seed decides.

    Parameters
    ----------
    references
        The references, as positions.
    query_ids
        The id of the query at each position.
    n
        How many folds.
    seed
        Another seed gives other folds.

    Returns
    -------
    ndarray
        The fold of each reference.

    Raises
    ------
    ParameterError
        If there are fewer than two folds, or fewer queries with references than folds.

    Examples
    --------
    >>> from locisimiles.benchmark.sets.references import References
    >>> references = References.from_columns([0, 0, 1, 2], [0, 1, 0, 0], [1, 1, 1, 1])
    >>> query_folds(references, ["a", "b", "c"], 2).tolist()
    [0, 0, 1, 1]
    """
    counts = Counter(references.query.tolist())
    if not _FEWEST_FOLDS <= n <= _MOST_FOLDS:
        raise ParameterError(f"n={n} folds make no sense", hint="5 is usual")
    if len(counts) < n:
        raise ParameterError(
            f"there are {len(counts)} queries with references, too few for {n} folds"
        )
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
