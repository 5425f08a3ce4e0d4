"""Requests that want an error, another host, a line of the log, or somebody else's account."""

import asyncio
import json
import logging
from urllib.parse import unquote

import httpx
import pytest

from locisimiles.app.access.logins import Logins
from locisimiles.app.access.logs import OneLine
from locisimiles.app.access.middleware import Access
from locisimiles.app.access.tokens import Token, read_users
from locisimiles.app.api import make_api
from locisimiles.app.context import AppContext
from locisimiles.errors import InputError

LONG = "a" * 5000
SURROGATE = "\\ud800"
JSON = {"content-type": "application/json"}
TOKENS = (Token("a-long-secret-of-ann", "ann"), Token("a-long-secret-of-bob", "bob"))
PAGE = {"accept": "text/html"}
HOST = "example.org:8080"


def ask(application, method, path, host="127.0.0.1:8765", **options):
    async def asking():
        transport = httpx.ASGITransport(application, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url=f"http://{host}") as client:
            return await client.request(method, path, **options)

    return asyncio.run(asking())


@pytest.fixture
def here(tmp_path):
    application = Access(make_api(AppContext(tmp_path)))
    ask(application, "POST", "/projects", json={"title": "e", "example": True})
    return application


@pytest.fixture
def logins():
    return Logins(TOKENS)


@pytest.fixture
def server(tmp_path, logins):
    return Access(make_api(AppContext(tmp_path, ("ann", "bob"))), logins)


def is_refused(answer, tmp_path):
    return (
        400 <= answer.status_code < 500
        and len(answer.content) < 2000
        and str(tmp_path) not in answer.text
    )


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://["},
        {"origin": "http://[::1"},
        {"origin": "//"},
        {"origin": "http://a:99999999"},
        {"content-length": "abc"},
        {"content-length": "-5"},
        {"content-length": "٣"},
        {"content-length": "9" * 5000},
        {"host": "["},
    ],
)
def test_headers_that_make_no_sense_are_refused(here, tmp_path, headers):
    raw = {name: value.encode() for name, value in headers.items()}
    assert is_refused(ask(here, "POST", "/projects", content=b"{}", headers=raw), tmp_path)


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", f"/projects/{LONG}"),
        ("GET", f"/projects/{'a' * 250}"),
        ("GET", f"/projects/{'a-' * 60}a"),
        ("DELETE", f"/projects/{LONG}"),
        ("GET", f"/projects/{LONG}/results"),
        ("GET", f"/projects/e/export/{LONG}"),
        ("GET", f"/words/{LONG}"),
        ("GET", f"/projects/e/texts/{LONG}"),
        ("GET", f"/library?period={'9' * 5000}"),
        ("GET", "/projects/e/texts/query?count=-1"),
        ("GET", "/projects/e/texts/query?first=-1"),
        ("GET", "/projects/e/texts/query?first=99999999999999999999999"),
        ("GET", "/projects/e/results/99999999999999999999999"),
        ("GET", "/projects/e/searches/99999999999999999999999"),
        ("GET", "/projects/e/results?limit=-1"),
        ("GET", "/projects/e/results?offset=-1"),
        ("GET", "/projects/e/results?search=99999999999999999999999"),
        ("GET", "/projects/%ED%A0%80"),
        ("GET", "/projects/e%00"),
        ("GET", "/projects/e/export/%0d%0aset-cookie: a=b"),
    ],
)
def test_addresses_without_bounds_are_refused(here, tmp_path, method, path):
    assert is_refused(ask(here, method, path), tmp_path)


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/projects", {"title": SURROGATE}),
        ("POST", "/projects", {SURROGATE: "x"}),
        ("POST", "/projects", {"title": LONG}),
        ("PUT", "/projects/e/judgements", {"query_id": SURROGATE}),
        ("PUT", "/projects/e/judgements", {"reader": SURROGATE}),
        ("PUT", "/projects/e/judgements", {"note": SURROGATE}),
        ("PUT", "/projects/e/judgements", {"query_id": LONG}),
        ("PUT", "/projects/e/blind", {"reader": SURROGATE, "on": True}),
        ("POST", "/projects/e/judgements/batch", {"all": {"words": SURROGATE}}),
        ("POST", "/projects/e/judgements/batch", {"all": {"query_author": SURROGATE}}),
        ("POST", "/projects/e/search", {"name": SURROGATE}),
        ("POST", "/projects/e/search", {"method": SURROGATE}),
        ("POST", "/projects/e/search", {"settings": {SURROGATE: "1"}}),
        ("POST", "/projects/e/search", {"budget": 10**400}),
        ("POST", "/projects/e/library/query", {"names": [SURROGATE]}),
        ("POST", "/projects/e/library/query", {"names": [LONG]}),
    ],
)
def test_half_characters_and_endless_values_are_refused(here, tmp_path, method, path, body):
    given = {"query_id": "a", "source_id": "b", "verdict": "cf."} if "judgements" in path else {}
    content = json.dumps({**given, **body}).replace("\\\\ud800", "\\ud800")
    assert is_refused(ask(here, method, path, content=content, headers=JSON), tmp_path)
    assert [one["id"] for one in ask(here, "GET", "/projects").json()] == ["e"]


