"""What DuckDB does differently, and how statements find what lies in a file of pairs."""

from __future__ import annotations

import re
from functools import lru_cache

__all__ = ["adapt_to_pairs", "asks_for_pairs", "place_of"]

# Which search has results is asked of the project, under another name.
_ASKS_FOR_PAIRS = re.compile(r"\b(?:FROM|JOIN) result\b(?! stored\b)")
# Judgements and decisions know the row of their pair, so that no ids of millions are compared.
_PAIR_OF_JUDGED = (
    " AND judged.search IN (SELECT number FROM search)"
    " AND judged.query_id = said.query_id AND judged.source_id = said.source_id"
)
_IDS = "(result.query_id, result.source_id)"
_PARALLELS = (
    "(SELECT COUNT(*) FROM result beneath WHERE beneath.search = result.search "
    "AND beneath.query = result.query AND beneath.parallel_to = result.source_id)"
)
_SAME = {
    "SELECT judged.row FROM judgement said CROSS JOIN result judged WHERE": (
        "SELECT said.row FROM judgement said WHERE"
    ),
    _PAIR_OF_JUDGED: "",
    "ON mine.query_id = result.query_id AND mine.source_id = result.source_id": (
        "ON mine.row = result.row"
    ),
    "ON decided.query_id = result.query_id AND decided.source_id = result.source_id": (
        "ON decided.row = result.row"
    ),
    f"{_IDS} IN (SELECT query_id, source_id": "result.row IN (SELECT row",
    f"{_IDS} NOT IN (SELECT query_id, source_id": "result.row NOT IN (SELECT row",
    "GROUP BY query_id, source_id HAVING": "GROUP BY row HAVING",
    _PARALLELS: "0",  # a compact file has no groups of parallel sources
    "SELECT value FROM json_each(?)": "SELECT UNNEST(CAST(CAST(? AS JSON) AS BIGINT[]))",
}
# SQLite cuts off what follows the point, DuckDB would round; whole numbers have whole quotients.
_CUT = re.compile(r"CAST\(((?:(?!CAST\().)+?) AS INTEGER\)")
_QUOTIENT = re.compile(r"\b((?:result\.)?(?:query|source)(?: \* \d+)?) / (\d+)")
_KEY = re.compile(r"^\+?(.+?)(?: \|\| '')? (ASC|DESC)$")
_ORDERED = {
    ("result.query ASC", "result.rank ASC"): "row",
    ("result.row ASC",): "row",
    ("result.shared ASC", "result.row ASC"): "row",
    ("result.rarity ASC", "result.row ASC"): "row",
    ("result.score DESC", "result.row ASC"): "by_score",
    ("result.probability DESC", "result.row ASC"): "by_probability",
    ("ABS(result.probability - 0.5) ASC", "result.row ASC"): "by_doubt",
    ("result.rank ASC", "result.row ASC"): "by_rank",
    ("result.source ASC", "result.row ASC"): "by_source",
    ("result.type ASC", "result.row ASC"): "by_type",
    ("result.query_author ASC", "result.row ASC"): "by_query_author",
    ("result.query_work ASC", "result.row ASC"): "by_query_work",
    ("result.source_author ASC", "result.source_work ASC", "result.row ASC"): "by_source_author",
    ("result.source_work ASC", "result.row ASC"): "by_source_work",
}
_TURNED = {"ASC": "DESC", "DESC": "ASC"}


def asks_for_pairs(sql: str) -> bool:
    """Tell whether a statement reads results; all others are for the tables of the project.

    Examples
    --------
    >>> asks_for_pairs("SELECT COUNT(*) FROM result WHERE 1 = 1")
    True
    >>> asks_for_pairs("SELECT text FROM segment")
    False
    """
    return _ASKS_FOR_PAIRS.search(sql) is not None


@lru_cache(maxsize=512)
def adapt_to_pairs(sql: str) -> str:
    """Return a statement as it is said to a file of pairs.

    Examples
    --------
    >>> adapt_to_pairs("SELECT CAST(result.score * 24 AS INTEGER), query * 5 / 99 FROM result")
    'SELECT TRUNC(result.score * 24), query * 5 // 99 FROM result'
    """
    for ours, theirs in _SAME.items():
        sql = sql.replace(ours, theirs)
    return _QUOTIENT.sub(r"\1 // \2", _CUT.sub(r"TRUNC(\1)", sql))


@lru_cache(maxsize=512)
def place_of(sorting: str) -> tuple[str, bool] | None:
    """Return the column that holds places in an order, and whether they are counted backwards.

    None if no column does.

    Examples
    --------
    >>> place_of("result.score ASC, result.row DESC")
    ('by_score', True)
    >>> place_of("+result.rank ASC, +result.row ASC")
    ('by_rank', False)
    >>> place_of("mine.verdict ASC, result.row ASC")
    """
    keys = [_KEY.match(key) for key in sorting.split(", ")]
    named = [(key[1], key[2]) for key in keys if key]
    forwards = tuple(f"{name} {way}" for name, way in named)
    if forwards in _ORDERED:
        return _ORDERED[forwards], False
    turned = tuple(f"{name} {_TURNED[way]}" for name, way in named)
    return (_ORDERED[turned], True) if turned in _ORDERED else None
