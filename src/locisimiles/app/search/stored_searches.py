"""The searches that a project keeps: listed, named, compared, deleted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from locisimiles.app.search.importing import forget_pairs
from locisimiles.app.search.status import checked_name
from locisimiles.app.storage.pairs.opened import has_pairs
from locisimiles.app.storage.tables.editions import edition_names
from locisimiles.app.storage.tables.searches import (
    all_searches,
    compare_searches,
    delete_search,
    find_search,
    rename_search,
)
from locisimiles.errors import InputError

if TYPE_CHECKING:
    from locisimiles.app.projects.project import Project

__all__ = ["Comparison", "StoredSearch", "StoredSearches"]

_BOTH_SIDES = 2


@dataclass(frozen=True, slots=True)
class StoredSearch:
    """A search, with the names of the texts it was made of."""

    number: int
    name: str
    state: str
    created: float
    pairs: int
    is_missing: bool  # whether its pairs were imported, and their file is gone
    is_current: bool  # whether the texts are still those that were searched
    query_names: tuple[str, ...]
    source_names: tuple[str, ...]
    finished_queries: int  # that have results

    @property
    def is_busy(self) -> bool:
        """Whether it waits or runs."""
        return self.state in ("waiting", "running")

    @property
    def can_resume(self) -> bool:
        """Whether it stopped before its end."""
        return self.state in ("cancelled", "failed")


class Comparison(NamedTuple):
    """How many pairs two searches found."""

    both: int
    only_this: int
    only_other: int


class StoredSearches:
    """The searches of a project."""

    def __init__(self, project: Project) -> None:
        self._project, self._database = project, project.database

    def all(self) -> list[StoredSearch]:
        """Return all searches, the newest first."""
        with self._database.reading() as connection:
            rows, names = all_searches(connection), edition_names(connection)
        return [
            StoredSearch(
                number=row["number"],
                name=row["name"],
                state=row["state"],
                created=row["created"],
                pairs=row["pairs"],
                is_missing=row["imported"] > 0 and not has_pairs(self._database, row),
                is_current=row["current_sides"] == _BOTH_SIDES,
                query_names=tuple(names.get(("query", row["query_edition"]), ())),
                source_names=tuple(names.get(("source", row["source_edition"]), ())),
                finished_queries=row["finished_queries"],
            )
            for row in rows
        ]

    def rename(self, number: int, name: str) -> None:
        """Name a search."""
        with self._database.writing() as connection:
            rename_search(connection, number, checked_name(name))

    def compare(self, number: int, other: int) -> Comparison:
        """Compare the pairs of two searches, or raise an InputError."""
        with self._database.reading() as connection:
            for one in (number, other):
                if find_search(connection, one) is None:
                    raise InputError("app.no_search", number=str(one))
            return Comparison(*compare_searches(connection, number, other))

    def delete(self, number: int) -> None:
        """Delete a search and its results; judgements stay."""
        with self._database.writing() as connection:
            delete_search(connection, number)
        forget_pairs(self._project)