@pytest.mark.parametrize(
    "content", [b"[" * 100_000, b"\xff\xfe", b"{", b'{"k":' + b"9" * 5000 + b"}"]
)
def test_bodies_that_are_no_json_are_refused(here, tmp_path, content):
    done = ask(here, "POST", "/projects/e/search", content=content, headers=JSON)
    assert is_refused(done, tmp_path)


def test_an_address_forges_no_line_of_the_log_and_leaves_no_secret_there():
    record = logging.LogRecord(
        "nicegui",
        logging.WARNING,
        "",
        0,
        "%s not found",
        ("http://a/x\n2026 ann logged in\x1b[2J\u2028\u202e?token=a-long-secret",),
        None,
    )
    assert OneLine().filter(record)
    line = logging.Formatter("%(message)s").format(record)
    assert line.splitlines() == [line]
    assert "secret" not in line
    assert not any(c in line for c in "\x1b\u2028\u202e")


@pytest.mark.parametrize(
    "path", ["//evil.example/", "/\\evil.example/", "///evil.example", "/%5Cevil.example", "/%09/e"]
)
def test_logging_in_leads_to_no_other_host(server, logins, path):
    address = f"http://example.org{path}?token={logins.one_time_secret()}"
    once = ask(server, "GET", httpx.URL(address), headers=PAGE)
    given = {"token": "a-long-secret-of-bob", "next": unquote(path)}
    for done in (once, ask(server, "POST", "/login", data=given)):
        place = done.headers["location"]
        assert place.startswith("/")
        assert not place.startswith(("//", "/\\", "/\t"))


@pytest.mark.parametrize("secret", ["made-up-by-others", "a-long-secret-of-bob"])
def test_an_address_cannot_change_who_is_logged_in(server, secret):
    for known in (True, False):
        headers = {**PAGE, **({"authorization": "Bearer a-long-secret-of-ann"} if known else {})}
        done = ask(server, "GET", f"/projects?token={secret}", headers=headers)
        assert "set-cookie" not in done.headers
        assert secret not in done.text + done.headers.get("location", "")


def test_a_token_in_an_address_opens_nothing(server):
    done = ask(server, "GET", "/projects?token=a-long-secret-of-ann")
    assert done.status_code == 401
    assert done.headers["www-authenticate"] == "Bearer"


def test_tokens_are_not_found_by_trying(server):
    ann = {"authorization": "Bearer a-long-secret-of-ann"}
    login = ask(server, "POST", "/login", data={"token": "a-long-secret-of-bob"})
    bob = {"cookie": login.headers["set-cookie"].partition(";")[0]}
    statuses = [
        ask(server, "GET", "/projects", headers={"authorization": f"Bearer guess-{n}"}).status_code
        for n in range(12)
    ]
    assert statuses == [401] * 9 + [429] * 3
    refused = ask(server, "GET", "/projects", headers=ann)  # right, but too late
    assert refused.status_code == 429
    assert 0 < int(refused.headers["retry-after"]) <= 60
    page = ask(server, "POST", "/login", data={"token": "a-long-secret-of-ann"})
    assert page.status_code == 429
    # Whoever was logged in before works on.
    assert ask(server, "GET", "/projects", headers=bob).status_code == 200


