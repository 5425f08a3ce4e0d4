"""Results and verdicts as arrays to learn from, and the ranking that follows from a correction."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from locisimiles.app.storage.tables.judgements import read_decisions, read_judgements
from locisimiles.app.storage.tables.rankings import put_ranks, ranked_results
from locisimiles.classify.correction import RankedPairs
from locisimiles.errors import ParameterError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from locisimiles.app.storage.database import Connection

__all__ = ["MajorityVerdicts", "StoredResults", "put_ranking"]

_VOTES = {"cit.": 1, "cf.": 1, "reject": -1}


class StoredResults(NamedTuple):
    """All results of a search, with ranks and probabilities of the shipped classifier."""

    search: int
    row: NDArray[np.int64]
    rank: NDArray[np.int64]
    pairs: RankedPairs
    shown: NDArray[np.float64]  # probabilities as they are now, shipped or learnt
    counts: NDArray[np.bool_]  # of parallel sources, the best one
    key: list[tuple[str, str]]  # ids of the segments

    @classmethod
    def read(cls, connection: Connection, search: int) -> StoredResults:
        """Read results that a classifier has judged."""
        rows = ranked_results(connection, search)
        if not rows:
            raise ParameterError("app.no_results")
        columns = zip(*map(tuple, rows), strict=True)
        row, query, rank, probability, author, work, shown, parallel_to, *ids = columns
        if any(one is None for one in probability):
            raise ParameterError("app.no_probabilities")
        return cls(
            search,
            np.array(row, np.int64),
            np.array(rank, np.int64),
            RankedPairs(np.array(query, np.int64), np.array(probability, np.float64), author, work),
            np.array(shown, np.float64),
            np.array([not one for one in parallel_to], np.bool_),
            list(zip(*ids, strict=True)),
        )


class MajorityVerdicts(NamedTuple):
    """What the majority of readers decided, unless there is a decision between them."""

    rows: NDArray[np.int64]  # judged results, as positions in `StoredResults`
    label: NDArray[np.bool_]  # whether they are accepted
    left_out: int  # judged pairs without a majority, or where readers are unsure
    elsewhere: int  # judged pairs that are not among the results

    @classmethod
    def read(cls, connection: Connection, key: list[tuple[str, str]]) -> MajorityVerdicts:
        """Read the verdicts of all readers."""
        votes: dict[tuple[str, str], int] = defaultdict(int)
        for one in read_judgements(connection):
            if one.verdict is not None:
                votes[one.query_id, one.source_id] += _VOTES.get(one.verdict, 0)
        for one in read_decisions(connection):
            if one.verdict is not None:
                votes[one.query_id, one.source_id] = _VOTES.get(one.verdict, 0)
        place = {pair: at for at, pair in enumerate(key)}
        found = sorted((place[pair], vote) for pair, vote in votes.items() if pair in place)
        definite = [(at, vote > 0) for at, vote in found if vote]
        return cls(
            np.array([at for at, _ in definite], np.int64),
            np.array([accepted for _, accepted in definite], np.bool_),
            len(found) - len(definite),
            len(votes) - len(found),
        )


def put_ranking(
    connection: Connection, results: StoredResults, probability: NDArray[np.float64]
) -> None:
    """Replace the probabilities, and the ranks by those that follow from them."""
    query = results.pairs.query
    order = np.lexsort((results.rank, -probability, query))
    begins = np.searchsorted(query[order], query[order])
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order)) - begins + 1
    columns = (results.rank, probability, rank, results.row)
    put_ranks(
        connection, results.search, zip(*(column.tolist() for column in columns), strict=True)
    )
