"""Learning over the REST API."""

import asyncio

import httpx
import pytest

from locisimiles.app.access.middleware import Access
from locisimiles.app.api import make_api
from locisimiles.app.context import AppContext
from locisimiles.app.judging.exchange import import_judgements
from locisimiles.app.results import ResultTable


@pytest.fixture
def ask(storage, searched, tmp_path):
    with searched.database.writing() as connection:
        connection.execute(
            "UPDATE result SET cit = 0.5 / (rank + 1), cf = 0.25 / (rank + 1), "
            "probability = 0.75 / (rank + 1), type = 'cit.'"
        )
    application = Access(make_api(AppContext(tmp_path, storage=storage)))

    def ask(method, path, **options):
        async def asking():
            transport = httpx.ASGITransport(application, raise_app_exceptions=False)
            async with httpx.AsyncClient(
                transport=transport, base_url="http://127.0.0.1:8765"
            ) as client:
                return await client.request(method, f"/projects/example{path}", **options)

        return asyncio.run(asking())

    return ask


@pytest.fixture
def judged(searched):
    lines = ["query_id,source_id,verdict"]
    for row in ResultTable(searched.database).page(limit=60).rows:
        verdict = "cit." if row["source_author"] == "Virgil" else "reject"
        lines.append(f"{row['query_id']},{row['source_id']},{verdict}")
    import_judgements(searched, "t.csv", "\n".join(lines).encode(), reader="Ann")


@pytest.mark.usefixtures("judged")
def test_learning_is_measured_applied_shown_and_taken_back(ask):
    shipped = ask("GET", "/results", params={"limit": 1000}).json()["rows"]
    assert ask("GET", "/learning").json() == {
        "report": None, "time": 0.0, "steps": 0, "was_reset": False,
    }  # fmt: skip
    tried = ask("POST", "/learning", json={"apply": "never"}).json()
    assert (tried["yes"] + tried["no"], tried["helps"], tried["applied"]) == (60, True, False)
    assert ask("GET", "/results", params={"limit": 1000}).json()["rows"] == shipped
    done = ask("POST", "/learning", json={}).json()
    assert done["applied"]
    assert {**done, "applied": False} == tried
    state = ask("GET", "/learning").json()
    assert (state["report"], state["steps"]) == (done, 1)
    learnt = ask("GET", "/results", params={"limit": 1000, "order": "probability"}).json()["rows"]
    assert [row["row"] for row in learnt] != [row["row"] for row in shipped]
    assert {row["row"]: row["shipped"] for row in learnt} == {
        row["row"]: row["probability"] for row in shipped
    }
    ask("POST", "/learning", json={"apply": "always"})
    assert ask("POST", "/learning/undo").json()["steps"] == 1
    assert ask("DELETE", "/learning").json()["report"] is None
    assert ask("GET", "/results", params={"limit": 1000}).json()["rows"] == shipped


def test_learning_without_verdicts_is_refused(ask):
    answer = ask("POST", "/learning", json={})
    assert answer.status_code == 400
    assert "no verdicts" in answer.json()["error"]


@pytest.mark.usefixtures("judged")
@pytest.mark.parametrize("body", [{"apply": "perhaps"}, {"aply": "always"}, [], "x"])
def test_wrong_values_are_refused(ask, body):
    assert ask("POST", "/learning", json=body).status_code == 422
    assert ask("GET", "/learning").json()["steps"] == 0


def test_the_openapi_document_describes_it(tmp_path):
    paths = make_api(AppContext(tmp_path)).openapi()["paths"]
    assert set(paths["/projects/{project}/learning"]) == {"get", "post", "delete"}
    assert "/projects/{project}/learning/undo" in paths
