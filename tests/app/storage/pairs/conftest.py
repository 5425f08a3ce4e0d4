"""A search that the app made, and the same pairs imported from a file."""

import re

import numpy as np
import pytest
from tests.app.conftest import search_here

from locisimiles.app.projects.inputs import use_example
from locisimiles.app.search.importing import import_pairs
from locisimiles.app.storage.pairs.connection import PairsConnection
from locisimiles.app.storage.sqlite import SqliteStorage
from locisimiles.files.parquet_columns import write_columns

# What DuckDB would take in another sense, or answer by comparing the ids of millions.
NOT_FOR_PAIRS = re.compile(
    r"json_each|CAST\((?!NULL\b)[^?].*? AS INTEGER\)|(?:query|source)(?: \* \d+)? / \d"
    r"|(?:said|mine|decided)\.(?:query|source)_id|query_id, source_id FROM (?:judgement|decision)"
)


@pytest.fixture(autouse=True)
def in_their_words(monkeypatch):
    """Fail if a file of pairs is asked in the words that are for tables."""
    run = PairsConnection._run

    def checked(self, sql, values):
        assert not NOT_FOR_PAIRS.search(sql), sql
        return run(self, sql, values)

    monkeypatch.setattr(PairsConnection, "_run", checked)


def written(project, path, *, judged=True):
    """Write the results of the newest search to a file, as a job does: without parallels."""
    with project.database.writing() as connection:
        connection.execute("UPDATE result SET parallel_to = ''")
        rows = connection.execute(
            "SELECT query_id, source_id, rank, score, probability, cit, cf FROM result "
            "WHERE search = (SELECT MAX(search) FROM result) ORDER BY query, rank"
        ).fetchall()
    names = ("query_id", "source_id", "rank", "score", "probability", "probability_cit",
             "probability_cf")  # fmt: skip
    kinds = (object, object, np.int32, *[np.float32] * 4)
    columns = {
        name: np.array([row[at] for row in rows], kind)
        for at, (name, kind) in enumerate(zip(names, kinds, strict=True))
        if judged or not name.startswith("probability")
    }
    write_columns(path, columns, {})
    return path


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.slow)])
def storage(request, tmp_path):
    """Return a place for projects; what is compared here lies in a file beside either kind."""
    if request.param == "sqlite":
        return SqliteStorage(tmp_path / "projects")
    return request.getfixturevalue("postgres_storage")


@pytest.fixture
def both(project, guessing, tmp_path):  # noqa: ARG001 - it judges
    """Return a project, and the numbers of two searches with the same pairs."""
    use_example(project)
    search_here(project, k=7)
    made = project.searched()
    imported = import_pairs(project, written(project, tmp_path / "pairs.parquet"), name="of a job")
    return project, made, imported
