"""Which results are wanted, and in which order; said once, understood by SQL."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from locisimiles.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["ORDERS", "STATUSES", "ResultFilter"]

STATUSES = ("unjudged", "judged", "accepted", "cit.", "cf.", "reject", "unsure", "disagreement")
"""What has become of a pair, as one reader sees it."""

_MOST_LETTERS = 200
_STATUS = {
    "unjudged": "mine.verdict IS NULL",
    "judged": "mine.verdict IS NOT NULL",
    "accepted": "mine.verdict IN ('cit.', 'cf.')",
    "cit.": "mine.verdict = 'cit.'",
    "cf.": "mine.verdict = 'cf.'",
    "reject": "mine.verdict = 'reject'",
    "unsure": "mine.verdict = 'unsure'",
    # Only definite verdicts contradict each other.
    "disagreement": "(result.query_id, result.source_id) IN (SELECT query_id, source_id "
    "FROM judgement WHERE verdict != 'unsure' GROUP BY query_id, source_id "
    "HAVING COUNT(DISTINCT verdict) > 1)",
}

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
"""In which order results can come; the most promising or the first of the text first.

Columns that are never empty go `up` or `down`, those that may be, `rising` or `falling`."""


@dataclass(frozen=True, slots=True)
class ResultFilter:
    """Which results are wanted. What is None does not matter.

    Attributes
    ----------
    query_author, query_work, source_author, source_work
        Whose and which; an empty text means those that are unknown.
    type
        What the classifier takes them for: ``cit.`` or ``cf.``
    least_probability, least_score
        At least this much.
    most_rarity
        The rarest shared word stands in at most so many segments of the source.
    best
        At most so many for each query segment.
    status
        One of `STATUSES`.
    words
        Letters that the query or the source has; ``u`` and ``v``, ``i`` and ``j`` are the same.
    query
        The position of a query segment.

    Examples
    --------
    >>> ResultFilter(source_author="Virgil", best=3).where()
    ('result.source_author = ? AND result.rank <= ?', ['Virgil', 3])
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

    def __post_init__(self) -> None:
        if self.status is not None and self.status not in STATUSES:
            raise ParameterError(
                f"there is no status {self.status!r}", hint=f"choose one of {', '.join(STATUSES)}"
            )
        if self.words is not None and len(self.words) > _MOST_LETTERS:
            raise ParameterError(
                f"there are more than {_MOST_LETTERS} letters to look for", hint="use fewer"
            )

    def where(self) -> tuple[str, list[object]]:
        """Return the condition, for tables called ``result`` and ``mine``, and its values."""
        conditions: list[str] = []
        values: list[object] = []
        for name, condition in _CONDITIONS.items():
            value = getattr(self, name)
            if value is not None:
                conditions.append(condition)
                values.append(value)
        if self.status is not None:
            conditions.append(_STATUS[self.status])
        if self.words:
            alike, spelt = _alike(self.words)
            conditions.append(_HAS_WORDS.format(alike=alike))
            values += [*spelt, *spelt]
        return " AND ".join(conditions) or "TRUE", values

    def as_dict(self) -> dict[str, object]:
        """Return what is not None, for addresses and files."""
        named = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: value for name, value in named.items() if value is not None}

    @classmethod
    def from_mapping(cls, values: Mapping[str, object]) -> ResultFilter:
        """Read what `as_dict` gave; empty and unknown entries are left out.

        Examples
        --------
        >>> ResultFilter.from_mapping({"best": "3", "offset": "0"}).best
        3
        """
        kinds: dict[str, type] = {"least_probability": float, "least_score": float}
        kinds |= {"most_rarity": int, "best": int, "query": int}
        read: dict[str, object] = {}
        for field in fields(cls):
            value = values.get(field.name)
            if value is None or value == "":
                continue
            try:
                read[field.name] = kinds.get(field.name, str)(str(value))
            except ValueError as error:
                raise ParameterError(f"{field.name}={value!r} is no number") from error
        return cls(**read)  # type: ignore[arg-type]


_CONDITIONS = {
    "query_author": "result.query_author = ?",
    "query_work": "result.query_work = ?",
    "source_author": "result.source_author = ?",
    "source_work": "result.source_work = ?",
    "type": "result.type = ?",
    "least_probability": "result.probability >= ?",
    "least_score": "result.score >= ?",
    "most_rarity": "result.rarity <= ?",
    "best": "result.rank <= ?",
    "query": "result.query = ?",
}
# Words are looked for in each segment once, however many pairs it is in; and only in those that are
# in a pair at all, which of a large library are few.
_HAS_WORDS = (
    "(result.query IN (SELECT position FROM segment WHERE side = 'query' "
    "AND {alike}) OR result.source IN (SELECT position FROM segment WHERE side = 'source' "
    "AND position IN (SELECT source FROM result) AND {alike}))"
)


def _alike(words: str) -> tuple[str, list[object]]:
    """Return how a text is spelt to be compared with words, in SQL, and the values for that.

    Examples
    --------
    >>> _alike("Vox%")
    ("REPLACE(REPLACE(LOWER(text), 'v', 'u'), 'j', 'i') LIKE ? ESCAPE '!'", ['%uox!%%'])
    """
    small = "".join(map(_small, words.strip()))
    folded, values = "REPLACE(REPLACE(LOWER(text), 'v', 'u'), 'j', 'i')", list[object]()
    # Databases know only from A to Z which letter is the small one of another.
    for letter in sorted({one for one in small if not one.isascii() and _capital(one) != one}):
        folded, values = f"REPLACE({folded}, ?, ?)", [*values, _capital(letter), letter]
    pattern = re.sub("([!%_])", r"!\1", small.replace("v", "u").replace("j", "i"))
    return f"{folded} LIKE ? ESCAPE '!'", [*values, f"%{pattern}%"]


def _small(letter: str) -> str:
    return letter.lower() if len(letter.lower()) == 1 else letter


def _capital(letter: str) -> str:
    # That of ß are two letters, which is no letter to look for.
    return letter.upper() if len(letter.upper()) == 1 else letter
