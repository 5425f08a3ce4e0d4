"""The app as a process of its own, and a real browser."""

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest


class App:
    """The app as users start it."""

    def __init__(self, folder, *arguments, program=("-m", "locisimiles"), **variables):
        self.folder, self.arguments = folder, arguments
        self.program, self.variables = program, variables
        if not {"--host", "--token"} & set(arguments):
            self.variables = {"LOCISIMILES_NO_TOKEN": "1", **variables}
        with socket.socket() as trial:
            trial.bind(("127.0.0.1", 0))
            self.port = trial.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"
        handle, name = tempfile.mkstemp(".log")
        os.close(handle)
        self._messages = Path(name)
        self.start()

    def start(self):
        with self._messages.open("ab") as messages:
            self.process = subprocess.Popen(
                [sys.executable, *self.program, "app", "--no-browser", "--port", str(self.port),
                 "--projects", str(self.folder), *self.arguments],
                cwd=self.folder,
                # NiceGUI behaves differently where it believes to be tested itself.
                env={name: value for name, value in os.environ.items() if "PYTEST" not in name}
                | self.variables,
                stderr=messages,
            )  # fmt: skip
        end = time.monotonic() + 120
        while True:
            try:
                urllib.request.urlopen(self.address, timeout=20).read()
            except urllib.error.HTTPError:  # it answers, if only that a token is needed
                return
            except (urllib.error.URLError, ConnectionError):
                assert self.process.poll() is None, self.said()
                assert time.monotonic() < end
                time.sleep(0.1)
            else:
                return

    def kill(self):
        """End it as a power cut would."""
        self.process.kill()
        self.process.wait()

    def stop(self):
        """End it as users do, and return what it said."""
        self.process.send_signal(signal.SIGINT)
        self.process.wait(timeout=60)
        said = self.said()
        self._messages.unlink(missing_ok=True)
        return said

    def said(self):
        """Return what it has said so far; nothing once it was stopped."""
        return self._messages.read_text(encoding="utf-8") if self._messages.exists() else ""


@pytest.fixture(scope="session")
def running(tmp_path_factory):
    """Return an app that the tests of this process share, each with a project of its own."""
    app = App(tmp_path_factory.mktemp("running"))
    yield app
    said = app.stop()
    # The framework complains about browsers that leave in the middle; that is not ours.
    ours = [line for line in said.splitlines() if "locisimiles/app" in line]
    assert not ours, said[-4000:]


@pytest.fixture
def own_app(tmp_path):
    """Return an app that a test may kill."""
    app = App(tmp_path)
    yield app
    app.stop()


@pytest.fixture
def start_app(tmp_path):
    """Return a function that starts an app with further arguments."""
    started = []

    def start(*arguments):
        started.append(App(tmp_path, *arguments))
        return started[-1]

    yield start
    for app in started:
        app.stop()


@pytest.fixture
def page(browser):
    """Return a page that remembers what went wrong in it, and whom it asked."""
    context = browser.new_context(viewport={"width": 1300, "height": 850}, locale="en-GB")
    opened = context.new_page()
    problems, asked = [], set()
    opened.on("pageerror", lambda error: problems.append(str(error)))
    opened.on("console", lambda said: problems.append(said.text) if said.type == "error" else None)
    opened.on("request", lambda request: asked.add(request.url.split("/")[2]))
    opened.problems, opened.asked = problems, asked
    yield opened
    context.close()


@pytest.fixture
def ask(running):
    """Return a function that asks the API of the running app."""
    import httpx

    with httpx.Client(base_url=f"{running.address}/api/v1", timeout=60) as client:
        yield client


@pytest.fixture
def example(running, searched_file):
    """Return the id of a project with results of the example texts."""
    name = f"example-{len(list(running.folder.glob('*.sqlite')))}"
    (running.folder / f"{name}.sqlite").write_bytes(searched_file)
    return name


@pytest.fixture(scope="session")
def axe():
    """Return the script of axe-core; tests are skipped where it is not installed."""
    root = Path(__file__).parents[3]
    path = root / "node_modules" / "axe-core" / "axe.min.js"
    if not path.exists():
        pytest.skip("there is no axe-core (npm install --no-save axe-core)")
    return path.read_text(encoding="utf-8")
