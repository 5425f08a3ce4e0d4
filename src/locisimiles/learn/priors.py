"""Learn author priors from known references."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from locisimiles.retrieve.combined.priors import AuthorPriors

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from locisimiles.retrieve.combined.priors import SourceWorks

__all__ = ["ReferenceCounts"]

# The weight of chance in the mean of all authors, and of that mean in an author's own priors, as
# numbers of references; for cited authors and works.
_WEIGHT_OF_CHANCE, _WEIGHT_OF_MEAN = (5.0, 10.0), (10.0, 20.0)


class ReferenceCounts:
    """Who refers to which authors and works: what priors are learnt from.

    `authors` has the author of each query, `sources` the source segments it refers to. Each query
    counts once, however many references it has.
    """

    def __init__(
        self, works: SourceWorks, authors: Sequence[str], sources: Sequence[NDArray[np.int64]]
    ) -> None:
        self._authors = np.array(authors, dtype=object)
        self._names = (works.authors, works.author), (works.works, works.work)
        self._shares = [_shares(number, len(names), sources) for names, number in self._names]

    def priors(self, without: int | None = None) -> AuthorPriors:
        """Return the priors of all authors; to train on a query, those `without` its references."""
        used = np.ones(len(self._authors), bool)
        if without is not None:
            used[without] = False
        authors = set(self._authors[used].tolist()) - {""}
        if without is not None:
            authors &= {self._authors[without]}
        return AuthorPriors(
            *(self._ratios(sorted(authors), used, kind) for kind in range(len(self._names)))
        )

    def _ratios(
        self, authors: Sequence[str], used: NDArray[np.bool_], kind: int
    ) -> dict[str, dict[str, float]]:
        (names, number), shares = self._names[kind], self._shares[kind]
        chance, mean = _WEIGHT_OF_CHANCE[kind], _WEIGHT_OF_MEAN[kind]
        size = np.bincount(number, minlength=len(names)) / max(len(number), 1)
        everyone = shares[used].sum(axis=0)
        common = (everyone + chance * size) / (everyone.sum() + chance)
        tables = {}
        for author in authors:
            own = shares[used & (self._authors == author)].sum(axis=0)
            likely = (own + mean * common) / (own.sum() + mean)
            ratio = np.log(likely / np.maximum(size, 1e-12))
            tables[author] = dict(zip(names, ratio.round(4).tolist(), strict=True))
        return tables


def _shares(
    number: NDArray[np.int64], size: int, sources: Sequence[NDArray[np.int64]]
) -> NDArray[np.float64]:
    """Return how the references of each query are distributed over names."""
    shares = np.zeros((len(sources), size))
    for row, segments in enumerate(sources):
        shares[row] = np.bincount(number[segments], minlength=size) / max(len(segments), 1)
    return shares
