"""Tokens: which users a server knows, and whose request it is."""

from __future__ import annotations

import hmac
import re
import secrets
from typing import TYPE_CHECKING

from locisimiles.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

__all__ = ["LOOPBACK", "find_user", "new_token", "read_users"]

LOOPBACK = frozenset(["127.0.0.1", "localhost", "::1"])
"""The names of this machine that cannot mean another one."""
_SHORTEST_TOKEN = 16
_NAME = re.compile("[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*")  # becomes the name of a folder


def new_token() -> str:
    """Return a token that cannot be guessed."""
    return secrets.token_urlsafe(24)


def read_users(path: Path) -> dict[str, str]:
    """Return the user of each token, from a file with a name and a token per line."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError("files.unreadable", file=str(path), reason=str(error)) from error
    tokens: dict[str, str] = {}
    names: dict[str, str] = {}  # as they are written, by user
    for row, line in enumerate(lines, start=1):
        if not line.strip() or line.startswith("#"):
            continue
        name, _, token = line.strip().partition(" ")
        token, user = token.strip(), name.lower()
        if len(token) < _SHORTEST_TOKEN or token in tokens or not _NAME.fullmatch(name):
            raise InputError("app.users_line", file=str(path), row=row, least=_SHORTEST_TOKEN)
        if names.setdefault(user, name) != name:
            raise InputError("app.same_user", file=str(path), row=row, name=name, other=names[user])
        tokens[token] = user
    if not tokens:
        raise InputError("app.no_users", file=str(path))
    return tokens


def find_user(given: Iterable[str], tokens: Mapping[str, str]) -> str | None:
    """Return the user whose token is among those given; None if there is none."""
    found = None
    for one in given:
        for token, user in tokens.items():  # all of them, so that the time tells nothing
            if hmac.compare_digest(one.encode(), token.encode()):
                found = user
    return found
