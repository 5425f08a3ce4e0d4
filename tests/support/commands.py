"""The program, run as its users do."""

import sys
from types import SimpleNamespace

import pytest

from locisimiles.cli import main


def run_program(monkeypatch, capsys, arguments):
    """Run a command line up to its exit code; return code, output and messages."""
    monkeypatch.setattr(sys, "argv", ["locisimiles", *map(str, arguments)])
    with pytest.raises(SystemExit) as end:
        main()
    out, err = capsys.readouterr()
    return SimpleNamespace(code=end.value.code, out=out, err=err)
