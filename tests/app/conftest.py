"""Projects to try things on, in both kinds of storage."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

import pytest

from locisimiles.app.projects import Projects
from locisimiles.app.searches import Searches, SearchParameters
from locisimiles.app.searching import SearchRun
from locisimiles.app.storage.sqlite import SqliteStorage
from locisimiles.app.texts import use_example

PASSWORD = "nemo-id-diuinat"
_WHO_MAY = "local all keeper trust\nlocal all all scram-sha-256\n"
_REMOVE_ALL = """
DO $$ DECLARE one bigint; BEGIN
    FOR one IN DELETE FROM locisimiles.project RETURNING number LOOP
        EXECUTE format('DROP SCHEMA locisimiles_%s CASCADE', one);
    END LOOP;
END $$
"""
# Nothing of it shall survive the tests, so nothing waits for the disk.
_SETTINGS = {
    "fsync": "off", "synchronous_commit": "off", "full_page_writes": "off",
    "listen_addresses": "", "shared_buffers": "32MB", "log_min_messages": "panic",
}  # fmt: skip


def _postgres_programs():
    found = shutil.which("initdb")
    installed = (
        [Path(found).resolve()] if found else Path("/usr/lib/postgresql").glob("*/bin/initdb")
    )
    return max((path.parent for path in installed), default=None)


def _as_somebody(folder):
    """Return how a program is started that refuses to be root."""
    if os.getuid() != 0:
        return {}
    shutil.chown(folder, "nobody")
    return {"user": "nobody", "extra_groups": [], "cwd": folder}


class Server:
    """A PostgreSQL of our own, behind a socket in a folder of its own."""

    def __init__(self, programs, folder):
        self._programs, self._folder = programs, folder
        self._somebody, self._process = _as_somebody(folder), None

    def make(self):
        subprocess.run(
            [self._programs / "initdb", "-D", self._folder / "data", "-U", "keeper", "-E", "UTF8",
             "--locale=C", "--no-sync", "--auth=trust"],
            check=True, capture_output=True, **self._somebody,
        )  # fmt: skip
        (self._folder / "data" / "pg_hba.conf").write_text(_WHO_MAY)
        self.start()
        self.tell(f"CREATE ROLE ann LOGIN PASSWORD '{PASSWORD}'")
        # One that sorts as a dictionary does, if nobody says otherwise.
        self.tell(
            "CREATE DATABASE loci OWNER ann TEMPLATE template0 LOCALE_PROVIDER icu "
            "ICU_LOCALE 'en-US'"
        )

    def start(self):
        named = [part for name, value in _SETTINGS.items() for part in ("-c", f"{name}={value}")]
        self._process = subprocess.Popen(
            [self._programs / "postgres", "-D", self._folder / "data", "-k", self._folder, *named],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **self._somebody,
        )  # fmt: skip
        end = time.monotonic() + 60
        while not self._answers():
            assert self._process.poll() is None
            assert time.monotonic() < end
            time.sleep(0.05)

    def _answers(self):
        import psycopg

        try:
            return self.tell("SELECT true")
        except psycopg.OperationalError:
            return False

    def stop(self):
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGINT)  # at once, but in order
            self._process.wait(30)

    def address(self, user="ann", password=PASSWORD, database="loci"):
        return f"postgresql://{user}:{password}@/{database}?host={self._folder}"

    def tell(self, sql, database="postgres"):
        import psycopg

        address = self.address("keeper", database=database)
        with psycopg.connect(address, autocommit=True) as connection:
            done = connection.execute(sql)
            return done.fetchall() if done.description else []


@pytest.fixture(scope="session")
def postgres():
    """Return a server for all tests of this process; they are skipped where there is none."""
    pytest.importorskip("psycopg", reason="needs psycopg: pip install 'locisimiles[postgres]'")
    programs = _postgres_programs()
    if programs is None:
        pytest.skip("needs PostgreSQL: apt-get install postgresql")
    folder = Path(tempfile.mkdtemp(prefix="loci"))  # a short name: it is part of a socket's
    server = Server(programs, folder)
    try:
        server.make()
        yield server
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def postgres_storage(postgres):
    """Return a database without projects."""
    from locisimiles.app.storage.postgres import PostgresStorage

    storage = PostgresStorage(postgres.address())
    yield storage
    storage.close()
    postgres.tell(_REMOVE_ALL, "loci")


@pytest.fixture(params=["sqlite", "postgres"])
def storage(request, tmp_path):
    """Return a place for projects; what uses it is tested with both kinds."""
    if request.param == "sqlite":
        return SqliteStorage(tmp_path / "projects")
    return request.getfixturevalue("postgres_storage")


@pytest.fixture
def projects(storage):
    return Projects(storage)


@pytest.fixture
def project(projects):
    return projects.create("Jerome")


def search_here(project, **parameters):
    """Search in this very process."""
    number = Searches(project).ask(SearchParameters(**{"method": "bm25", "k": 5, **parameters}))
    SearchRun(project, number).run()


@pytest.fixture
def search():
    return search_here


@pytest.fixture(scope="session")
def searched_file(tmp_path_factory):
    """Return the SQLite file of a project that was searched."""
    made = Projects(tmp_path_factory.mktemp("searched")).create("Example")
    use_example(made)
    search_here(made)
    return made.database.path.read_bytes()


@pytest.fixture
def searched(storage, searched_file, tmp_path):
    """Return a project with the example texts, and five candidates for each segment."""
    if isinstance(storage, SqliteStorage):
        storage.path("", "example").write_bytes(searched_file)
        return Projects(storage).open("example")
    original = SqliteStorage(tmp_path / "original")
    original.path("", "example").write_bytes(searched_file)
    made = Projects(storage).create("Example")
    _copy(Projects(original).open("example"), made)
    return made


def _copy(original, made):
    with original.database.reading() as old, made.database.writing() as new:
        for table in ("input", "segment", "search", "result"):
            rows = old.execute(f"SELECT * FROM {table}").fetchall()
            names, signs = ", ".join(rows[0].keys()), ", ".join("?" * len(rows[0]))
            new.executemany(f"INSERT INTO {table} ({names}) VALUES ({signs})", map(tuple, rows))
        for table in ("input", "search"):
            new.execute(
                f"SELECT setval(pg_get_serial_sequence('{table}', 'number'), MAX(number)) "
                f"FROM {table}"
            )
