"""Filters of results, as SQL."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from locisimiles.app.storage.wording import TABLES
from locisimiles.checks import check_choice
from locisimiles.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from locisimiles.app.storage.wording import Wording

__all__ = ["ABOUT_OTHERS", "ONCE", "STATUSES", "ResultFilter"]

ABOUT_OTHERS = ("disagreement", "undecided", "decided")
"""Statuses that tell what other readers think."""
STATUSES = (
    "unjudged", "judged", "accepted", "cit.", "cf.", "reject", "unsure", *ABOUT_OTHERS,
)  # fmt: skip
"""The status of a pair, as one reader sees it."""

ONCE = "once"
"""Parallel sources in one row."""

_MOST_LETTERS = 200
_OF_READER = {
    "unjudged": ("NOT IN", "IS NOT NULL"),
    "judged": ("IN", "IS NOT NULL"),
    "accepted": ("IN", "IN ('cit.', 'cf.')"),
}
_DISAGREED = (
    "{pair} IN (SELECT {pair_judged} FROM judgement WHERE verdict != 'unsure' "
    "GROUP BY {pair_judged} HAVING COUNT(DISTINCT verdict) > 1)"
)
_DECISIONS = "(SELECT {pair_judged} FROM decision WHERE verdict IS NOT NULL)"
_OF_ALL = {
    # Unsure contradicts no other verdict.
    "disagreement": _DISAGREED,
    "undecided": f"{_DISAGREED} AND {{pair}} NOT IN {_DECISIONS}",
    "decided": f"{{pair}} IN {_DECISIONS}",
}


@dataclass(frozen=True, slots=True)
class ResultFilter:
    """Conditions that results must meet; None sets no condition.

    Attributes
    ----------
    query_author, query_work, source_author, source_work
        Author and work of either segment; an empty string selects segments without one.
    type
        The type according to the classifier, ``cit.`` or ``cf.``
    least_probability, least_score
        Minimum probability and score.
    most_rarity
        Maximum number of source segments that have the rarest shared word.
    best
        Maximum number of candidates per query segment.
    status
        One of `STATUSES`.
    words
        Words, phrases, lemmas or wildcards that occur in the query or in the source; see
        `locisimiles.latin.word_search`.
    query
        Position of a query segment.
    parallels
        ``once``: of sources with nearly the same words, only the best one of a query.
    not_in
        Number of another search that did not find the pair.

    Examples
    --------
    >>> ResultFilter(source_author="Virgil", best=3).where(7)
    ('result.search = ? AND result.source_author = ? AND result.rank <= ?', [7, 'Virgil', 3])
    """

    query_author: str | None = None
    query_work: str | None = None
    source_author: str | None = None
    source_work: str | None = None
    type: str | None = None
    least_probability: float | None = None
    least_score: float | None = None
    most_rarity: int | None = None
    best: int | None = None
    status: str | None = None
    words: str | None = None
    query: int | None = None
    not_in: int | None = None
    parallels: str | None = None

    def __post_init__(self) -> None:
        if self.status is not None:
            check_choice(STATUSES, status=self.status)
        if self.parallels is not None:
            check_choice((ONCE,), parallels=self.parallels)
        if self.words is not None and len(self.words) > _MOST_LETTERS:
            raise ParameterError("app.too_many_letters", most=_MOST_LETTERS)

    def __bool__(self) -> bool:
        """Whether any condition is set."""
        return bool(self.as_dict())

    def where(
        self,
        search: int,
        positions: Sequence[str] = ("[]", "[]"),
        *,
        reader: str = "",
        words: Wording = TABLES,
    ) -> tuple[str, list[object]]:
        """Return the condition for results of a search, and its values.

        The tables are called ``result`` and ``mine``; `positions` are those of the query and source
        segments that contain the words, as `words` lists them, and statuses are those that `reader`
        sees.
        """
        conditions = ["result.search = ?"]
        values: list[object] = [search]
        for name, condition in _CONDITIONS.items():
            value = getattr(self, name)
            if value is not None:
                conditions.append(condition)
                values.append(value)
        if self.status is not None:
            condition = _status(self.status, words)
            conditions.append(condition)
            values += [reader] * condition.count("?")
        if self.parallels is not None:
            conditions.append("result.parallel_to = ''")
        if self.words:
            sides = ("result.query", "result.source")
            found = " OR ".join(words.has_position.format(column=side) for side in sides)
            conditions.append(f"({found})")
            values += positions
        return " AND ".join(conditions), values

    def as_dict(self) -> dict[str, object]:
        """Return the conditions that are set, for addresses and manifests."""
        named = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: value for name, value in named.items() if value is not None}

    @classmethod
    def from_mapping(cls, values: Mapping[str, object]) -> ResultFilter:
        """Return the filter that `as_dict` described; empty and unknown entries are ignored.

        Examples
        --------
        >>> ResultFilter.from_mapping({"best": "3", "offset": "0"}).best
        3
        """
        kinds: dict[str, type] = {"least_probability": float, "least_score": float}
        kinds |= {"most_rarity": int, "best": int, "query": int, "not_in": int}
        read: dict[str, object] = {}
        for field in fields(cls):
            value = values.get(field.name)
            if value is None or value == "":
                continue
            try:
                read[field.name] = kinds.get(field.name, str)(str(value))
            except ValueError as error:
                raise ParameterError(
                    "export.no_number", value=str(value), column=field.name
                ) from error
        return cls(**read)  # type: ignore[arg-type]


_EQUAL = ("query_author", "query_work", "source_author", "source_work", "type", "query")
_CONDITIONS = {
    **{name: f"result.{name} = ?" for name in _EQUAL},
    "least_probability": "result.probability >= ?",
    "least_score": "result.score >= ?",
    "most_rarity": "result.rarity <= ?",
    "best": "result.rank <= ?",
    "not_in": "NOT EXISTS (SELECT 1 FROM result other WHERE other.search = ? "
    "AND other.query_id = result.query_id AND other.source_id = result.source_id)",
}


def _status(status: str, words: Wording) -> str:
    if status in _OF_ALL:
        return _OF_ALL[status].format(pair=words.pair, pair_judged=words.pair_judged)
    return words.judged_rows(*_OF_READER.get(status, ("IN", f"= '{status}'")))
