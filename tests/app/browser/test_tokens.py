"""The app on this machine, which asks for a token as it does by default."""

import re
import socket
import stat
import time

import httpx
import pytest
from tests.app.browser.conftest import App

TOKEN = "chosen-for-this-test"


@pytest.fixture
def app(tmp_path):
    app = App(tmp_path, "--token", TOKEN)
    yield app
    app.stop()


def address_said_by(app):
    """Return the address that works once."""
    end = time.monotonic() + 120
    while "Ctrl" not in (said := app.said()):
        assert time.monotonic() < end
        time.sleep(0.05)
    return re.sub(r"\s", "", re.search(r"open\s+(\S+\?token=\S+)", said)[1])


def test_the_printed_address_opens_the_app_once_and_is_gone_from_the_bar(browser, page, app):
    address = address_said_by(app)
    assert page.goto(app.address).status == 401
    page.goto(address)
    page.get_by_role("button", name="Try the example").click()
    page.get_by_text("204 segments").wait_for()
    assert "token" not in page.url
    assert "token" not in page.evaluate("JSON.stringify(performance.getEntries())")
    assert not page.evaluate("document.cookie.includes('session')")  # no script can read it
    with browser.new_context(locale="en-GB") as context:
        other = context.new_page()
        other.goto(address)
        other.get_by_text("this address was used before").wait_for()
        assert other.goto(page.url).status == 401
    problems = [said for said in page.problems if "401" not in said]
    assert problems == []


def test_programs_send_the_token_in_a_header(app):
    with httpx.Client(base_url=f"{app.address}/api/v1") as client:
        assert client.get("/projects").status_code == 401
        client.headers["authorization"] = f"Bearer {TOKEN}"
        assert client.post("/projects", json={"title": "x"}).status_code == 201
    files = list(app.folder.glob("*.sqlite*"))
    assert files
    assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o600}


def test_scripts_in_a_page_do_not_run(page, app):
    page.goto(address_said_by(app))
    page.get_by_role("button", name="Try the example").wait_for()
    page.evaluate(
        """() => {
            const box = document.createElement("div");
            box.innerHTML = '<img src="data:," onerror="window.ran = 1">'
                + '<svg onload="window.ran = 2"></svg>'
                + '<a id="trap" href="javascript:window.ran = 3">x</a>';
            document.body.append(box);
            const script = document.createElement("script");
            script.textContent = "window.ran = 4";
            document.body.append(script);
            box.querySelector("#trap").click();
        }"""
    )
    page.wait_for_timeout(300)
    assert page.evaluate("window.ran") is None
    assert any("Content Security Policy" in said for said in page.problems)


@pytest.mark.slow  # it waits as long as the app does
def test_half_open_connections_do_not_stay(app):
    opened = [socket.create_connection(("127.0.0.1", app.port), 30) for _ in range(50)]
    try:
        for one in opened[::2]:
            one.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n")
        assert [one.recv(100) for one in opened] == [b""] * 50
    finally:
        for one in opened:
            one.close()
    assert httpx.get(app.address).status_code == 401
