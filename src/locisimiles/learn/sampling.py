"""Training pairs: known references, and sampled negatives.

Negatives are drawn by one of the four strategies that the paper compares:

===========  =======================================================================
``rnd,rnd``  a random query and a random source
``qry,rnd``  the query of a reference, and a random source
``qry,sim``  the query of a reference, and a source that a retriever finds similar
``qry,mix``  half ``qry,rnd``, half ``qry,sim``
===========  =======================================================================
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from locisimiles.checks import check_at_least, check_choice
from locisimiles.errors import ParameterError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from locisimiles.benchmark.sets.references import References
    from locisimiles.candidates import Candidates

__all__ = ["RATIOS", "STRATEGIES", "Strategy", "TrainingPairs", "check_sampling", "sample_pairs"]

Strategy = Literal["qry,mix", "rnd,rnd", "qry,rnd", "qry,sim"]
STRATEGIES: tuple[Strategy, ...] = get_args(Strategy)
RATIOS = tuple(range(1, 11))
"""Negatives per positive in the paper's grid, 1:1 to 1:10."""


@dataclass(frozen=True, slots=True, eq=False)
class TrainingPairs:
    """Pairs of segments, as positions in the two documents; labels are 1 for references, else 0."""

    query: NDArray[np.int32]
    source: NDArray[np.int32]
    label: NDArray[np.int8]

    def __len__(self) -> int:
        return len(self.query)


def check_sampling(strategy: str, ratio: int) -> None:
    """Raise a ParameterError for an unknown strategy or a ratio below 1."""
    check_choice(STRATEGIES, strategy=strategy)
    check_at_least(1, ratio=ratio)


def sample_pairs(
    references: References,
    *,
    queries: NDArray[np.int32],
    sources: int,
    strategy: Strategy,
    ratio: int,
    seed: int = 42,
    similar: Candidates | None = None,
) -> TrainingPairs:
    """Return references, and `ratio` negatives for each; no pair comes twice.

    Parameters
    ----------
    references
        The positives.
    queries
        The positions of the query segments that ``rnd,rnd`` may draw, without those of a held-out
        fold.
    sources
        The number of source segments; any may be drawn.
    strategy, ratio, seed
        How negatives are drawn, and how many per reference.
    similar
        Candidates of the queries for ``qry,sim`` and ``qry,mix``. Negatives are drawn from all of
        them: the fewer there are, the harder the negatives.

    Raises
    ------
    ParameterError
        If there are not enough pairs to draw from.

    Examples
    --------
    >>> from locisimiles.benchmark.sets.references import References
    >>> references = References.from_columns([0, 1], [3, 4], label=[1, 2])
    >>> pairs = sample_pairs(
    ...     references, queries=np.arange(2), sources=50, strategy="qry,rnd", ratio=3
    ... )
    >>> pairs.query.tolist(), pairs.label.tolist()
    ([0, 1, 0, 0, 0, 1, 1, 1], [1, 1, 0, 0, 0, 0, 0, 0])
    """
    check_sampling(strategy, ratio)
    random = np.random.default_rng(seed)
    if strategy == "rnd,rnd":
        query, source = _random_pairs(references, queries, sources, ratio, random)
    else:
        if strategy != "qry,rnd" and similar is None:
            raise ParameterError("learn.no_similar_sources", strategy=strategy)
        query, source = _pairs_of_queries(references, sources, strategy, ratio, random, similar)
    return TrainingPairs(
        query=np.concatenate([references.query, query]).astype(np.int32),
        source=np.concatenate([references.source, source]).astype(np.int32),
        label=np.repeat(np.array([1, 0], np.int8), [len(references), len(query)]),
    )


_Columns = tuple["NDArray[np.int64]", "NDArray[np.int64]"]


def _random_pairs(
    references: References,
    queries: NDArray[np.int32],
    sources: int,
    ratio: int,
    random: np.random.Generator,
) -> _Columns:
    wanted = len(references) * ratio
    known = references.query.astype(np.int64) * sources + references.source
    room = len(queries) * sources - np.isin(references.query, queries).sum()
    if room < wanted:
        raise ParameterError("learn.too_few_pairs", pairs=int(room), wanted=wanted)
    drawn = np.empty(0, np.int64)
    while len(drawn) < wanted:
        more = random.choice(queries, wanted).astype(np.int64) * sources
        more += random.integers(sources, size=wanted)
        drawn = np.concatenate([drawn, more[~np.isin(more, known)]])
        # Of equal pairs, the first keeps its place.
        drawn = drawn[np.sort(np.unique(drawn, return_index=True)[1])]
    return drawn[:wanted] // sources, drawn[:wanted] % sources


def _pairs_of_queries(  # noqa: PLR0917 - a private step of one function
    references: References,
    sources: int,
    strategy: Strategy,
    ratio: int,
    random: np.random.Generator,
    similar: Candidates | None,
) -> _Columns:
    found_query, found_source = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    for query in references.queries.tolist():
        own = references.source[references.query == query]
        wanted = len(own) * ratio
        hard = {"qry,sim": wanted, "qry,mix": wanted // 2, "qry,rnd": 0}[strategy]
        drawn = np.empty(0, np.int64)
        if hard and similar is not None:
            near = np.setdiff1d(similar.source[similar.query == query], own)
            if len(near) < hard:
                raise ParameterError("learn.too_few_similar", similar=len(near), wanted=hard)
            drawn = random.choice(near, hard, replace=False).astype(np.int64)
        easy = _random_sources(sources, np.concatenate([own, drawn]), wanted - hard, random)
        found_source += [drawn, easy]
        found_query.append(np.full(wanted, query, np.int64))
    return np.concatenate(found_query), np.concatenate(found_source)


def _random_sources(
    sources: int, taken: NDArray[np.int64], wanted: int, random: np.random.Generator
) -> NDArray[np.int64]:
    if sources - len(taken) < wanted:
        raise ParameterError("learn.too_few_sources", sources=sources, wanted=wanted)
    # Draw from the sources that are not taken, numbered without gaps.
    drawn = random.choice(sources - len(taken), wanted, replace=False)
    for position in np.sort(taken).tolist():
        drawn[drawn >= position] += 1
    return drawn
