"""Words in the texts of a project: looked up in memory, so that a filter is a list of positions.

The texts of a side are cut into words once, when they are first searched. What is kept belongs to
one state of the texts and is bounded, whatever the number of projects.
"""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

import numpy as np

from locisimiles.app.storage.pairs.connection import PairsConnection, wording_of
from locisimiles.latin.word_search import SearchableTexts, WordColumns, WordQuery

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from locisimiles.app.storage.database import Connection

__all__ = ["forms_of_lemma", "positions_with_words"]

_MOST_TEXTS = 4  # both sides of two projects
_MOST_SEARCHES = 64
_SIDES = ("query", "source")
T = TypeVar("T")


class _Kept(Generic[T]):
    """The values that were used last."""

    def __init__(self, most: int) -> None:
        self._most, self._lock = most, Lock()
        self._values: OrderedDict[Hashable, T] = OrderedDict()

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        with self._lock:
            if key not in self._values:
                self._values[key] = make()
                while len(self._values) > self._most:
                    self._values.popitem(last=False)
            self._values.move_to_end(key)
            return self._values[key]


class _Edition(NamedTuple):
    """The texts of a side that a search was made of; the fingerprint tells them from later ones."""

    side: str
    number: int
    fingerprint: str


_texts: _Kept[WordColumns] = _Kept(_MOST_TEXTS)
_found: _Kept[str] = _Kept(_MOST_SEARCHES)


def positions_with_words(
    connection: Connection, project: str, search: int, words: str
) -> list[str]:
    """Return the positions of the segments of either side that contain words.

    They are listed as the connection takes them: as JSON arrays, or as a digit for each segment.
    `project` is the key of its database, and the segments are those that the search was made of;
    see `locisimiles.latin.word_search` for the words.
    """
    query = WordQuery.parse(words)
    found = []
    for side in _SIDES:
        edition = _edition(connection, side, search)
        found.append(_found_in(connection, project, edition, query))
    return found


def forms_of_lemma(
    connection: Connection, project: str, search: int, lemma: str
) -> dict[str, dict[str, int]]:
    """Count the forms of a lemma in the query and in the source that a search was made of."""
    found = {}
    for side in _SIDES:
        edition = _edition(connection, side, search)
        texts = None if edition is None else _searchable(connection, project, edition)
        found[side] = {} if texts is None else texts.forms(lemma)
    return found


def _found_in(
    connection: Connection, project: str, edition: _Edition | None, query: WordQuery
) -> str:
    words = wording_of(connection)
    if edition is None:
        return words.listed(np.empty(0, np.int64), 0)

    def find() -> str:
        texts = _searchable(connection, project, edition)
        return words.listed(texts.find(query), len(texts))

    return _found.get((project, edition, query, words), find)


def _searchable(connection: Connection, project: str, edition: _Edition) -> WordColumns:
    return _texts.get((project, edition), lambda: _read(connection, edition))


def _read(connection: Connection, edition: _Edition) -> WordColumns:
    if isinstance(connection, PairsConnection):  # whose file has the words
        return connection.words_of(edition.side)
    # Positions count the segments of an edition from 0.
    rows = connection.execute(
        "SELECT text FROM segment WHERE side = ? AND edition = ? ORDER BY position",
        [edition.side, edition.number],
    )
    return SearchableTexts([row[0] for row in rows])


def _edition(connection: Connection, side: str, search: int) -> _Edition | None:
    """Return what a search was made of; None before the first search."""
    row = connection.execute(
        "SELECT number, fingerprint FROM edition WHERE side = ? AND number = "  # noqa: S608 - ours
        f"(SELECT {side}_edition FROM search WHERE number = ?)",
        [side, search],
    ).fetchone()
    return None if row is None else _Edition(side, row[0], row[1])
