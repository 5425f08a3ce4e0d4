"""Connections to PostgreSQL: opened, kept for the next operation, and what their errors mean."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

from locisimiles.app.storage.database import check_values
from locisimiles.app.storage.dialect import named_rows
from locisimiles.errors import (
    DatabaseError,
    InputError,
    LocisimilesError,
    MissingDependencyError,
    ParameterError,
)

try:
    import psycopg
    from psycopg.conninfo import conninfo_to_dict
except ImportError as error:
    raise MissingDependencyError(
        "a PostgreSQL database needs psycopg",
        hint="install it with pip install 'locisimiles[postgres]'",
    ) from error

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from locisimiles.app.storage.dialect import NamedRow

__all__ = ["Connections"]

_SCHEMES = ("postgresql://", "postgres://")
_MOST_IDLE = 8
_DEFAULTS = {
    "connect_timeout": "10",
    # A server that vanished without a word is noticed.
    "keepalives_idle": "30",
    "tcp_user_timeout": "20000",
    "application_name": "locisimiles",
}
_LIMITS = (
    "SET LOCAL lock_timeout = '20s'; "
    "SET LOCAL work_mem = '32MB'; "  # so that 100,000 pairs are sorted without the disk
    # A machine that died in the midst of writing does not keep the others waiting for hours.
    "SET LOCAL idle_in_transaction_session_timeout = '300s'"
)
_NOT_LET_IN = partial(
    DatabaseError,
    "the database does not accept this user or password",
    hint="check the address, LOCISIMILES_DATABASE, or ~/.pgpass",
)
_UNREACHABLE = partial(
    DatabaseError,
    "the database cannot be reached",
    hint="check its address, user and password, and whether it is running",
)
_LOST = partial(
    DatabaseError, "the connection to the database was lost", hint="try again when it is running"
)
_MISSING = partial(DatabaseError, "there is no such database", hint="make it with createdb")
_FULL = partial(DatabaseError, "the database has no room left", hint="ask who looks after it")
_BUSY = partial(DatabaseError, "somebody else is changing the project", hint="try again")
_FORBIDDEN = partial(
    DatabaseError,
    "the user of the database may not do this",
    hint="allow it with GRANT CREATE ON DATABASE … TO …",
)
_GONE = partial(InputError, "there is no such project", hint="go back to the list of projects")
_TOO_LONG = partial(InputError, "an id or a name is too long for the database", hint="shorten it")
_TOO_LARGE = partial(InputError, "a number is too large", hint="correct it")
_NUL = partial(InputError, "there is a NUL character in a text", hint="correct the text")
_MEANINGS: dict[str, Callable[[], LocisimilesError]] = {
    "22003": _TOO_LARGE, "3D000": _MISSING, "3F000": _GONE, "40P01": _BUSY, "42501": _FORBIDDEN,
    "42P01": _GONE, "53100": _FULL, "53200": _FULL, "53300": _FULL, "54000": _TOO_LONG,
    "55P03": _BUSY,
}  # fmt: skip
# What the server says before it lets anybody in has no code, only words.
_SPOKEN: dict[str, Callable[[], LocisimilesError]] = {
    "password": _NOT_LET_IN, "pg_hba.conf": _NOT_LET_IN, 'role "': _NOT_LET_IN,
    "authentication failed": _NOT_LET_IN, "permission denied": _NOT_LET_IN,
    'database "': _MISSING, "too many": _FULL, "remaining connection slots": _FULL,
}  # fmt: skip


class Connections:
    """The connections of this process to one database; any thread may ask for one.

    Parameters
    ----------
    url
        Its address, ``postgresql://USER:PASSWORD@HOST/NAME``; never shown to anybody.

    Raises
    ------
    ParameterError
        If it is no address.
    """

    def __init__(self, url: str) -> None:
        try:
            self._options = {**_DEFAULTS, **conninfo_to_dict(url)}
        except psycopg.Error:
            url = ""
        if not url.startswith(_SCHEMES):
            raise ParameterError(  # without its cause, which repeats the address
                "this is no address of a database", hint="write postgresql://USER@HOST/NAME"
            ) from None
        self._idle: list[psycopg.Connection[NamedRow]] = []
        self._lock = threading.Lock()

    @contextmanager
    def transaction(
        self, *, schema: str = "", only_reading: bool = False
    ) -> Iterator[psycopg.Connection[NamedRow]]:
        """Lend a connection, for changes that are kept together, or not at all.

        Parameters
        ----------
        schema
            Whose tables are meant, a name of ours; by default only those that are named in full.
        only_reading
            See one state of the database, and change nothing.

        Raises
        ------
        LocisimilesError
            If something goes wrong, in words that tell nothing about the server.
        """
        kind = "ISOLATION LEVEL REPEATABLE READ READ ONLY" if only_reading else ""
        where = f'; SET LOCAL search_path = "{schema}"' if schema else ""
        with check_values(), _in_a_sentence():
            raw = self._begun(f"BEGIN {kind}; {_LIMITS}{where}")
            try:
                yield raw
                raw.execute("COMMIT")
            except BaseException:
                raw.close()  # which undoes everything, whatever state it is in
                raise
            self._keep(raw)

    def close(self) -> None:
        """Close what is open, and not lent."""
        with self._lock:
            idle, self._idle = self._idle, []
        for raw in idle:
            raw.close()

    def _begun(self, begin: str) -> psycopg.Connection[NamedRow]:
        """Return a connection that has begun; those that broke while they were idle are left."""
        while True:
            with self._lock:
                idle = self._idle.pop() if self._idle else None
            raw = idle or self._connect()
            try:
                raw.execute(begin.encode())
            except psycopg.OperationalError:
                raw.close()
                if idle is None:
                    raise
            else:
                return raw

    def _connect(self) -> psycopg.Connection[NamedRow]:
        try:
            return psycopg.connect(
                **self._options,  # type: ignore[arg-type]
                autocommit=True,
                row_factory=named_rows,
                # What is kept for the next time may be out of date: a migration adds columns.
                prepare_threshold=None,
            )
        except psycopg.Error as error:
            spoken = str(error).rpartition("failed: ")[2]
            means = (what for words, what in _SPOKEN.items() if words in spoken)
            told = next(means, _UNREACHABLE)
        raise told() from None  # its cause names the server

    def _keep(self, raw: psycopg.Connection[NamedRow]) -> None:
        with self._lock:
            if len(self._idle) < _MOST_IDLE:
                self._idle.append(raw)
                return
        raw.close()


@contextmanager
def _in_a_sentence() -> Iterator[None]:
    """Say what psycopg says in our words."""
    try:
        yield
    except psycopg.Error as error:
        told = _meaning(error)
    else:
        return
    raise told() from None  # its cause may name the server


def _meaning(error: psycopg.Error) -> Callable[[], LocisimilesError]:
    if error.sqlstate in _MEANINGS:
        return _MEANINGS[error.sqlstate]
    if isinstance(error, psycopg.OperationalError):
        return _LOST
    if isinstance(error, psycopg.DataError) and error.sqlstate is None:
        return _NUL  # which psycopg itself refuses, and nothing else
    problem = f"the database refuses what was asked (code {error.sqlstate})"
    return partial(DatabaseError, problem, hint="report this")
