"""Which program this is, and the command that installs what it lacks.

The Python Package Index knows another package by our name: the paper's own. So no command here may
ask pip for ``locisimiles``; they name the missing libraries themselves, as our metadata list them.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

__all__ = ["VERSION", "describe_program", "install_command"]

_NAME = "locisimiles"
_NOT_INSTALLED = "0+not.installed"
_EXTRA = re.compile(r"""\bextra\s*==\s*["']([\w-]+)["']""")
_PROJECT = re.compile(r"[\w.-]+")


def _version() -> str:
    try:
        return version(_NAME)
    except PackageNotFoundError:  # source on the path of a machine where nothing can be installed
        return _NOT_INSTALLED


VERSION = _version()
"""The version. Its part after the plus tells this program from the paper's package."""


def describe_program() -> str:
    """Return name and version, and a line that says which program this is.

    Examples
    --------
    >>> print(describe_program())
    locisimiles 0.1.0...
    This is the workbench; 'locisimiles' on the Python Package Index (2.x) is the paper's package.
    """
    return (
        f"{_NAME} {VERSION}\nThis is the workbench; '{_NAME}' on the Python Package Index (2.x) is "
        "the paper's package."
    )


def install_command(*, extra: str = "", library: str = "") -> str:
    """Return the command that installs an extra, or a library, into this environment.

    Parameters
    ----------
    extra
        One of ours, such as ``app``.
    library
        A library; in the versions that our metadata ask for, if they do.

    Examples
    --------
    >>> print(install_command(extra="app").partition(" install ")[2])
    'nicegui>=3.6'
    """
    return f"{_pip()} install {' '.join(map(_quoted, _wanted(extra, library)))}"


def _wanted(extra: str, library: str) -> list[str]:
    listed = [line.partition(";") for line in _requirements()]
    if extra:
        # What holds for all platforms; a requirement of ours has no other marker.
        return [
            need.strip()
            for need, _, marker in listed
            if (found := _EXTRA.search(marker)) and found[1] == extra
        ]
    known = (need.strip() for need, *_ in listed if _project(need) == _project(library))
    return [next(known, library)]


def _requirements() -> list[str]:
    try:
        return requires(_NAME) or []
    except PackageNotFoundError:
        return []


def _project(requirement: str) -> str:
    found = _PROJECT.match(requirement)
    return found[0].replace("_", "-") if found else ""


def _pip() -> str:
    """Return ``pip`` if that is this environment's, else how to run this environment's."""
    found = shutil.which("pip")
    if found and Path(found).parent == Path(sys.executable).parent:
        return "pip"
    return f"{_quoted(sys.executable)} -m pip"


def _quoted(word: str) -> str:
    # cmd.exe knows double quotes only.
    return f'"{word}"' if os.name == "nt" else shlex.quote(word)
