"""Orders of results, as SQL that finds any page and the next pair through an index.

An order is made of parts, one after the other: first the unjudged pairs, then the judged ones. So
each part needs an index only for its own columns, and none of them is ever null, which the two
databases would sort differently.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from locisimiles.checks import check_choice

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = [
    "JUDGED", "NARROW", "ORDERS", "UNJUDGED", "Part", "Range", "parts_of", "ranges_beyond",
]  # fmt: skip

JUDGED = (
    "result.row {} (SELECT judged.row FROM judgement said CROSS JOIN result judged "
    "WHERE said.reader = ? AND said.verdict {} AND judged.search IN (SELECT number FROM search) "
    "AND judged.query_id = said.query_id AND judged.source_id = said.source_id)"
)
"""Whether the reader gave a verdict; found from the judgements, which are fewer than the results.

Since it asks for rows alone, a walk through any index looks up nothing in the table. SQLite begins
with the first table of a cross join.
"""
UNJUDGED = JUDGED.format("NOT IN", "IS NOT NULL")
"""No verdict of the reader."""
_JUDGED = JUDGED.format("IN", "IS NOT NULL")
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

    The keys tell all its results apart.
    """

    keys: tuple[Key, ...]
    condition: str = ""

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


def _order(*columns: str) -> tuple[Part, ...]:
    return (Part(_keys(*columns)),)


def _with_nulls(column: str, *, last: bool = False, falls: bool = False) -> tuple[Part, ...]:
    first = Key(f"result.{column}", falls)
    known = Part((first, *_keys("row")), f"result.{column} IS NOT NULL")
    unknown = Part(_keys("row"), f"result.{column} IS NULL")
    return (known, unknown) if last else (unknown, known)


def _unjudged_first(part: Part) -> tuple[Part, ...]:
    more = f" AND {part.condition}" if part.condition else ""
    return (
        part._replace(condition=f"{UNJUDGED}{more}"),
        part.scanned._replace(condition=f"{_JUDGED}{more}"),
    )


_DOUBT = "ABS(result.probability - 0.5)"
# The same as a probability that is known, but read from the index of this order.
_INFORMATIVE = Part((Key(_DOUBT), *_keys("row")), f"{_DOUBT} >= 0")
ORDERS: dict[str, tuple[Part, ...]] = {
    "reading": _order("query", "rank"),
    "unjudged": _unjudged_first(Part(_keys("query", "rank"))),
    "informative": (
        *_unjudged_first(_INFORMATIVE),
        Part(_keys("row"), "result.probability IS NULL"),
    ),
    "score": _order("score falls", "row"),
    "probability": _with_nulls("probability", last=True, falls=True),
    "rank": _order("rank", "row"),
    "rarity": _with_nulls("rarity", last=True),
    "query_id": _order("query", "rank"),
    "source_id": _order("source", "row"),
    "query_author": _order("query_author", "row"),
    "query_work": _order("query_work", "row"),
    "source_author": _order("source_author", "source_work", "row"),
    "source_work": _order("source_work", "row"),
    "type": _with_nulls("type"),
    "verdict": (
        Part(_keys("row"), UNJUDGED),
        Part((Key("mine.verdict"), *_keys("row")), _JUDGED),
    ),
    "shared": _order("shared", "row"),
}
"""The orders of results, the most promising or the first in the text first."""
NARROW = ("reading", "unjudged", "query_id")
"""Orders whose index has all the columns that filters read."""


def parts_of(order: str, *, backwards: bool = False) -> tuple[Part, ...]:
    """Return the parts of an order.

    Examples
    --------
    >>> [part.sorting for part in parts_of("score", backwards=True)]
    ['result.score ASC, result.row DESC']
    """
    check_choice(ORDERS, order=order)
    parts = ORDERS[order]
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
    return part._replace(keys=tuple(Key(key.sql, not key.falls) for key in part.keys))
