"""Two servers with one database, of which one dies."""

import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

from locisimiles.app.projects.collection import ProjectCollection
from locisimiles.app.projects.inputs import add_file
from locisimiles.app.search.parameters import SearchParameters
from locisimiles.app.search.status import request_search
from locisimiles.app.search.worker import SearchRun

QUERIES = 400
LINE = "haesit uox faucibus numero {} et omnia tuta timeo.\n"
TEXTS = {
    "query": "".join(map(LINE.format, range(QUERIES))),
    "source": "".join(map(LINE.format, range(100))),
}


class Server:
    """The app as users start it, with the address of the database in the environment."""

    def __init__(self, address, folder):
        with socket.socket() as trial:
            trial.bind(("127.0.0.1", 0))
            port = trial.getsockname()[1]
        # NiceGUI behaves differently where it believes to be tested itself.
        inherited = {name: value for name, value in os.environ.items() if "PYTEST" not in name}
        places = {"LOCISIMILES_DATABASE": address, "LOCISIMILES_PROJECTS": str(folder)}
        places["LOCISIMILES_NO_TOKEN"] = "1"
        with (folder / f"{port}.log").open("w") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "locisimiles", "app", "--no-browser", "--port", str(port)],
                cwd=folder,
                env={**inherited, **places},
                stderr=log,
            )
        self.client = httpx.Client(base_url=f"http://127.0.0.1:{port}/api/v1", timeout=60)

    def wait(self):
        end = time.monotonic() + 60
        while True:
            try:
                return self.client.get("/projects").raise_for_status()
            except httpx.TransportError:
                assert self.process.poll() is None
                assert time.monotonic() < end
                time.sleep(0.1)

    def __call__(self, method, path="", **options):
        answer = self.client.request(method, f"/projects{path}", **options)
        assert answer.is_success, answer.text
        return answer.json()

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.client.close()


@pytest.fixture
def servers(postgres, postgres_storage, tmp_path):  # noqa: ARG001 - it is cleared afterwards
    """Return two servers; both are killed at the end."""
    started = [Server(postgres.address(), tmp_path) for _ in range(2)]
    try:
        for server in started:
            server.wait()
        yield started
    finally:
        for server in started:
            server.kill()


def wait(server, until):
    end = time.monotonic() + 90
    while not until(status := server("GET", "/letters/search")):
        assert time.monotonic() < end, status
        time.sleep(0.02)
    return status


def arguments_of_all_processes():
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            yield path.read_bytes()
        except OSError:
            continue


def everything(project):
    with project.database.reading() as connection:
        return [tuple(row) for row in connection.execute("SELECT * FROM result ORDER BY row")]


def test_another_server_finishes_a_search(servers, postgres, postgres_storage, tmp_path):
    first, second = servers
    first("POST", json={"title": "Letters"})
    for side, text in TEXTS.items():
        first("PUT", f"/letters/texts/{side}/{side}.txt", content=text)
    first("POST", "/letters/search", json={"method": "bm25", "k": 2})
    status = wait(second, lambda status: status["finished_queries"] > 0)
    assert status["state"] == "running"
    assert not any(postgres.password.encode() in line for line in arguments_of_all_processes())
    for server, reader, verdict in ((first, "Ann", "cit."), (second, "Bob", "cf.")):
        pair = server("GET", "/letters/results", params={"limit": 1})["rows"][0]
        judged = {name: pair[name] for name in ("query_id", "source_id")}
        server("PUT", "/letters/judgements", json={**judged, "verdict": verdict, "reader": reader})
    first.kill()
    kept = second("GET", "/letters/search")["finished_queries"]
    assert 0 < kept < QUERIES
    second("POST", "/letters/search/resume")
    status = wait(second, lambda status: status["state"] not in ("waiting", "running"))
    assert (status["state"], status["finished_queries"]) == ("done", QUERIES)
    verdicts = second("GET", "/letters/judgements")
    assert [(one["reader"], one["verdict"]) for one in verdicts] == [
        ("Ann", "cit."),
        ("Bob", "cf."),
    ]
    # All is found, once, and as it is found without a crash and in the other kind of storage.
    other = ProjectCollection(tmp_path / "other").create("Letters")
    for side, text in TEXTS.items():
        add_file(other, side, f"{side}.txt", text.encode())
    SearchRun(other, request_search(other, SearchParameters(method="bm25", k=2))).run()
    assert everything(ProjectCollection(postgres_storage).open("letters")) == everything(other)
    _lose_the_database(second, postgres)
    for path in tmp_path.glob("*.log"):
        said = path.read_text()
        assert "Traceback" not in said
        assert postgres.password not in said
        assert "/tmp" not in said


def _lose_the_database(server, postgres):
    """Check what users see while it is away, and that no server needs a restart."""
    page = str(server.client.base_url).removesuffix("api/v1/")
    postgres.stop()
    try:
        answer = server.client.get("/projects")
        shown = httpx.get(page, timeout=60)
    finally:
        postgres.start()
    assert (answer.status_code, answer.headers["content-type"]) == (503, "application/json")
    assert answer.json()["error"].startswith("the database cannot be reached; check its address")
    assert "the database cannot be reached" in shown.text
    for told in (answer.text, shown.text):
        assert not any(part in told for part in (postgres.password, "/tmp", "Traceback"))
    assert [one["id"] for one in server("GET")] == ["letters"]
