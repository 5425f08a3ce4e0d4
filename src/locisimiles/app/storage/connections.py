"""Connections to PostgreSQL from a pool, and what the errors of the server mean."""

from __future__ import annotations

import logging
from contextlib import contextmanager
from typing import TYPE_CHECKING

from locisimiles.app.storage.database import check_values
from locisimiles.app.storage.dialect import PostgresConnection, named_rows
from locisimiles.errors import (
    DatabaseError,
    InputError,
    LocisimilesError,
    MissingDependencyError,
    ParameterError,
)
from locisimiles.installation import install_command

try:
    import psycopg
    from psycopg.conninfo import conninfo_to_dict
    from psycopg_pool import ConnectionPool, PoolTimeout
except ImportError as error:
    raise MissingDependencyError(
        "app.needs_psycopg", install=install_command(extra="postgres")
    ) from error

if TYPE_CHECKING:
    from collections.abc import Iterator

    from locisimiles.app.storage.dialect import NamedRow

__all__ = ["Connections"]

_SCHEMES = ("postgresql://", "postgres://")
_MOST_CONNECTIONS = 16
# A new connection takes milliseconds. After this time it is worth looking for the reason.
_USUAL_S, _PATIENCE_S = 0.5, 30.0
_DEFAULTS = {
    "connect_timeout": "10",
    # Notice a server that vanished.
    "keepalives_idle": "30",
    "tcp_user_timeout": "20000",
    "application_name": "locisimiles",
}
_LIMITS = (
    "SET LOCAL lock_timeout = '20s'; "
    "SET LOCAL work_mem = '32MB'; "  # so that 100,000 pairs are sorted in memory
    # A machine that died while writing must not block the others for hours.
    "SET LOCAL idle_in_transaction_session_timeout = '300s'"
)
_DATABASE_CODES = {
    "3D000": "app.database_missing", "40P01": "app.database_busy",
    "42501": "app.database_forbidden", "53100": "app.database_full", "53200": "app.database_full",
    "53300": "app.database_full", "55P03": "app.database_busy",
}  # fmt: skip
_INPUT_CODES = {
    "22003": "app.number_too_large", "3F000": "app.project_deleted",
    "42P01": "app.project_deleted", "54000": "app.id_too_long",
}  # fmt: skip
# Before it accepts a user, the server sends words without a code.
_WORDS = {
    "password": "app.database_login", "pg_hba.conf": "app.database_login",
    'role "': "app.database_login", "authentication failed": "app.database_login",
    "permission denied": "app.database_login", 'database "': "app.database_missing",
    "too many": "app.database_full", "remaining connection slots": "app.database_full",
}  # fmt: skip
# What psycopg logs names the server.
logging.getLogger("psycopg").addHandler(logging.NullHandler())
logging.getLogger("psycopg").propagate = False


class Connections:
    """The connections of this process to one database; any thread may use them.

    The address, ``postgresql://USER:PASSWORD@HOST/NAME``, is never shown to anyone.
    """

    def __init__(self, url: str) -> None:
        try:
            self._options = {**_DEFAULTS, **conninfo_to_dict(url)}
        except psycopg.Error:
            url = ""
        if not url.startswith(_SCHEMES):
            # Its cause would repeat the address.
            raise ParameterError("app.not_a_database_address") from None
        self.pool: ConnectionPool[psycopg.Connection[NamedRow]] = ConnectionPool(
            kwargs={
                **self._options,
                "autocommit": True,
                "row_factory": named_rows,
                # A migration adds columns, which would outdate prepared statements.
                "prepare_threshold": None,
            },
            min_size=0,
            max_size=_MOST_CONNECTIONS,
            timeout=_PATIENCE_S,
            reconnect_timeout=0,  # the next request tries again
            check=ConnectionPool.check_connection,
            open=True,
        )

    @contextmanager
    def transaction(
        self, *, schema: str = "", only_reading: bool = False
    ) -> Iterator[PostgresConnection]:
        """Lend a connection for one transaction; its errors say nothing about the server.

        Tables without a schema are in `schema`, a name of ours.
        """
        kind = "ISOLATION LEVEL REPEATABLE READ READ ONLY" if only_reading else ""
        where = f'; SET LOCAL search_path = "{schema}"' if schema else ""
        with check_values(), _our_errors():
            raw = self._connect()
            try:
                with raw:  # commits, or rolls back
                    raw.execute(f"BEGIN {kind}; {_LIMITS}{where}".encode())
                    yield PostgresConnection(raw)
            finally:
                self.pool.putconn(raw)

    def close(self) -> None:
        """Close all connections."""
        self.pool.close()

    def _connect(self) -> psycopg.Connection[NamedRow]:
        try:
            return self.pool.getconn(_USUAL_S)
        except PoolTimeout:
            self._try_to_connect()
        return self.pool.getconn()

    def _try_to_connect(self) -> None:
        """Raise a DatabaseError that says why no connection can be opened, as the pool does not."""
        try:
            psycopg.connect(**self._options).close()  # type: ignore[arg-type]
        except psycopg.Error as error:
            spoken = str(error).rpartition("failed: ")[2]
            codes = (code for words, code in _WORDS.items() if words in spoken)
            code = next(codes, "app.database_unreachable")
        else:
            return
        raise DatabaseError(code) from None  # its cause names the server


@contextmanager
def _our_errors() -> Iterator[None]:
    """Replace the errors of psycopg."""
    try:
        yield
    except psycopg.Error as error:
        ours = _our_error(error)
    else:
        return
    raise ours from None  # its cause may name the server


def _our_error(error: psycopg.Error) -> LocisimilesError:
    state = error.sqlstate
    if code := _INPUT_CODES.get(state or ""):
        return InputError(code)
    if code := _DATABASE_CODES.get(state or ""):
        return DatabaseError(code)
    if isinstance(error, PoolTimeout):
        return DatabaseError("app.database_busy")
    if isinstance(error, psycopg.OperationalError):
        return DatabaseError("app.database_lost")
    if isinstance(error, psycopg.DataError) and state is None:
        return InputError("app.nul_character")  # psycopg itself refuses nothing else
    return DatabaseError("app.database_refused", code=state)
