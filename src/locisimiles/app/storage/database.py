"""What every database offers, whether projects are SQLite files or PostgreSQL schemas."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol

from locisimiles.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path

__all__ = ["Connection", "Database", "Row", "Rows", "Storage", "check_values"]


class Row(Protocol):
    """A row of a result, with values by position and by name."""

    def __getitem__(self, key: int | str, /) -> Any: ...  # noqa: ANN401 - columns have all types
    def __iter__(self) -> Iterator[Any]: ...
    def keys(self) -> Iterable[str]:
        """Return the names of the columns."""


class Rows(Protocol):
    """The result of a statement."""

    @property
    def rowcount(self) -> int:
        """Number of rows that the statement changed."""

    def fetchone(self) -> Any:  # noqa: ANN401 - a row, or None; a count always has one
        """Return the next row, or None."""

    def fetchall(self) -> list[Any]:
        """Return all remaining rows."""

    def __iter__(self) -> Iterator[Any]: ...


class Connection(Protocol):
    """Runs SQL that both databases understand, with ``?`` for values."""

    def execute(self, sql: str, values: Sequence[Any] = (), /) -> Rows:
        """Run one statement."""

    def executemany(self, sql: str, rows: Iterable[Sequence[Any]], /) -> object:
        """Run one statement for each row of values."""


class Database(Protocol):
    """The tables of one project. Threads and processes may use them at the same time."""

    @property
    def storage(self) -> Storage:
        """The storage it belongs to."""

    @property
    def user(self) -> str:
        """The owner; empty where there is only one user."""

    @property
    def id(self) -> str:
        """The id of the project in addresses."""

    @property
    def key(self) -> str:
        """A name that is unique over the projects of all users."""

    @property
    def index_folder(self) -> Path:
        """A folder of this machine for what is derived from the texts, and can be made again."""

    @property
    def pairs_folder(self) -> Path:
        """A folder for imported pairs, which all machines that open the project must see."""

    def reading(self) -> AbstractContextManager[Connection]:
        """Open a connection that sees one state of the project, whatever others write meanwhile."""

    def writing(self) -> AbstractContextManager[Connection]:
        """Open a transaction; writers wait for each other."""

    def exists(self) -> bool:
        """Tell whether the project has not been deleted."""


class Storage(Protocol):
    """A place that holds the projects of all users."""

    def create(self, user: str, project: str) -> Database | None:
        """Create an empty project; return None if the id is taken."""

    def open(self, user: str, project: str) -> Database:
        """Return a project with the newest tables, or raise an InputError."""

    def delete(self, user: str, project: str) -> None:
        """Delete a project."""

    def all(self, user: str) -> Iterator[tuple[str, float]]:
        """Return the ids of a user's projects, and when they were changed."""

    def environment(self) -> dict[str, str]:
        """Return the variables that tell another process where projects are."""

    def sign(self, content: str) -> str:
        """Return what this storage writes beside a request that was made here.

        A file may come from anywhere, so only those with the key of this installation can write it.
        Who may write into a database server has its trust.
        """

    def close(self) -> None:
        """Close open connections."""


@contextmanager
def check_values() -> Iterator[None]:
    """Turn the errors for values that no database takes into ours."""
    try:
        yield
    except UnicodeEncodeError as error:
        raise InputError("app.half_character") from error
    except OverflowError as error:
        raise InputError("app.number_too_large") from error
