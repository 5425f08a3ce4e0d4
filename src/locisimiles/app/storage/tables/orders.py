"""Orders of results, as SQL that finds any page and the next pair through an index.

An order is made of parts, one after the other: first the unjudged pairs, then the judged ones. So
each part needs an index only for its own columns, and none of them is ever null, which the two
databases would sort differently.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from locisimiles.app.storage.wording import TABLES
from locisimiles.checks import check_choice

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from locisimiles.app.storage.wording import Wording

__all__ = ["NARROW", "ORDERS", "Part", "Range", "parts_of", "ranges_beyond"]

_TEXTS = (
    "result.query_author", "result.query_work", "result.source_author", "result.source_work",
    "result.shared", "result.type", "mine.verdict",
)  # fmt: skip


class Key(NamedTuple):
    """A column to order by."""

    sql: str
    falls: bool = False

    @property
    def scanned(self) -> Key:
        """The same column as an expression, for which SQLite uses no index of the order."""
        sql = f"{self.sql} || ''" if self.sql in _TEXTS else f"+{self.sql}"
        return self._replace(sql=sql)


class Part(NamedTuple):
    """The results that meet a condition, in order; ``?`` in a condition stands for the reader.

    The keys tell all its results apart. A file of pairs has a column with the place of each pair in
    this order, or in the opposite one if it `turns`; nothing if few results can meet the condition.
    """

    keys: tuple[Key, ...]
    condition: str = ""
    place: str = ""
    turns: bool = False

    @property
    def sorting(self) -> str:
        """The columns to order by, as SQL."""
        return ", ".join(f"{key.sql} {'DESC' if key.falls else 'ASC'}" for key in self.keys)

    @property
    def scanned(self) -> Part:
        """The same without the index of its order."""
        return self._replace(keys=tuple(key.scanned for key in self.keys))

    def values(self, reader: str) -> list[object]:
        """Return the values of the condition."""
        return [reader] * self.condition.count("?")


class Range(NamedTuple):
    """Results that follow a place in an order, and how they are sorted."""

    condition: str
    values: list[object]
    sorting: str


def _keys(*columns: str) -> tuple[Key, ...]:
    return tuple(
        Key(f"result.{name.removesuffix(' falls')}", name.endswith(" falls")) for name in columns
    )


def _order(*columns: str, place: str) -> tuple[Part, ...]:
    return (Part(_keys(*columns), place=place),)


def _with_nulls(
    column: str, *, place: str, last: bool = False, falls: bool = False
) -> tuple[Part, ...]:
    first = Key(f"result.{column}", falls)
    known = Part((first, *_keys("row")), f"result.{column} IS NOT NULL", place)
    unknown = Part(_keys("row"), f"result.{column} IS NULL", "row")
    return (known, unknown) if last else (unknown, known)


def _unjudged_first(part: Part, words: Wording) -> tuple[Part, ...]:
    unjudged, judged = _judged(words)
    more = f" AND {part.condition}" if part.condition else ""
    return (
        part._replace(condition=f"{unjudged}{more}"),
        part.scanned._replace(condition=f"{judged}{more}"),
    )


def _judged(words: Wording) -> tuple[str, str]:
    """Return that the reader gave no verdict, and that there is one."""
    return words.judged_rows("NOT IN", "IS NOT NULL"), words.judged_rows("IN", "IS NOT NULL")


_DOUBT = "ABS(result.probability - 0.5)"
# The same as a probability that is known, but read from the index of this order.
_INFORMATIVE = Part((Key(_DOUBT), *_keys("row")), f"{_DOUBT} >= 0", "by_doubt")


@cache
def _orders(words: Wording) -> dict[str, tuple[Part, ...]]:
    unjudged, judged = _judged(words)
    return {
        "reading": _order("query", "rank", place="row"),
        "unjudged": _unjudged_first(Part(_keys("query", "rank"), place="row"), words),
        "informative": (
            *_unjudged_first(_INFORMATIVE, words),
            Part(_keys("row"), "result.probability IS NULL", "row"),
        ),
        "score": _order("score falls", "row", place="by_score"),
        "probability": _with_nulls("probability", place="by_probability", last=True, falls=True),
        "rank": _order("rank", "row", place="by_rank"),
        "rarity": _with_nulls("rarity", place="row", last=True),
        "query_id": _order("query", "rank", place="row"),
        "source_id": _order("source", "row", place="by_source"),
        "query_author": _order("query_author", "row", place="by_query_author"),
        "query_work": _order("query_work", "row", place="by_query_work"),
        "source_author": _order("source_author", "source_work", "row", place="by_source_author"),
        "source_work": _order("source_work", "row", place="by_source_work"),
        "type": _with_nulls("type", place="by_type"),
        "verdict": (
            Part(_keys("row"), unjudged, "row"),
            Part((Key("mine.verdict"), *_keys("row")), judged),
        ),
        "shared": _order("shared", "row", place="row"),
    }


ORDERS = tuple(_orders(TABLES))
"""The orders of results, the most promising or the first in the text first."""
NARROW = ("reading", "unjudged", "query_id")
"""Orders whose index has all the columns that filters read."""


def parts_of(order: str, *, backwards: bool = False, words: Wording = TABLES) -> tuple[Part, ...]:
    """Return the parts of an order.

    Examples
    --------
    >>> [part.sorting for part in parts_of("score", backwards=True)]
    ['result.score ASC, result.row DESC']
    """
    check_choice(ORDERS, order=order)
    parts = _orders(words)[order]
    return tuple(_reversed(part) for part in reversed(parts)) if backwards else parts


def ranges_beyond(
    parts: Sequence[Part], at: int, place: Sequence[object], reader: str
) -> Iterator[Range]:
    """Return what follows a place, nearest first; `place` has its keys in the part number `at`.

    Examples
    --------
    >>> for one in ranges_beyond(parts_of("score"), 0, [0.5, 7], ""):
    ...     print(one.condition, one.values)
    result.score = ? AND result.row > ? [0.5, 7]
    result.score < ? [0.5]
    """
    own = parts[at]
    for fixed in reversed(range(len(own.keys))):
        key = own.keys[fixed]
        conditions = (
            own.condition,
            *(f"{one.sql} = ?" for one in own.keys[:fixed]),
            f"{key.sql} {'<' if key.falls else '>'} ?",
        )
        yield Range(
            " AND ".join(filter(None, conditions)),
            [*own.values(reader), *place[: fixed + 1]],
            own._replace(keys=own.keys[fixed:]).sorting,
        )
    for part in parts[at + 1 :]:
        yield Range(part.condition, part.values(reader), part.sorting)


def _reversed(part: Part) -> Part:
    keys = tuple(Key(key.sql, not key.falls) for key in part.keys)
    return part._replace(keys=keys, turns=not part.turns)