@pytest.mark.parametrize(
    "body",
    [b"", b"token", b"token=" + b"x" * 20_000, b"&" * 5000, b"token=%ff%fe%00", b"\xff" * 99],
)
def test_a_form_that_is_none_is_refused(server, body):
    headers = {"content-type": "application/x-www-form-urlencoded"}
    done = ask(server, "POST", "/login", content=body, headers=headers)
    assert done.status_code == 401
    assert "set-cookie" not in done.headers


def test_a_page_of_others_logs_nobody_in(server):
    headers = {"origin": "https://evil.example"}
    done = ask(server, "POST", "/login", data={"token": "a-long-secret-of-bob"}, headers=headers)
    assert done.status_code == 403


def test_the_page_for_strangers_runs_no_script_of_theirs(server):
    path = "/project/%22%3E%3Cscript%3Ealert(1)%3C/script%3E?a=%22%3E%3Cscript%3E"
    done = ask(server, "GET", path, headers=PAGE)
    assert "<script" not in done.text
    assert "'unsafe-inline'" not in done.headers["content-security-policy"].partition("style")[0]


@pytest.mark.parametrize("host", ["a b", "a;script-src *", "a'", "[::1]:x", "a,b"])
def test_a_host_adds_nothing_to_the_policy(server, host):
    done = ask(server, "GET", "/projects", headers={"host": host})
    assert "ws:" not in done.headers["content-security-policy"]
    assert "script-src *" not in done.headers["content-security-policy"]


@pytest.mark.parametrize(
    "odd",
    [
        "locisimiles_session_8080=of-another-program",
        "locisimiles_session_8080=",
        "locisimiles_session_8080",
        "locisimiles_session_8080=99999999999.\xe9",
        "locisimiles_session_9999=of-the-app-at-another-port",
        'locisimiles_session_8080="\\777',
        "=;;; ;a==b;\xe9=\xff",
    ],
)
def test_cookies_of_other_programs_lock_nobody_out(server, logins, odd):
    ours = f"locisimiles_session_8080={logins.cookie(TOKENS[0])}"
    for cookie in (f"{odd}; {ours}", f"{ours}; {odd}"):
        headers = {"cookie": cookie.encode("latin-1")}
        assert ask(server, "GET", "/projects", HOST, headers=headers).status_code == 200


@pytest.mark.parametrize("other", ["ann", "ANN", "aNN"])
def test_names_that_differ_in_case_alone_are_refused(tmp_path, other):
    path = tmp_path / "users.txt"
    path.write_text(f"Ann a-long-secret-of-ann\n{other} another-long-secret\n")
    with pytest.raises(InputError, match="would share one account"):
        read_users(path)


@pytest.mark.parametrize("name", ["Änne", "../ann", "a/b", "a--b", "-", "a\x00b", "٣"])
def test_names_that_are_no_folder_are_refused_at_once(tmp_path, name):
    path = tmp_path / "users.txt"
    path.write_text(f"{name} a-long-secret-of-ann\n", encoding="utf-8")
    with pytest.raises(InputError, match="a name and a token"):
        read_users(path)


def test_a_user_may_have_two_tokens(tmp_path):
    path = tmp_path / "users.txt"
    path.write_text("Ann a-long-secret-of-ann\nAnn another-long-secret\n")
    assert {token.user for token in read_users(path)} == {"ann"}


def test_a_text_that_takes_too_much_memory_is_refused_and_the_server_lives(
    here, tmp_path, monkeypatch
):
    (project,) = [one["id"] for one in ask(here, "GET", "/projects").json()]
    texts = f"/projects/{project}/texts/query"
    before = ask(here, "GET", texts).json()
    monkeypatch.setenv("LOCISIMILES_LIMITS", "memory=20M")
    answer = ask(here, "PUT", f"{texts}/a.txt", content=b"arma uirumque cano\n" * 10**6)
    assert is_refused(answer, tmp_path)
    assert "a.txt: reading takes more than 20 MB of memory" in answer.text
    assert ask(here, "GET", texts).json() == before
    monkeypatch.delenv("LOCISIMILES_LIMITS")
    assert ask(here, "PUT", f"{texts}/a.txt", content=b"arma uirumque cano").status_code == 200
