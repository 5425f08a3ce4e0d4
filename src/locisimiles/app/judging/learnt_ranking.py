"""The results of a project as a correction needs them, and the ranking that it makes of them.

What the classifier said is never lost: while a learnt ranking is in force, it stands in the columns
``shipped`` and ``shipped_rank`` of each result, and goes back from there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from locisimiles.classify.correction import RankedPairs
from locisimiles.errors import ParameterError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from locisimiles.app.storage.database import Connection

__all__ = ["StoredResults", "Verdicts", "put_ranking", "reset_ranking", "restore_shipped"]


class StoredResults(NamedTuple):
    """All results of a project, with what the classifier said of them.

    Attributes
    ----------
    row
        The number of each.
    rank
        Its shipped place among the candidates of its query.
    pairs
        What is known of it.
    shown
        Its probability as it is now, shipped or learnt.
    key
        The ids of its segments.
    """

    row: NDArray[np.int64]
    rank: NDArray[np.int64]
    pairs: RankedPairs
    shown: NDArray[np.float64]
    key: list[tuple[str, str]]

    @classmethod
    def read(cls, connection: Connection) -> StoredResults:
        """Read them.

        Raises
        ------
        ParameterError
            If there are none, or no classifier has judged them.
        """
        rows = connection.execute(
            "SELECT row, query, COALESCE(shipped_rank, rank), COALESCE(shipped, probability), "
            "source_author, source_work, probability, query_id, source_id FROM result ORDER BY row"
        ).fetchall()
        if not rows:
            raise ParameterError("nothing was found yet", hint="search first")
        columns = zip(*map(tuple, rows), strict=True)
        row, query, rank, probability, author, work, shown, *ids = columns
        if any(one is None for one in probability):
            raise ParameterError(
                "a ranking can only be learnt where there are probabilities",
                hint="search with the default method",
            )
        return cls(
            np.array(row, np.int64),
            np.array(rank, np.int64),
            RankedPairs(np.array(query, np.int64), np.array(probability, np.float64), author, work),
            np.array(shown, np.float64),
            list(zip(*ids, strict=True)),
        )


class Verdicts(NamedTuple):
    """What readers think of the results, as far as it can be learnt from.

    Attributes
    ----------
    rows
        Which results were judged, as positions in `StoredResults`.
    label
        Whether most readers accept each.
    left_out
        How many pairs were judged, but readers are unsure, or as many for it as against it.
    elsewhere
        How many pairs were judged that are not among the results.
    """

    rows: NDArray[np.int64]
    label: NDArray[np.bool_]
    left_out: int
    elsewhere: int

    @classmethod
    def read(cls, connection: Connection, key: list[tuple[str, str]]) -> Verdicts:
        """Read what all readers have decided."""
        votes: dict[tuple[str, str], int] = {}
        for query_id, source_id, verdict in connection.execute(
            "SELECT query_id, source_id, verdict FROM judgement WHERE verdict IS NOT NULL"
        ).fetchall():
            vote = {"cit.": 1, "cf.": 1, "reject": -1}.get(verdict, 0)
            votes[query_id, source_id] = votes.get((query_id, source_id), 0) + vote
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
    """Put other probabilities, and the ranks that follow from them, in the place of the shipped."""
    query = results.pairs.query
    order = np.lexsort((results.rank, -probability, query))
    begins = np.searchsorted(query[order], query[order])
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order)) - begins + 1
    _free_ranks(connection)
    connection.executemany(
        "UPDATE result SET shipped = COALESCE(shipped, probability), shipped_rank = ?, "
        "probability = ?, rank = ? WHERE row = ?",
        list(zip(results.rank.tolist(), probability.tolist(), rank.tolist(), results.row.tolist(),
                 strict=True)),
    )  # fmt: skip


def restore_shipped(connection: Connection) -> None:
    """Put back what the classifier said, exactly."""
    _free_ranks(connection)
    connection.execute(
        "UPDATE result SET probability = COALESCE(shipped, probability), "
        "rank = COALESCE(shipped_rank, -rank), shipped = NULL, shipped_rank = NULL"
    )


def reset_ranking(connection: Connection) -> None:
    """End a learnt ranking, if there is one, since results will come that it does not know."""
    ended = connection.execute("UPDATE learning SET state = 'reset' WHERE state = 'applied'")
    if ended.rowcount:
        restore_shipped(connection)


def _free_ranks(connection: Connection) -> None:
    """Take all ranks out of the way: no two of a query may be equal, not even for a moment."""
    connection.execute("UPDATE result SET rank = -rank")
