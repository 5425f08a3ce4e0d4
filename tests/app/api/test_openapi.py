"""Requests made from the description of the API: none of them is a server error."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings, strategies

from locisimiles.app.api import make_api
from locisimiles.app.context import AppContext
from locisimiles.app.search.jobs import Jobs
from locisimiles.app.search.status import request_search, resume_search

schemathesis = pytest.importorskip("schemathesis", reason="run `make test-openapi`")

from schemathesis.checks import not_a_server_error  # noqa: E402 - may be missing
from schemathesis.specs.openapi.checks import response_schema_conformance  # noqa: E402

pytestmark = [
    pytest.mark.slow,
    # It warns of what it will do otherwise in its next version.
    pytest.mark.filterwarnings("default"),
]
PROJECT = "example"
EXAMPLES = 60


class NoJobs(Jobs):
    """Searches are requested, but no process runs them."""

    def start(self, project, parameters, *, name="", reuse=True):
        return request_search(project, parameters, name=name, reuse=reuse)

    def resume(self, project, number=None):
        return resume_search(project, number) is not None


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    return tmp_path_factory.mktemp("projects")


class Refilled:
    """The API over a project that is whole again before each request, even if it was deleted."""

    def __init__(self, folder, path, content):
        self.api = make_api(AppContext(folder, jobs=NoJobs()))
        self.path, self.content = path, content

    async def __call__(self, scope, receive, send):
        if not self.path.exists():
            self.path.write_bytes(self.content)
        await self.api(scope, receive, send)


@pytest.fixture
def described(place, searched_file, mirror):  # noqa: ARG001 - nothing is downloaded
    api = Refilled(place, place / f"{PROJECT}.sqlite", searched_file)
    return schemathesis.openapi.from_asgi("/openapi.json", api)


def operations():
    paths = make_api(AppContext(Path())).openapi()["paths"]
    return sorted((path, method.upper()) for path, methods in paths.items() for method in methods)


@pytest.mark.parametrize(("path", "method"), operations())
def test_no_request_is_a_server_error(described, path, method):
    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(strategies.data())
    def asked(data):
        case = data.draw(described[path][method].as_strategy())
        # Chance finds no project; most requests are for one that exists.
        if "project" in case.path_parameters and data.draw(strategies.integers(0, 3)):
            case.path_parameters["project"] = PROJECT
        case.call_and_validate(checks=[not_a_server_error, response_schema_conformance])

    asked()
