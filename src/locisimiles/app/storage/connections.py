"""Connections to PostgreSQL: opened, kept for the next operation, and what their errors mean."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

from locisimiles.app.database import check_values
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
    from collections.abc import Iterator

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
_NOT_LET_IN = (
    "the database does not accept this user or password",
    "check the address, LOCISIMILES_DATABASE, or ~/.pgpass",
)
_UNREACHABLE = (
    "the database cannot be reached",
    "check its address, user and password, and whether it is running",
)
_LOST = ("the connection to the database was lost", "try again when it is running")
_BUSY = ("somebody else is changing the project", "try again")
_FULL = ("the database takes no more connections, or has no room", "ask who looks after it")
_FORBIDDEN = (
    "the user of the database may not do this",
    "allow it with GRANT CREATE ON DATABASE … TO …",
)
_MISSING = ("there is no such database", "make it with createdb")
_GONE = ("there is no such project", "go back to the list of projects")
_SENTENCES = {
    "28P01": _NOT_LET_IN, "28000": _NOT_LET_IN, "3D000": _MISSING, "42501": _FORBIDDEN,
    "53100": _FULL, "53200": _FULL, "53300": _FULL, "55P03": _BUSY, "40P01": _BUSY,
}  # fmt: skip
# What the server says before it lets anybody in has no code, only words.
_SPOKEN = {
    "password": _NOT_LET_IN, "pg_hba.conf": _NOT_LET_IN, 'role "': _NOT_LET_IN,
    "authentication failed": _NOT_LET_IN, "permission denied": _NOT_LET_IN,
    'database "': _MISSING, "too many": _FULL, "remaining connection slots": _FULL,
}  # fmt: skip
_DELETED = ("42P01", "3F000")
_TOO_LONG = "54000"


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
                raw = self._idle.pop() if self._idle else None
            if raw is None:
                break
            try:
                raw.execute(begin.encode())
            except psycopg.OperationalError:
                raw.close()
            else:
                return raw
        raw = self._connect()
        raw.execute(begin.encode())
        return raw

    def _connect(self) -> psycopg.Connection[NamedRow]:
        try:
            return psycopg.connect(
                **self._options,  # type: ignore[arg-type]
                autocommit=True,
                row_factory=named_rows,
                # Plans of one project's tables do not fit those of another.
                prepare_threshold=None,
            )
        except psycopg.Error as error:
            spoken = str(error).rpartition("failed: ")[2]
            means = (what for word, what in _SPOKEN.items() if word in spoken)
            problem, hint = next(means, _UNREACHABLE)
        raise DatabaseError(problem, hint=hint) from None  # its cause names the server

    def _keep(self, raw: psycopg.Connection[NamedRow]) -> None:
        with self._lock:
            if len(self._idle) < _MOST_IDLE:
                self._idle.append(raw)
                return
        raw.close()


@contextmanager
def _in_a_sentence() -> Iterator[None]:
    """Say what psycopg says in our words."""
    told: LocisimilesError
    try:
        yield
    except psycopg.DataError as error:
        # Without a code it is psycopg that refuses: a text with the character of the number 0.
        told = InputError(
            "a number is too large" if error.sqlstate else "there is a NUL character in a text",
            hint="correct it",
        )
    except psycopg.Error as error:
        code = error.sqlstate or ""
        lost = isinstance(error, psycopg.OperationalError)
        other = (f"the database refuses what was asked (code {code or 'unknown'})", "report this")
        problem, hint = _SENTENCES.get(code, _LOST if lost else other)
        told = DatabaseError(problem, hint=hint)
        if code in _DELETED:
            told = InputError(_GONE[0], hint=_GONE[1])
        if code == _TOO_LONG:
            told = InputError("an id or a name is too long for the database", hint="shorten it")
    else:
        return
    raise told from None  # its cause may name the server
