"""Tokens: whom a server knows, for how long, and by which secret."""

from __future__ import annotations

import hmac
import math
import re
import secrets
import time
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from locisimiles.errors import InputError, ParameterError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

__all__ = ["LOOPBACK", "Token", "check_secret", "find_token", "new_secret", "read_users"]

LOOPBACK = frozenset(["127.0.0.1", "localhost", "::1"])
"""The names of this machine that cannot mean another one."""
_SHORTEST = 16
_FEWEST_LETTERS = 6  # of different kinds, so that no single key held down makes a token
_NAME = re.compile("[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*")  # becomes the name of a folder


@dataclass(frozen=True, slots=True)
class Token:
    """A secret, the user who has it, and until when it is valid, in seconds since 1970.

    Examples
    --------
    >>> Token("a-long-secret-of-ann", "ann", until=86_400.0).is_valid(86_401.0)
    False
    """

    secret: str
    user: str
    until: float = math.inf

    def is_valid(self, now: float) -> bool:
        """Tell whether it has not expired."""
        return now < self.until


def new_secret() -> str:
    """Return a secret that cannot be guessed."""
    return secrets.token_urlsafe(24)


def check_secret(secret: str) -> str:
    """Return a secret, or raise a ParameterError if it can be guessed.

    Examples
    --------
    >>> check_secret("a-long-secret-of-ann")
    'a-long-secret-of-ann'
    """
    if not _is_long(secret):
        raise ParameterError("app.short_token", least=_SHORTEST)
    return secret


def read_users(path: Path) -> tuple[Token, ...]:
    """Return the tokens of a file: a name, a token and, if it expires, a day in each line."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError("files.unreadable", file=str(path), reason=str(error)) from error
    tokens: dict[str, Token] = {}
    names: dict[str, str] = {}  # as they are written, by user
    for row, line in enumerate(lines, start=1):
        if not line.strip() or line.startswith("#"):
            continue
        name, secret, day, *more = [*line.split(), "", "", ""]
        user = name.lower()
        if not _is_long(secret) or secret in tokens or not _NAME.fullmatch(name) or any(more):
            raise InputError("app.users_line", file=str(path), row=row, least=_SHORTEST)
        if names.setdefault(user, name) != name:
            raise InputError("app.same_user", file=str(path), row=row, name=name, other=names[user])
        tokens[secret] = Token(secret, user, _end_of(day, path, row) if day else math.inf)
    if not tokens:
        raise InputError("app.no_users", file=str(path))
    return tuple(tokens.values())


def find_token(
    given: Iterable[str], tokens: Iterable[Token], clock: Callable[[], float] = time.time
) -> Token | None:
    """Return the valid token among those given; None if there is none."""
    found, now, known = None, clock(), tuple(tokens)
    for one in given:
        for token in known:  # all of them, so that the time tells nothing
            is_it = hmac.compare_digest(_encoded(one), _encoded(token.secret))
            if is_it and token.is_valid(now):
                found = token
    return found


def _is_long(secret: str) -> bool:
    is_plain = secret.isprintable() and not any(map(str.isspace, secret))
    return is_plain and len(secret) >= _SHORTEST and len(set(secret)) >= _FEWEST_LETTERS


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _end_of(day: str, path: Path, row: int) -> float:
    """Return when a day, which is still included, ends on this machine's clock."""
    try:
        return (datetime.strptime(day, "%Y-%m-%d").astimezone() + timedelta(days=1)).timestamp()
    except (ValueError, OverflowError, OSError) as error:
        raise InputError("app.users_day", file=str(path), row=row, day=day) from error
