"""Starts the program, so that Ctrl+C ends it quietly from its first moment.

Importing `locisimiles` takes a moment, so this module is not part of it.
"""

from __future__ import annotations

import os
import signal
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import FrameType

__all__ = ["main", "main_of_app"]

_INTERRUPTED = 130


def main() -> None:
    """Run ``locisimiles``."""
    _run("locisimiles.cli")


def main_of_app() -> None:
    """Run ``locisimiles-gui``."""
    _run("locisimiles.cli.app")


def _run(module: str) -> None:
    _end_at_once()
    run = import_module(module).main
    if signal.getsignal(signal.SIGINT) is _stop:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        run()
    finally:
        _end_at_once()


def _end_at_once() -> None:
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # not ignored, as by nohup
        signal.signal(signal.SIGINT, _stop)


def _stop(_number: int, _frame: FrameType | None) -> None:
    os.write(2, b"error: stopped\n")
    os._exit(_INTERRUPTED)
