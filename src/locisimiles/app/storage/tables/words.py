"""Words in the texts of a project: looked up in memory, so that a filter is a list of positions.

The texts of a side are cut into words once, when they are first searched. What is kept belongs to
one state of the texts and is bounded, whatever the number of projects.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from threading import Lock
from typing import TYPE_CHECKING, Generic, TypeVar

from locisimiles.latin.word_search import SearchableTexts, WordQuery

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from locisimiles.app.storage.database import Connection

__all__ = ["positions_with_words"]

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


_texts: _Kept[SearchableTexts] = _Kept(_MOST_TEXTS)
_found: _Kept[str] = _Kept(_MOST_SEARCHES)


def positions_with_words(connection: Connection, project: str, words: str) -> list[str]:
    """Return the positions of the segments of either side that contain words, as JSON arrays.

    `project` is the key of its database; see `locisimiles.latin.word_search` for the words.
    """
    query = WordQuery.parse(words)
    found = []
    for side in _SIDES:
        key = project, side, *_state(connection, side)
        found.append(_found.get((key, words), lambda s=side, k=key: _find(connection, s, k, query)))  # type: ignore[misc]
    return found


def _find(connection: Connection, side: str, key: Hashable, query: WordQuery) -> str:
    texts = _texts.get(key, lambda: _read(connection, side))
    return json.dumps(texts.find(query).tolist())


def _read(connection: Connection, side: str) -> SearchableTexts:
    # Positions count the segments of a side from 0.
    rows = connection.execute("SELECT text FROM segment WHERE side = ? ORDER BY position", [side])
    return SearchableTexts([row[0] for row in rows])


def _state(connection: Connection, side: str) -> tuple[object, ...]:
    """Return values that change whenever the texts of a side change."""
    return tuple(
        connection.execute(
            "SELECT COUNT(*), COALESCE(MAX(id), ''), "
            "COALESCE((SELECT value FROM setting WHERE name = ?), '') "
            "FROM segment WHERE side = ?",
            [f"texts_{side}", side],
        ).fetchone()
    )
