"""Access to the app: from this machine only, or with a token."""

from __future__ import annotations

import hmac
import json
import secrets
from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from locisimiles.app.projects.inputs import LARGEST_FILE
from locisimiles.errors import InputError
from locisimiles.messages import Message, choose_language

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, MutableMapping
    from pathlib import Path

    Scope = MutableMapping[str, Any]
    Event = MutableMapping[str, Any]
    Receive = Callable[[], Awaitable[Event]]
    Send = Callable[[Event], Awaitable[None]]
    Application = Callable[[Scope, Receive, Send], Awaitable[None]]

__all__ = ["LOOPBACK", "Access", "new_token", "read_users"]

LOOPBACK = frozenset(["127.0.0.1", "localhost", "::1"])
"""The names of this machine that cannot mean another one."""
_COOKIE = "locisimiles_token"
_LARGEST_BODY = LARGEST_FILE + 1024**2
_SHORTEST_TOKEN = 16
_READS = frozenset(["GET", "HEAD", "OPTIONS"])
# NiceGUI writes scripts into the pages; nothing may come from elsewhere.
_POLICY = (
    b"default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob:; connect-src 'self' ws: wss:; "
    b"frame-ancestors 'none'; base-uri 'self'; form-action 'self'"
)
_HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"content-security-policy", _POLICY),
)


def new_token() -> str:
    """Return a token that cannot be guessed."""
    return secrets.token_urlsafe(24)


def read_users(path: Path) -> dict[str, str]:
    """Return the user of each token, from a file with a name and a token per line.

    Raises
    ------
    InputError
        If the file cannot be read, or a line is wrong.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError("files.unreadable", file=str(path), reason=str(error)) from error
    tokens: dict[str, str] = {}
    for row, line in enumerate(lines, start=1):
        if not line.strip() or line.startswith("#"):
            continue
        name, _, token = line.strip().partition(" ")
        token = token.strip()
        if len(token) < _SHORTEST_TOKEN or token in tokens or not name.isalnum():
            raise InputError("app.users_line", file=str(path), row=row, least=_SHORTEST_TOKEN)
        tokens[token] = name.lower()
    if not tokens:
        raise InputError("app.no_users", file=str(path))
    return tokens


class Access:
    """An ASGI application that lets only permitted requests through to another.

    Parameters
    ----------
    application
        The application behind it.
    tokens
        The user of each token. None serves only this machine: requests must then name it as their
        host, so that no page elsewhere can pass itself off as ours.
    """

    def __init__(self, application: Application, tokens: Mapping[str, str] | None = None) -> None:
        self._application, self._tokens = application, tokens

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] not in ("http", "websocket"):
            await self._application(scope, receive, send)
            return
        headers = {name.lower(): value.decode("latin-1") for name, value in scope["headers"]}
        refusal = self._refuse(scope, headers)
        if refusal is not None:
            await _answer(scope, headers, send, *refusal)
            return
        if scope["type"] == "http":
            arriving = _login(scope, headers, self._tokens)
            if arriving is not None:
                await _redirect(send, *arriving)
                return
            send = _with_headers(send)
            receive = _limited(receive)
        await self._application(scope, receive, send)

    def _refuse(self, scope: Scope, headers: Mapping[bytes, str]) -> tuple[int, Message] | None:
        host = headers.get(b"host", "")
        if self._tokens is None and _hostname(host) not in LOOPBACK:
            return 403, Message("app.only_this_machine")
        if _is_foreign(scope, headers, host):
            return 403, Message("app.other_page")
        if int(headers.get(b"content-length") or 0) > _LARGEST_BODY:
            return 413, Message("app.request_too_large", {"most": _LARGEST_BODY // 1024**2})
        scope.setdefault("state", {})["user"] = ""
        if self._tokens is None:
            return None
        user = _user(_given(scope, headers), self._tokens)
        if user is None:
            return 401, Message("app.token_needed")
        scope["state"]["user"] = user
        return None


def _hostname(host: str) -> str:
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def _is_foreign(scope: Scope, headers: Mapping[bytes, str], host: str) -> bool:
    """Tell whether another page wants to change something, or to listen."""
    if scope["type"] == "http" and scope["method"] in _READS:
        return False
    origin = headers.get(b"origin")
    if origin is not None:
        return urlsplit(origin).netloc.lower() != host.lower()
    return headers.get(b"sec-fetch-site", "none") not in ("none", "same-origin")


def _given(scope: Scope, headers: Mapping[bytes, str]) -> list[str]:
    """Return the tokens of a request."""
    kind, _, value = headers.get(b"authorization", "").partition(" ")
    given = [value.strip()] if kind.lower() == "bearer" else []
    cookies: SimpleCookie = SimpleCookie()
    try:
        cookies.load(headers.get(b"cookie", ""))
    except CookieError:
        cookies.clear()
    if _COOKIE in cookies:
        given.append(cookies[_COOKIE].value)
    return [*given, *(v for name, v in _query(scope) if name == "token")]


def _query(scope: Scope) -> list[tuple[str, str]]:
    return parse_qsl(scope.get("query_string", b"").decode("latin-1"))


def _user(given: list[str], tokens: Mapping[str, str]) -> str | None:
    found = None
    for one in given:
        for token, user in tokens.items():  # all of them, so that the time tells nothing
            if hmac.compare_digest(one.encode(), token.encode()):
                found = user
    return found


def _login(
    scope: Scope,
    headers: Mapping[bytes, str],
    tokens: Mapping[str, str] | None,
) -> tuple[str, str] | None:
    """Return where to go, and the token to remember, if the printed address was opened."""
    if tokens is None or scope["method"] != "GET" or "text/html" not in headers.get(b"accept", ""):
        return None
    query = _query(scope)
    token = next((value for name, value in query if name == "token"), "")
    if not token:
        return None
    rest = urlencode([pair for pair in query if pair[0] != "token"])
    return scope["path"] + (f"?{rest}" if rest else ""), token


async def _redirect(send: Send, place: str, token: str) -> None:
    cookie = f"{_COOKIE}={token}; Path=/; HttpOnly; SameSite=Strict"
    headers = [(b"location", place.encode("latin-1", "replace")), (b"set-cookie", cookie.encode())]
    await send({"type": "http.response.start", "status": 303, "headers": [*headers, *_HEADERS]})
    await send({"type": "http.response.body", "body": b""})


async def _answer(
    scope: Scope, asked: Mapping[bytes, str], send: Send, status: int, reason: Message
) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008})
        return
    told = reason.text(choose_language(asked.get(b"accept-language", "")))
    body = json.dumps({"error": told}).encode()
    headers = [(b"content-type", b"application/json"), *_HEADERS]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def _with_headers(send: Send) -> Send:
    async def sending(message: Event) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message.get("headers", []), *_HEADERS]}
        await send(message)

    return sending


def _limited(receive: Receive) -> Receive:
    """Disconnect when a body is longer than allowed, whatever its header says."""
    seen = 0

    async def receiving() -> Event:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        return {"type": "http.disconnect"} if seen > _LARGEST_BODY else message

    return receiving
