"""The REST API."""

import asyncio

import httpx
import pytest

from locisimiles.app.access.middleware import Access
from locisimiles.app.api import make_api
from locisimiles.app.context import AppContext
from locisimiles.app.search.status import cancel_search, request_search, resume_search
from locisimiles.app.search.worker import SearchRun
from locisimiles.export import EXPORT_SUFFIXES

TEXT = "haesit uox faucibus.\nomnia tuta timeo.\n"


class Client:
    """Asks the application itself, without a network."""

    def __init__(self, application, **headers):
        self._application, self._headers = application, headers

    def __call__(self, method, path, **options):
        async def ask():
            transport = httpx.ASGITransport(self._application, raise_app_exceptions=False)
            async with httpx.AsyncClient(
                transport=transport, base_url="http://127.0.0.1:8765", headers=self._headers
            ) as client:
                return await client.request(method, path, **options)

        return asyncio.run(ask())


class NoJobs:
    """Searches here and now instead of in a process."""

    def start(self, project, parameters, **options):
        number = request_search(project, parameters, **options)
        SearchRun(project, number).run()
        return number

    def resume(self, project, number=None):
        return resume_search(project, number) is not None

    def cancel(self, project):
        cancel_search(project)


@pytest.fixture
def context(tmp_path, storage):
    return AppContext(tmp_path, jobs=NoJobs(), storage=storage)


@pytest.fixture
def ask(context):
    return Client(Access(make_api(context)))


@pytest.fixture
def example(ask):
    ask("POST", "/projects", json={"title": "Example", "example": True})
    done = ask("POST", "/projects/example/search", json={"method": "bm25", "k": 3})
    assert (done.status_code, done.json()["state"]) == (202, "done")
    return "/projects/example"


def test_the_whole_way_from_files_to_judgements_that_are_read_again(ask):
    assert ask("POST", "/projects", json={"title": "My letters"}).json()["id"] == "my-letters"
    place = "/projects/my-letters"
    query = ask("PUT", f"{place}/texts/query/q.txt", content=TEXT)
    assert [s["text"] for s in query.json()["segments"]] == TEXT.splitlines()
    ask("PUT", f"{place}/texts/source/s.csv", content="id,text\na,uox faucibus haesit\nb,\n")
    source = ask("GET", f"{place}/texts/source").json()
    assert source["remarks"] == ["s.csv: 1 row skipped, the text is empty (row 3)"]
    ask("POST", f"{place}/search", json={"method": "bm25", "k": 3})
    found = ask("GET", f"{place}/results", params={"texts": True}).json()
    assert found["total"] == 1
    pair = {name: found["rows"][0][name] for name in ("query_id", "source_id")}
    judged = ask("PUT", f"{place}/judgements", json={**pair, "verdict": "cit.", "note": "!"})
    assert judged.json()["verdict"] == "cit."
    table = ask("GET", f"{place}/judgements.csv").content
    ask("PUT", f"{place}/judgements", json={**pair, "verdict": "reject"})
    again = ask("POST", f"{place}/judgements/import/t.csv", content=table)
    assert again.json() == {"new": 0, "changed": 0, "same": 0, "kept": 1}
    assert ask("POST", f"{place}/judgements/undo").json()["verdict"] == "cit."
    again = ask("POST", f"{place}/judgements/import/t.csv", content=table)
    assert again.json() == {"new": 0, "changed": 0, "same": 1, "kept": 0}
    assert ask("GET", f"{place}/results", params={"status": "cit."}).json()["total"] == 1
    undone = ask("POST", f"{place}/judgements/undo")
    assert undone.json()["verdict"] is None


def test_results_come_in_pages_filtered_and_ordered(ask, example):
    wanted = {"source_author": "Virgil", "order": "score", "limit": 5, "offset": 2}
    found = ask("GET", f"{example}/results", params=wanted).json()
    scores = [row["score"] for row in found["rows"]]
    assert len(scores) == 5
    assert scores == sorted(scores, reverse=True)
    assert {row["source_author"] for row in found["rows"]} == {"Virgil"}
    links = ask("GET", f"{example}/links", params={"source_author": "Virgil"}).json()
    assert sum(link["count"] for link in links) == found["total"]


def test_a_pair_has_its_words_and_the_reason(ask, example):
    pair = ask("GET", f"{example}/results/1").json()
    assert pair["alignment"][0][4] == "form"
    assert pair["explanation"].startswith("Shares ")
    assert ask("GET", f"{example}/results/99999").status_code == 404


@pytest.mark.parametrize("storage", ["sqlite"], indirect=True)
@pytest.mark.parametrize("suffix", EXPORT_SUFFIXES)
def test_exports_come_in_every_format(ask, example, suffix):
    done = ask("GET", f"{example}/export/{suffix[1:]}", params={"best": 1})
    assert done.status_code == 200
    assert done.headers["content-disposition"] == f'attachment; filename="example{suffix}"'
    assert len(done.content) > 50


