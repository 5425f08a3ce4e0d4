"""Logins: a token, or an address that works once, is exchanged for a cookie that expires."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from typing import TYPE_CHECKING

from locisimiles.app.access.tokens import Token, find_token

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

__all__ = ["Logins"]

_SESSION_S = 30 * 24 * 3600.0
_ONCE_S = 600.0
_MOST_DIGITS = 16


class Logins:
    """Who has which token, and which cookies were given for them.

    A cookie holds when it expires, signed with a key made from its token: it survives a restart
    of the app, and ends with the token.

    Parameters
    ----------
    tokens
        The tokens of all users.
    key
        What signs cookies besides the token; with it, a token may change at each start.
    clock
        Returns the time in seconds since 1970.

    Examples
    --------
    >>> token = Token("a-long-secret-of-ann", "ann")
    >>> logins = Logins([token])
    >>> logins.user_of_cookies([logins.cookie(token)])
    'ann'
    >>> once = logins.one_time_secret()
    >>> logins.redeem(once) == token, logins.redeem(once)
    (True, None)
    """

    def __init__(
        self, tokens: Iterable[Token], *, key: str = "", clock: Callable[[], float] = time.time
    ) -> None:
        self.tokens, self._clock = tuple(tokens), clock
        self._keys = {
            token: hashlib.sha256((key or token.secret).encode()).digest() for token in self.tokens
        }
        self._once: dict[str, float] = {}

    def find(self, given: Iterable[str]) -> Token | None:
        """Return the valid token among those given."""
        return find_token(given, self.tokens, self._clock)

    def one_time_secret(self) -> str:
        """Return a secret that logs the first user in, once, within ten minutes."""
        once = secrets.token_urlsafe(24)
        self._once[once] = self._clock() + _ONCE_S
        return once

    def redeem(self, once: str) -> Token | None:
        """Return the token that a one-time secret stands for, and forget the secret."""
        known = find_token([once], (Token(key, "") for key in self._once), self._clock)
        until = self._once.pop(known.secret, 0.0) if known else 0.0
        first = self.tokens[0] if self.tokens else None
        now = self._clock()
        return first if first is not None and now < until and first.is_valid(now) else None

    def seconds(self, token: Token) -> int:
        """Return how long a cookie given now is valid."""
        return int(min(_SESSION_S, token.until - self._clock()))

    def cookie(self, token: Token) -> str:
        """Return a cookie for the user of a token."""
        until = str(int(self._clock()) + self.seconds(token))
        return f"{until}.{self._signature(token, until)}"

    def user_of_cookies(self, cookies: Iterable[str]) -> str | None:
        """Return the user of the first valid cookie; None if there is none."""
        now = self._clock()
        for cookie in cookies:
            until, _, signature = cookie.partition(".")
            if not (until.isascii() and until.isdigit() and len(until) < _MOST_DIGITS):
                continue
            given = signature.encode("utf-8", "surrogatepass")
            for token in self.tokens:
                ours = self._signature(token, until).encode()
                if hmac.compare_digest(given, ours) and now < int(until) and token.is_valid(now):
                    return token.user
        return None

    def _signature(self, token: Token, until: str) -> str:
        content = f"session {token.user} {until}"
        return hmac.new(self._keys[token], content.encode(), hashlib.sha256).hexdigest()
