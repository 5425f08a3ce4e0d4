"""Run the command line as users do."""

import io
import sys
from types import SimpleNamespace

import pytest

from locisimiles.cli import main


class Terminal(io.StringIO):
    """A stream that claims to be a terminal."""

    def isatty(self):
        return True


@pytest.fixture
def program(monkeypatch, capsys):
    """Return a function that runs a command; it returns the exit code, output and messages."""

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["locisimiles", *map(str, arguments)])
        with pytest.raises(SystemExit) as end:
            main()
        out, err = capsys.readouterr()
        return SimpleNamespace(code=end.value.code, out=out, err=err)

    return run
