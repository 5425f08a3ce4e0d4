"""Who may ask."""

import asyncio

import httpx
import pytest

from locisimiles.app.access import middleware
from locisimiles.app.access.middleware import Access
from locisimiles.app.access.tokens import new_token
from locisimiles.app.api import make_api
from locisimiles.app.context import AppContext

TOKENS = {"secret-of-ann": "ann", "secret-of-bob": "bob"}


def ask(application, method, path, host="127.0.0.1:8765", **options):
    async def asking():
        transport = httpx.ASGITransport(application)
        async with httpx.AsyncClient(transport=transport, base_url=f"http://{host}") as client:
            return await client.request(method, path, **options)

    return asyncio.run(asking())


@pytest.fixture
def here(tmp_path):
    return Access(make_api(AppContext(tmp_path)))


@pytest.fixture
def server(tmp_path):
    return Access(make_api(AppContext(tmp_path, TOKENS)), TOKENS)


@pytest.mark.parametrize("host", ["127.0.0.1:8765", "localhost:8765", "[::1]:8765"])
def test_this_machine_is_let_in(here, host):
    assert ask(here, "GET", "/projects", host).status_code == 200


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "192.168.0.7:8765"])
def test_a_name_that_only_points_to_this_machine_is_refused(here, host):
    assert ask(here, "GET", "/projects", host).status_code == 403


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:9999"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
def test_another_page_cannot_change_anything(here, headers):
    done = ask(here, "POST", "/projects", json={"title": "x"}, headers=headers)
    assert done.status_code == 403
    assert ask(here, "GET", "/projects").json() == []


def test_our_own_page_can_change_things(here):
    headers = {"origin": "http://127.0.0.1:8765", "sec-fetch-site": "same-origin"}
    assert ask(here, "POST", "/projects", json={"title": "x"}, headers=headers).status_code == 201


def test_answers_forbid_what_pages_do_not_need(here):
    headers = ask(here, "GET", "/projects").headers
    assert headers["x-frame-options"] == "DENY"
    assert "default-src 'self'" in headers["content-security-policy"]


def test_a_body_that_is_too_long_is_refused(here, monkeypatch):
    monkeypatch.setattr(middleware, "_LARGEST_BODY", 100)
    ask(here, "POST", "/projects", json={"title": "x"})
    done = ask(here, "PUT", "/projects/x/texts/query/a.txt", content=b"x" * 200)
    assert done.status_code == 413


@pytest.mark.parametrize("token", ["", "wrong", "secret-of-anna", "sécret"])
def test_a_server_lets_nobody_in_without_a_token(server, token):
    headers = {"authorization": f"Bearer {token}".encode()}
    assert ask(server, "GET", "/projects", "example.org", headers=headers).status_code == 401
    assert ask(server, "GET", "/openapi.json", "example.org").status_code == 401


def test_users_have_projects_of_their_own(server):
    ann, bob = ({"authorization": f"Bearer {token}"} for token in TOKENS)
    ask(server, "POST", "/projects", "example.org", json={"title": "Mine"}, headers=ann)
    assert len(ask(server, "GET", "/projects", "example.org", headers=ann).json()) == 1
    assert ask(server, "GET", "/projects", "example.org", headers=bob).json() == []
    assert ask(server, "GET", "/projects/mine", "example.org", headers=bob).status_code == 404


def test_users_judge_in_their_own_name(server):
    ann = {"authorization": "Bearer secret-of-ann"}
    ask(server, "POST", "/projects", "example.org", json={"title": "Mine"}, headers=ann)
    given = {"query_id": "q", "source_id": "s", "verdict": "cf.", "reader": "bob"}
    done = ask(server, "PUT", "/projects/mine/judgements", "example.org", json=given, headers=ann)
    assert done.json()["reader"] == "ann"


def test_the_printed_address_becomes_a_cookie(server):
    headers = {"accept": "text/html"}
    done = ask(server, "GET", "/projects?token=secret-of-bob&a=1", "example.org", headers=headers)
    assert (done.status_code, done.headers["location"]) == (303, "/projects?a=1")
    cookie = done.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "samesite=strict" in cookie.lower()
    again = ask(
        server, "GET", "/projects", "example.org", headers={"cookie": cookie.partition(";")[0]}
    )
    assert again.status_code == 200


def test_another_page_cannot_listen():
    heard, said = [], []

    async def application(scope, *_):
        heard.append(scope)

    async def send(message):
        said.append(message)

    for origin in (b"http://127.0.0.1:8765", b"https://evil.example"):
        scope = {
            "type": "websocket",
            "headers": [(b"host", b"127.0.0.1:8765"), (b"origin", origin)],
            "path": "/",
        }
        asyncio.run(Access(application)(scope, None, send))
    assert len(heard) == 1
    assert said == [{"type": "websocket.close", "code": 1008}]


def test_tokens_are_new_and_long():
    assert len({new_token() for _ in range(10)}) == 10
    assert len(new_token()) >= 32
