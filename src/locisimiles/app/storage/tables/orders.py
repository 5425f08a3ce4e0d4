"""Orders of results, as SQL."""

from __future__ import annotations

from locisimiles.checks import check_choice

__all__ = ["ORDERS", "order_sql"]

ORDERS = {
    "reading": "result.query {up}, result.rank {up}",
    "unjudged": "mine.verdict IS NOT NULL {up}, result.query {up}, result.rank {up}",
    "informative": "mine.verdict IS NOT NULL {up}, ABS(result.probability - 0.5) {rising}, "
    "result.row {up}",
    "score": "result.score {down}, result.row {up}",
    "probability": "result.probability {falling}, result.row {up}",
    "rank": "result.rank {up}, result.row {up}",
    "rarity": "result.rarity IS NULL {up}, result.rarity {up}, result.row {up}",
    "query_id": "result.query {up}, result.rank {up}",
    "source_id": "result.source {up}, result.row {up}",
    "query_author": "result.query_author {up}, result.row {up}",
    "query_work": "result.query_work {up}, result.row {up}",
    "source_author": "result.source_author {up}, result.source_work {up}, result.row {up}",
    "source_work": "result.source_work {up}, result.row {up}",
    "type": "result.type {rising}, result.row {up}",
    "verdict": "mine.verdict {rising}, result.row {up}",
    "shared": "result.shared {up}, result.row {up}",
}
"""The orders of results, the most promising or the first in the text first.

Columns that are never null use `up` and `down`, the others `rising` and `falling`."""


def order_sql(order: str, *, backwards: bool = False) -> str:
    """Return the columns to order by.

    Raises
    ------
    ParameterError
        If the order is unknown.

    Examples
    --------
    >>> order_sql("score", backwards=True)
    'result.score ASC, result.row DESC'
    """
    check_choice(ORDERS, order=order)
    up, down = ("DESC", "ASC") if backwards else ("ASC", "DESC")
    # Null comes before every value in both databases.
    nulls = {"ASC": "ASC NULLS FIRST", "DESC": "DESC NULLS LAST"}
    return ORDERS[order].format(up=up, down=down, rising=nulls[up], falling=nulls[down])
