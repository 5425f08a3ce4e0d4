"""Projects to try things on, in both kinds of storage."""

import zlib
from pathlib import Path

import numpy as np
import pytest
from tests.app.small_library import SMALL, Mirror
from tests.corpus.library.conftest import WebServer

from locisimiles.app.projects.collection import ProjectCollection
from locisimiles.app.projects.inputs import use_example
from locisimiles.app.search.parameters import SearchParameters
from locisimiles.app.search.status import request_search
from locisimiles.app.search.worker import SearchRun
from locisimiles.app.storage.sqlite import SqliteStorage
from locisimiles.classify.base_rates import BaseRates, RateModel
from locisimiles.classify.calibration import Calibration
from locisimiles.corpus.library import catalogue

_REMOVE_ALL = """
DO $$ DECLARE one bigint; BEGIN
    FOR one IN DELETE FROM locisimiles.project RETURNING number LOOP
        EXECUTE format('DROP SCHEMA locisimiles_%s CASCADE', one);
    END LOOP;
END $$
"""


@pytest.fixture
def postgres_storage(postgres):
    """Return a database without projects."""
    from locisimiles.app.storage.postgres import PostgresStorage

    storage = PostgresStorage(postgres.address())
    yield storage
    storage.close()
    postgres.tell(_REMOVE_ALL, "loci")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """All SQL is in the room `app.storage`: other tests with PostgreSQL run in make test-all."""
    storage = Path(__file__).parent / "storage"
    for item in items:
        storages = getattr(item, "callspec", None) and item.callspec.params.get("storage")
        if storages == "postgres" and storage not in item.path.parents:
            item.add_marker(pytest.mark.slow)


@pytest.fixture(params=["sqlite", "postgres"])
def storage(request, tmp_path):
    """Return a place for projects; what uses it is tested with both kinds."""
    if request.param == "sqlite":
        return SqliteStorage(tmp_path / "projects")
    return request.getfixturevalue("postgres_storage")


@pytest.fixture
def projects(storage):
    return ProjectCollection(storage)


@pytest.fixture
def project(projects):
    return projects.create("Jerome")


def search_here(project, **parameters):
    """Search in this very process."""
    number = request_search(project, SearchParameters(**{"method": "bm25", "k": 5, **parameters}))
    SearchRun(project, number).run()


@pytest.fixture
def search():
    return search_here


@pytest.fixture(scope="session")
def searched_file(tmp_path_factory):
    """Return the SQLite file of a project that was searched."""
    made = ProjectCollection(tmp_path_factory.mktemp("searched")).create("Example")
    use_example(made)
    search_here(made)
    return made.database.path.read_bytes()


@pytest.fixture
def searched(storage, searched_file, tmp_path):
    """Return a project with the example texts, and five candidates for each segment."""
    if isinstance(storage, SqliteStorage):
        storage.path("", "example").write_bytes(searched_file)
        return ProjectCollection(storage).open("example")
    original = SqliteStorage(tmp_path / "original")
    original.path("", "example").write_bytes(searched_file)
    made = ProjectCollection(storage).create("Example")
    _copy(ProjectCollection(original).open("example"), made)
    return made


def _copy(original, made):
    with original.database.reading() as old, made.database.writing() as new:
        new.execute("DELETE FROM edition")
        for table in ("edition", "edition_input", "input", "segment", "search", "result"):
            rows = old.execute(f"SELECT * FROM {table}").fetchall()
            names, signs = ", ".join(rows[0].keys()), ", ".join("?" * len(rows[0]))
            new.executemany(f"INSERT INTO {table} ({names}) VALUES ({signs})", map(tuple, rows))
        for table in ("input", "search"):
            new.execute(
                f"SELECT setval(pg_get_serial_sequence('{table}', 'number'), MAX(number)) "
                f"FROM {table}"
            )


class Guessing:
    """A classifier that knows nothing, but always thinks the same; many pairs are equal to it."""

    calibration = Calibration(spread=0.3)

    def parameters(self):
        return {"classifier": "guessing"}

    def probabilities(self, pairs, *, progress=None):  # noqa: ARG002
        cit = [zlib.crc32(" ".join(ids).encode()) % 40 / 50 for ids in pairs.ids]
        return np.array([(1 - c, c / 2, c / 2) for c in cit], np.float32)


@pytest.fixture
def guessing(monkeypatch):
    """Let every search be judged by the same cheap guesses."""
    classifier = Guessing()
    pipeline = SearchParameters.pipeline

    def judged(self, selection=None):
        made = pipeline(self, selection)
        made.classifier = classifier
        return made

    monkeypatch.setattr(SearchParameters, "pipeline", judged)
    return classifier


@pytest.fixture
def adapting(guessing, monkeypatch):
    """Let these guesses be adapted to how often a text refers."""
    usual = RateModel(constant=-1.0, rate=0.3, above=0.5, below=1.0, weight=0.5, spread=0.6)
    calibration = Calibration(spread=0.25, base_rates=BaseRates(RateModel(), usual))
    monkeypatch.setattr(type(guessing), "calibration", calibration)
    return guessing


@pytest.fixture
def mirror(tmp_path, monkeypatch):
    """Have a library of six small texts, none of them installed; return where they come from."""
    mirror = Mirror(WebServer())
    monkeypatch.setattr(catalogue, "_shipped", lambda: SMALL)
    monkeypatch.setattr("locisimiles.corpus.library.download._RETRIES", 0)
    monkeypatch.setenv("LOCISIMILES_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("LOCISIMILES_MIRROR", mirror.server.address)
    yield mirror
    mirror.stop()
