"""Searches over the REST API: listed, shown, named, compared, resumed, deleted."""

import pytest
from tests.app.test_api import Client, NoJobs, ask, context, example  # noqa: F401 - fixtures

from locisimiles.app.projects.collection import ProjectCollection
from locisimiles.app.search.worker import SearchRun

NEW = "arma uirumque cano Troiae qui primus ab oris. uox faucibus haesit."


@pytest.fixture
def two(ask, example):  # noqa: F811
    """Return the place of a project with two searches, the second of one more text."""
    ask("PUT", f"{example}/texts/query/new.txt", content=NEW)
    done = ask(
        "POST", f"{example}/search", json={"method": "bm25", "k": 3, "name": "  with  arma "}
    )
    assert (done.status_code, done.json()["number"]) == (202, 2)
    return example


def test_searches_are_listed_with_their_texts(ask, two):  # noqa: F811
    newest, first = ask("GET", f"{two}/searches").json()
    assert (newest["number"], newest["name"], newest["is_current"]) == (2, "with arma", True)
    assert (first["number"], first["name"], first["is_current"]) == (1, "", False)
    assert "new.txt" in newest["query_names"]
    assert first["pairs"] == 126 < newest["pairs"]
    assert not first["can_resume"]


def test_one_search_is_shown_named_and_deleted(ask, two):  # noqa: F811
    shown = ask("GET", f"{two}/searches/1").json()
    assert (shown["number"], shown["state"], shown["parameters"]["k"]) == (1, "done", 3)
    named = ask("PATCH", f"{two}/searches/1", json={"name": "before"})
    assert named.json()["name"] == ask("GET", f"{two}/searches").json()[1]["name"] == "before"
    assert ask("DELETE", f"{two}/searches/1").status_code == 204
    assert [one["number"] for one in ask("GET", f"{two}/searches").json()] == [2]
    assert ask("GET", f"{two}/searches/1").status_code == 404


def test_results_come_by_search_and_searches_are_compared(ask, two):  # noqa: F811
    old = ask("GET", f"{two}/searches/1/results", params={"limit": 1000}).json()
    new = ask("GET", f"{two}/searches/2/results", params={"limit": 1000}).json()
    assert (old["total"], len(old["rows"])) == (126, 126)
    counts = ask("GET", f"{two}/searches/2/compare/1").json()
    pairs = [{(r["query_id"], r["source_id"]) for r in one["rows"]} for one in (old, new)]
    assert counts == {
        "both": len(pairs[0] & pairs[1]),
        "only_this": len(pairs[1] - pairs[0]),
        "only_other": len(pairs[0] - pairs[1]),
    }
    assert counts["only_this"] > 0
    only = ask("GET", f"{two}/searches/2/results", params={"not_in": 1}).json()
    assert only["total"] == counts["only_this"]


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/searches/9"),
        ("PATCH", "/searches/9"),
        ("DELETE", "/searches/9"),
        ("POST", "/searches/9/resume"),
        ("GET", "/searches/9/results"),
        ("GET", "/searches/1/compare/9"),
        ("GET", "/searches/9/compare/1"),
    ],
)
@pytest.mark.parametrize("storage", ["sqlite"], indirect=True)
def test_a_search_that_does_not_exist_is_not_found(ask, example, method, path):  # noqa: F811
    options = {"json": {"name": "x"}} if method == "PATCH" else {}
    answer = ask(method, f"{example}{path}", **options)
    assert (answer.status_code, "9" in answer.text) == (404, True)


def test_any_stopped_search_resumes_and_only_one_runs(ask, two, storage):  # noqa: F811
    project = ProjectCollection(storage).open("example")
    assert ask("POST", f"{two}/searches/1/resume").status_code == 409
    with project.database.writing() as connection:  # as if it had been stopped in the middle
        connection.execute("DELETE FROM result WHERE search = 1 AND query >= 20")
        connection.execute(
            "UPDATE search SET state = 'cancelled', finished_queries = 20 WHERE number = 1"
        )
    newest, first = ask("GET", f"{two}/searches").json()
    assert (first["can_resume"], newest["can_resume"]) == (True, False)
    resumed = ask("POST", f"{two}/searches/1/resume")
    assert (resumed.status_code, resumed.json()["state"]) == (202, "waiting")
    assert ask("GET", f"{two}/search").json()["number"] == 1  # the one under way is followed
    refused = ask("POST", f"{two}/search", json={"method": "bm25"})
    assert refused.status_code == 400
    assert ask("DELETE", f"{two}/searches/1").status_code == 400
    SearchRun(project, 1).run()
    assert ask("GET", f"{two}/search").json()["number"] == 2
    found = ask("GET", f"{two}/searches/1/results", params={"limit": 1000}).json()
    assert found["total"] == 126
    assert {row["query"] for row in found["rows"]} == set(range(42))  # the texts of then


def test_stopping_answers_with_the_search_that_was_stopped(ask, two, storage):  # noqa: F811
    project = ProjectCollection(storage).open("example")
    with project.database.writing() as connection:
        connection.execute("UPDATE search SET state = 'running' WHERE number = 1")
    stopped = ask("DELETE", f"{two}/search").json()
    assert (stopped["number"], stopped["state"], stopped["can_resume"]) == (1, "cancelled", True)
