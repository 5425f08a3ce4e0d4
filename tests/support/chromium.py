"""One Chromium for all tests of a process."""

import os
import shutil

import pytest

# As root, as in containers, Chromium runs only without its sandbox.
_FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-background-networking "
    "--disable-component-update --disable-sync --no-first-run"
).split()

_PATIENCE_MS = 60_000  # on a busy machine, pages take long


def _path():
    named = os.environ.get("CHROMIUM")
    return named or shutil.which("chromium") or shutil.which("chromium-browser")


def _patient(new_context):
    def make(**options):
        context = new_context(**options)
        context.set_default_timeout(_PATIENCE_MS)
        return context

    return make


class SharedChromium:
    """A Chromium that is not Playwright's own; it is started when a test first needs it."""

    def __init__(self):
        self._driver = self._browser = None

    def open(self):
        """Return the browser; the test is skipped where there is none."""
        playwright = pytest.importorskip("playwright.sync_api", reason="needs Playwright")
        path = _path()
        if path is None:
            pytest.skip("needs Chromium: apt-get install chromium, or name it in CHROMIUM")
        if self._browser is not None and not self._browser.is_connected():
            self.close()
        if self._browser is None:
            self._driver = playwright.sync_playwright().start()
            self._browser = self._driver.chromium.launch(executable_path=path, args=_FLAGS)
            self._browser.new_context = _patient(self._browser.new_context)
        return self._browser

    def close(self):
        """End it. While it is open, nothing else in its thread can run asyncio."""
        if self._driver is None:
            return
        driver, browser = self._driver, self._browser
        self._driver = self._browser = None
        if browser is not None:
            browser.close()
        driver.stop()
