"""A web server on loopback that does what a test tells it to."""

from __future__ import annotations

import hashlib
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from locisimiles.corpus.library import Catalogue, Edition


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        script = self.server.script
        self.server.asked.append((self.path, self.headers.get("Range")))
        behave = script.pop(0) if len(script) > 1 else script[0]
        behave(self)

    def log_message(self, *_):
        """Say nothing."""


class WebServer:
    """Answers requests as scripted: one behaviour a request, the last one again and again."""

    def __init__(self):
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
        self._server.asked = []
        self._released = threading.Event()
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        self._thread.start()

    @property
    def address(self):
        return f"http://127.0.0.1:{self._server.server_port}"

    @property
    def asked(self):
        """Path and Range header of each request so far."""
        return self._server.asked

    def script(self, *behaviours):
        self._server.script = list(behaviours)

    def stop(self):
        self._released.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    @staticmethod
    def whole(data):
        """Send all, whatever part was asked for."""

        def behave(request):
            request.send_response(200)
            request.send_header("Content-Length", str(len(data)))
            request.end_headers()
            request.wfile.write(data)

        return behave

    @staticmethod
    def ranges(data):
        """Send the part that was asked for."""

        def behave(request):
            asked = request.headers.get("Range")
            start = int(asked.removeprefix("bytes=").rstrip("-")) if asked else 0
            request.send_response(206 if asked else 200)
            request.send_header("Content-Length", str(len(data) - start))
            request.end_headers()
            request.wfile.write(data[start:])

        return behave

    @staticmethod
    def cut_off(data, after):
        """Announce all, but hang up early."""

        def behave(request):
            asked = request.headers.get("Range")
            start = int(asked.removeprefix("bytes=").rstrip("-")) if asked else 0
            request.send_response(206 if asked else 200)
            request.send_header("Content-Length", str(len(data) - start))
            request.end_headers()
            request.wfile.write(data[start : start + after])

        return behave

    @staticmethod
    def unannounced(data):
        """Send data without saying how much, as chunk after chunk until the connection ends."""

        def behave(request):
            request.send_response(200)
            request.end_headers()
            request.wfile.write(data)

        return behave

    @staticmethod
    def error(code):
        """Refuse."""
        return lambda request: request.send_error(code)

    def silence(self, request):
        """Say nothing until the test is over."""
        self._released.wait(10)
        request.close_connection = True


@pytest.fixture
def server():
    server = WebServer()
    yield server
    server.stop()


@pytest.fixture(autouse=True)
def _no_waiting(monkeypatch):
    """Try again at once."""
    monkeypatch.setattr("pooch.core.time.sleep", lambda _: None)


LUCAN = b"<luc. 1.1>\tBella per Emathios plus quam civilia campos\n" * 100


@pytest.fixture
def lucan():
    """The content of the only file in `shelf`."""
    return LUCAN


@pytest.fixture
def shelf():
    """A catalogue of Lucan in two editions, of which one cannot be fetched."""
    work = Catalogue.shipped().works["lucan.bellum_civile"]
    digest = hashlib.sha256(LUCAN).hexdigest()
    fetchable = Edition(work.name, "tesserae", "la/lucan.tess", "", len(LUCAN), digest)
    local = Edition(work.name, "latin-library", "lucan.txt", "", len(LUCAN), digest)
    return Catalogue([work], [fetchable, local])