def test_readers_are_compared(ask, example):
    rows = ask("GET", f"{example}/results", params={"limit": 2}).json()["rows"]
    for reader, verdicts in (("Ann", ["cit.", "reject"]), ("Bob", ["cit.", "cf."])):
        for row, verdict in zip(rows, verdicts, strict=True):
            pair = {name: row[name] for name in ("query_id", "source_id")}
            ask("PUT", f"{example}/judgements", json={**pair, "verdict": verdict, "reader": reader})
    (found,) = ask("GET", f"{example}/agreement").json()
    assert (found["readers"], found["agreed"]) == (["Ann", "Bob"], 1)
    wanted = {"status": "disagreement", "reader": "Ann"}
    assert ask("GET", f"{example}/results", params=wanted).json()["total"] == 1


def test_a_note_alone_leaves_the_verdict(ask, example):
    row = ask("GET", f"{example}/results", params={"limit": 1}).json()["rows"][0]
    pair = {name: row[name] for name in ("query_id", "source_id")}
    ask("PUT", f"{example}/judgements", json={**pair, "verdict": "cf."})
    kept = ask("PUT", f"{example}/judgements", json={**pair, "note": "why"}).json()
    assert (kept["verdict"], kept["note"]) == ("cf.", "why")


def test_the_openapi_document_names_every_place(ask):
    document = ask("GET", "/openapi.json").json()
    places = {
        f"/projects/{{project}}{rest}"
        for rest in (
            "",
            "/search",
            "/results",
            "/judgements",
            "/agreement",
            "/export/{format_name}",
        )
    }
    assert places <= set(document["paths"])
    names = {
        p["name"] for p in document["paths"]["/projects/{project}/results"]["get"]["parameters"]
    }
    assert {"source_author", "status", "order", "offset", "limit"} <= names


@pytest.mark.parametrize(
    "wrong",
    [
        ("GET", "/projects/none", {}, 404),
        ("GET", "/projects/..%2Fetc", {}, 404),
        ("GET", "/projects/example/results?order=x", {}, 400),
        ("GET", "/projects/example/results?status=x", {}, 400),
        ("GET", "/projects/example/results?limit=100000", {}, 422),
        ("GET", "/projects/example/export/exe", {}, 400),
        ("PUT", "/projects/example/texts/query/a.xml", {"content": "<TEI>"}, 400),
        ("PUT", "/projects/example/texts/query/a.pdf", {"content": "%PDF-1.4"}, 400),
        ("PUT", "/projects/example/texts/middle/a.txt", {"content": TEXT}, 422),
        ("PUT", "/projects/example/library/query/nonsense", {}, 400),
        ("POST", "/projects/example/search", {"json": {"method": "magic"}}, 400),
        ("POST", "/projects/example/search", {"json": {"k": 0}}, 422),
        ("POST", "/projects/example/search/resume", {}, 409),
        ("PUT", "/projects/example/judgements", {"json": {"verdict": "maybe"}}, 422),
        ("POST", "/projects/example/judgements/import/a.csv", {"content": "a,b"}, 400),
    ],
)
@pytest.mark.usefixtures("example")
def test_errors_name_no_path_of_the_server(ask, tmp_path, wrong):
    method, path, options, status = wrong
    done = ask(method, path, **options)
    assert done.status_code == status
    assert str(tmp_path) not in done.text
    assert "/tmp" not in done.text
    assert "Traceback" not in done.text


def test_unexpected_errors_name_no_path(ask, example, monkeypatch):
    def fail(*_):
        raise OSError(13, "denied", "/secret/place")

    monkeypatch.setattr("locisimiles.app.api.results.export_file", fail)
    done = ask("GET", f"{example}/export/csv")
    assert (done.status_code, done.json()) == (500, {"error": "something unexpected happened"})


def test_projects_can_be_deleted(ask, example):
    assert ask("DELETE", example).status_code == 204
    assert ask("GET", example).status_code == 404
    assert ask("GET", "/projects").json() == []


@pytest.mark.usefixtures("guessing")
def test_a_budget_is_kept_and_says_what_to_expect(ask, example):
    done = ask("POST", f"{example}/search", json={"method": "bm25", "k": 5, "budget": 40}).json()
    assert (done["state"], done["parameters"]["budget"]) == ("done", 40)
    told = done["references"]
    assert told["pairs"] == ask("GET", f"{example}/results").json()["total"] == 40
    assert 0 < told["low"] < told["expected"] < told["high"] <= 40
    assert not done["is_provisional"]


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"budget": 0}, "greater than or equal to 1"),
        ({"budget": 1.5}, "valid integer"),
        ({"precision": 80}, "write 0.8 or 80%"),
        ({"threshold": "much"}, "no share between 0 and 1"),
        ({"budget": 9, "threshold": 0.5}, "choose one of them"),
    ],
)
def test_wrong_selections_are_refused(ask, example, wrong, told):
    answer = ask("POST", f"{example}/search", json={"method": "bm25", **wrong})
    assert answer.status_code in (400, 422)
    assert told in answer.text
    assert ask("GET", f"{example}/results").json()["total"] == 126
