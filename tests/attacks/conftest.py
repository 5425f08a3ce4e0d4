"""Fixtures of the attacks: victims that read files, and a timeout."""

from __future__ import annotations

import signal

import pytest

from locisimiles.corpus import Document, ReadOptions

_SECONDS_OF_CPU = 2.0


@pytest.fixture
def attack(tmp_path):
    """Write a hostile file and read it as a user would."""

    def attack(name, data, *, format=None, **options):  # noqa: A002
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data.encode() if isinstance(data, str) else data)
        return Document(path, format=format, options=ReadOptions(**options))

    return attack


@pytest.fixture
def must_end():
    """Interrupt a test that would run for minutes. Harmless inputs need a fraction of the time."""
    if not hasattr(signal, "setitimer"):
        pytest.skip("there is no timer on this system")

    def interrupt(*_):
        pytest.fail(f"still busy after {_SECONDS_OF_CPU:g} seconds of computing")

    before = signal.signal(signal.SIGPROF, interrupt)
    signal.setitimer(signal.ITIMER_PROF, _SECONDS_OF_CPU)
    yield
    signal.setitimer(signal.ITIMER_PROF, 0)
    signal.signal(signal.SIGPROF, before)
