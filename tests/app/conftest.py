"""Projects to try things on."""

import zlib

import numpy as np
import pytest

from locisimiles.app.projects import Projects
from locisimiles.app.searches import Searches, SearchParameters
from locisimiles.app.searching import SearchRun
from locisimiles.app.texts import use_example


@pytest.fixture
def projects(tmp_path):
    return Projects(tmp_path / "projects")


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
    made = Projects(tmp_path_factory.mktemp("searched")).create("Example")
    use_example(made)
    search_here(made)
    return made.path.read_bytes()


@pytest.fixture
def searched(projects, searched_file):
    """Return a project with the example texts, and five candidates for each segment."""
    (projects.folder / "example.sqlite").write_bytes(searched_file)
    return projects.open("example")


class Guessing:
    """A classifier that knows nothing, but always thinks the same; many pairs are equal to it."""

    spread = 0.3

    def parameters(self):
        return {"classifier": "guessing"}

    def probabilities(self, query, source, queries, sources, *, progress=None):  # noqa: ARG002
        cit = [
            zlib.crc32(f"{query.ids[q]} {source.ids[s]}".encode()) % 40 / 50
            for q, s in zip(queries, sources, strict=True)
        ]
        return np.array([(1 - c, c / 2, c / 2) for c in cit], np.float32)


@pytest.fixture
def guessing(monkeypatch):
    """Let every search be judged by the same cheap guesses."""
    classifier = Guessing()
    monkeypatch.setattr(SearchParameters, "classifier", lambda _: classifier)
    return classifier
