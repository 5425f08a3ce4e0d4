"""Who may ask."""

import asyncio
import json
import re

import httpx
import pytest

from locisimiles.app.access import bodies, middleware
from locisimiles.app.access.audit import Audit
from locisimiles.app.access.logins import Logins
from locisimiles.app.access.middleware import Access
from locisimiles.app.access.tokens import Token
from locisimiles.app.api import make_api
from locisimiles.app.context import AppContext

TOKENS = (Token("secret-of-ann", "ann"), Token("secret-of-bob", "bob"))
PAGE = {"accept": "text/html"}


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
def logins():
    return Logins(TOKENS)


@pytest.fixture
def server(tmp_path, logins):
    audit = Audit(tmp_path / "audit.log")
    return Access(make_api(AppContext(tmp_path, ("ann", "bob"))), logins, audit=audit)


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
    monkeypatch.setattr(middleware, "LARGEST_BODY", 100)
    monkeypatch.setattr(bodies, "LARGEST_BODY", 100)
    ask(here, "POST", "/projects", json={"title": "x"})
    done = ask(here, "PUT", "/projects/x/texts/query/a.txt", content=b"x" * 200)
    assert done.status_code == 413


@pytest.mark.parametrize("token", ["", "wrong", "secret-of-anna", "sécret"])
def test_a_server_lets_nobody_in_without_a_token(server, token):
    headers = {"authorization": f"Bearer {token}".encode()}
    assert ask(server, "GET", "/projects", "example.org", headers=headers).status_code == 401
    assert ask(server, "GET", "/openapi.json", "example.org").status_code == 401


def test_users_have_projects_of_their_own(server):
    ann, bob = ({"authorization": f"Bearer {token.secret}"} for token in TOKENS)
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


def cookie_of(answer):
    return {"cookie": answer.headers["set-cookie"].partition(";")[0]}


def test_an_address_that_works_once_becomes_a_cookie(server, logins):
    once = logins.one_time_secret()
    done = ask(server, "GET", f"/projects?token={once}&a=1", "example.org", headers=PAGE)
    assert (done.status_code, done.headers["location"]) == (303, "/projects?a=1")
    said = done.headers["set-cookie"]
    assert "HttpOnly" in said
    assert "samesite=lax" in said.lower()
    assert once not in said
    assert "secret-of-ann" not in said
    assert (
        ask(server, "GET", "/projects", "example.org", headers=cookie_of(done)).status_code == 200
    )
    again = ask(server, "GET", f"/projects?token={once}", "example.org", headers=PAGE)
    assert again.status_code == 401
    assert "used before" in again.text


def test_whoever_is_logged_in_may_open_a_used_address(server, logins):
    once = logins.one_time_secret()
    done = ask(server, "GET", f"/?token={once}", "example.org", headers=PAGE)
    again = ask(
        server, "GET", f"/?token={once}", "example.org", headers={**PAGE, **cookie_of(done)}
    )
    assert (again.status_code, again.headers["location"]) == (303, "/")


def test_a_page_asks_for_a_token_and_exchanges_it(server):
    page = ask(server, "GET", "/project/jerome?view=map", "example.org", headers=PAGE)
    assert page.status_code == 401
    assert 'value="/project/jerome?view=map"' in page.text
    assert "<script" not in page.text
    given = {"token": "secret-of-bob", "next": "/project/jerome?view=map"}
    done = ask(server, "POST", "/login", "example.org", data=given)
    assert (done.status_code, done.headers["location"]) == (303, "/project/jerome?view=map")
    assert (
        ask(server, "GET", "/projects", "example.org", headers=cookie_of(done)).status_code == 200
    )


def test_a_page_speaks_the_language_of_its_reader(server):
    page = ask(server, "GET", "/", "example.org", headers={**PAGE, "accept-language": "it"})
    assert "Questa pagina richiede un token" in page.text
    assert 'lang="it"' in page.text


def test_scripts_of_a_page_bear_a_new_number_each_time():
    async def pages(_scope, _receive, send):
        headers = [(b"content-type", b"text/html; charset=utf-8"), (b"content-length", b"29")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        for part, more in ((b"<script>1</scr", True), (b"ipt><scripture>", False)):
            await send({"type": "http.response.body", "body": part, "more_body": more})

    seen = set()
    for _ in range(2):
        done = ask(Access(pages), "GET", "/")
        (number,) = re.findall("'nonce-([^']+)'", done.headers["content-security-policy"])
        assert done.text == f'<script nonce="{number}">1</script><scripture>'
        assert int(done.headers["content-length"]) == len(done.content)
        seen.add(number)
    assert len(seen) == 2


def test_a_server_writes_who_came_in_and_what_was_changed(server, tmp_path):
    ann = {"authorization": "Bearer secret-of-ann"}
    ask(server, "POST", "/login", "example.org", data={"token": "secret-of-bob"})
    ask(server, "POST", "/login", "example.org", data={"token": "secret-of-nobody"})
    ask(server, "POST", "/projects?a=secret", "example.org", json={"title": "x"}, headers=ann)
    ask(server, "GET", "/projects", "example.org", headers=ann)
    path = tmp_path / "audit.log"
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert [(line["event"], line.get("user")) for line in lines] == [
        ("login", "bob"),
        ("wrong token", None),
        ("change", "ann"),
    ]
    assert (lines[2]["method"], lines[2]["path"], lines[2]["status"]) == ("POST", "/projects", 201)
    assert "secret" not in path.read_text()
    assert path.stat().st_mode & 0o777 == 0o600


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
