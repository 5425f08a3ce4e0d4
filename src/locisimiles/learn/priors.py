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
# numbers of references.
_CHANCE_OF_AUTHOR, _MEAN_OF_AUTHOR = 5.0, 10.0
_CHANCE_OF_WORK, _MEAN_OF_WORK = 10.0, 20.0


class ReferenceCounts:
    """Who refers to which authors and works: what priors are learnt from.

    Parameters
    ----------
    works
        Authors and works of the source segments.
    authors
        The author of each query.
    sources
        The source segments each query refers to; a query counts once, however many they are.
    """

    def __init__(
        self, works: SourceWorks, authors: Sequence[str], sources: Sequence[NDArray[np.int64]]
    ) -> None:
        self._works = works
        self._authors = np.array(authors, dtype=object)
        self._by_author = _shares(works.author, len(works.authors), sources)
        self._by_work = _shares(works.work, len(works.works), sources)

    def priors(self, without: int | None = None) -> AuthorPriors:
        """Return the priors of all authors.

        Parameters
        ----------
        without
            A query whose own references must not count: for training on it.
        """
        used = np.ones(len(self._authors), bool)
        if without is not None:
            used[without] = False
        authors = set(self._authors[used].tolist()) - {""}
        if without is not None:
            authors &= {self._authors[without]}
        works = self._works
        return AuthorPriors(
            *(
                self._ratios(sorted(authors), used, *columns)
                for columns in (
                    (
                        self._by_author,
                        works.authors,
                        works.author,
                        _CHANCE_OF_AUTHOR,
                        _MEAN_OF_AUTHOR,
                    ),
                    (self._by_work, works.works, works.work, _CHANCE_OF_WORK, _MEAN_OF_WORK),
                )
            )
        )

    def _ratios(  # noqa: PLR0917 - a row of a table
        self,
        authors: Sequence[str],
        used: NDArray[np.bool_],
        shares: NDArray[np.float64],
        names: Sequence[str],
        number: NDArray[np.int64],
        chance: float,
        mean: float,
    ) -> dict[str, dict[str, float]]:
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
