"""Connections that say nothing, or little at a time."""

import asyncio
import contextlib
import threading
import time

import httpx
import pytest

from locisimiles.app.access import bodies

uvicorn = pytest.importorskip("uvicorn")

from locisimiles.app.access import connections  # noqa: E402 - needs uvicorn

_HALF = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n"
_POST = b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n"


async def echo(scope, receive, send):
    """Answer with the body, however long it takes to come."""
    if scope["type"] != "http":
        return
    receive, body, event = bodies.limited(receive), b"", {"more_body": True}
    while event.get("more_body"):
        event = await receive()
        body += event.get("body", b"")
    is_whole = event["type"] == "http.request"
    if is_whole:
        await asyncio.sleep(0.5 if scope["path"] == "/slow" else 0)
    headers = [(b"content-length", str(len(body)).encode())] if is_whole else []
    await send(
        {"type": "http.response.start", "status": 200 if is_whole else 408, "headers": headers}
    )
    await send({"type": "http.response.body", "body": body})


@contextlib.contextmanager
def serving(application, http):
    config = uvicorn.Config(
        application, port=0, http=http, lifespan="off", log_level="error", ws="none"
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    end = time.monotonic() + 20
    while not server.started:
        assert time.monotonic() < end
        time.sleep(0.01)
    try:
        yield server, server.servers[0].sockets[0].getsockname()[1]
    finally:
        server.should_exit = True
        thread.join()


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr(connections, "_HEADER_S", 0.2)
    monkeypatch.setattr(bodies, "_LONGEST_PAUSE_S", 0.2)
    return connections.ImpatientProtocol


async def closed(port, *parts, pause=0.05, wait=10.0):
    """Send parts with pauses; return what came until the other side closed."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        for part in parts:
            with contextlib.suppress(ConnectionError):
                writer.write(part)
                await writer.drain()
            await asyncio.sleep(pause)
        with contextlib.suppress(ConnectionError):
            return await asyncio.wait_for(reader.read(), wait)
        return b""
    finally:
        writer.close()


def test_half_open_connections_do_not_stay(impatient):
    async def all_of_them(port):
        return await asyncio.gather(*(closed(port, b"" if n % 2 else _HALF) for n in range(50)))

    with serving(echo, impatient) as (server, port):
        assert asyncio.run(all_of_them(port)) == [b""] * 50
        time.sleep(0.1)
        assert len(server.server_state.connections) == 0
        assert httpx.get(f"http://127.0.0.1:{port}/").status_code == 200


def test_without_it_they_stay():
    """Show that the test above can fail."""
    with serving(echo, "auto") as (_, port), pytest.raises(TimeoutError):
        asyncio.run(closed(port, _HALF, wait=0.5))


def test_a_header_that_trickles_ends(impatient):
    with serving(echo, impatient) as (_, port):
        parts = [_HALF, *(b"X-%d: y\r\n" % number for number in range(8))]
        assert asyncio.run(closed(port, *parts)) == b""


def test_half_a_second_header_ends(impatient):
    with serving(echo, impatient) as (_, port):
        said = asyncio.run(closed(port, _HALF + b"\r\n", _HALF))
        assert said.count(b"HTTP/1.1 200") == 1


def test_a_slow_answer_is_waited_for(impatient):
    with serving(echo, impatient) as (_, port), httpx.Client() as client:
        for _ in range(2):  # over the same connection
            assert client.get(f"http://127.0.0.1:{port}/slow").status_code == 200


def test_a_body_that_stops_is_not_waited_for(impatient):
    with serving(echo, impatient) as (_, port):
        assert b"408" in asyncio.run(closed(port, _POST, b"x" * 50))


def test_a_body_in_parts_is_read(impatient):
    with serving(echo, impatient) as (_, port):
        parts = [b"x" * 20] * 5
        said = asyncio.run(closed(port, _POST, *parts, b"", wait=8.0))
        assert said.endswith(b"x" * 100)
