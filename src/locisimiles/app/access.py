"""Who may ask: only this machine, or only those who have a token."""

from __future__ import annotations

import hmac
import secrets
from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from locisimiles.app.projects.texts import LARGEST_FILE

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, MutableMapping

    Message = MutableMapping[str, Any]
    Receive = Callable[[], Awaitable[Message]]
    Send = Callable[[Message], Awaitable[None]]
    Application = Callable[[MutableMapping[str, Any], Receive, Send], Awaitable[None]]

__all__ = ["LOOPBACK", "Access", "new_token"]

LOOPBACK = frozenset(["127.0.0.1", "localhost", "::1"])
"""The names of this machine that nobody outside can be given."""
_COOKIE = "locisimiles_token"
_LARGEST_BODY = LARGEST_FILE + 1024**2
_READS = frozenset(["GET", "HEAD", "OPTIONS"])
_POLICY = (
    b"default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob:; connect-src 'self' ws: wss:; "
    b"frame-ancestors 'none'; base-uri 'self'; form-action 'self'"
)
_HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    # The framework of the pages writes scripts into them; nothing may come from elsewhere.
    (
        b"content-security-policy",
        _POLICY,
    ),
)


def new_token() -> str:
    """Return a token that nobody can guess."""
    return secrets.token_urlsafe(24)


class Access:
    """Lets only those in who may be there; an ASGI application around another.

    Parameters
    ----------
    application
        What answers them.
    tokens
        The user of each token. None where only this machine may ask: then requests must name it as
        their host, so that no page elsewhere can pass itself off as ours.
    """

    def __init__(self, application: Application, tokens: Mapping[str, str] | None = None) -> None:
        self._application, self._tokens = application, tokens

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        """Answer a request, or refuse to."""
        if scope["type"] not in ("http", "websocket"):
            await self._application(scope, receive, send)
            return
        headers = {name.lower(): value.decode("latin-1") for name, value in scope["headers"]}
        refusal = self._refuse(scope, headers)
        if refusal is not None:
            await _answer(scope, send, *refusal)
            return
        if scope["type"] == "http":
            arriving = _login(scope, headers, self._tokens)
            if arriving is not None:
                await _redirect(send, *arriving)
                return
            send = _with_headers(send)
            receive = _limited(receive)
        await self._application(scope, receive, send)

    def _refuse(
        self, scope: MutableMapping[str, Any], headers: Mapping[bytes, str]
    ) -> tuple[int, str] | None:
        host = headers.get(b"host", "")
        if self._tokens is None and _hostname(host) not in LOOPBACK:
            return 403, "this app answers on this machine only"
        if _is_foreign(scope, headers, host):
            return 403, "this request comes from another page"
        if int(headers.get(b"content-length") or 0) > _LARGEST_BODY:
            return 413, f"more than {_LARGEST_BODY // 1024**2} MB"
        scope.setdefault("state", {})["user"] = ""
        if self._tokens is None:
            return None
        user = _user(_given(scope, headers), self._tokens)
        if user is None:
            return 401, "a token is needed: open the address that was printed at the start"
        scope["state"]["user"] = user
        return None


def _hostname(host: str) -> str:
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def _is_foreign(scope: MutableMapping[str, Any], headers: Mapping[bytes, str], host: str) -> bool:
    """Tell whether a page of somebody else wants to change something, or to listen."""
    if scope["type"] == "http" and scope["method"] in _READS:
        return False
    origin = headers.get(b"origin")
    if origin is not None:
        return urlsplit(origin).netloc.lower() != host.lower()
    return headers.get(b"sec-fetch-site", "none") not in ("none", "same-origin")


def _given(scope: MutableMapping[str, Any], headers: Mapping[bytes, str]) -> list[str]:
    """Return the tokens that came with a request."""
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


def _query(scope: MutableMapping[str, Any]) -> list[tuple[str, str]]:
    return parse_qsl(scope.get("query_string", b"").decode("latin-1"))


def _user(given: list[str], tokens: Mapping[str, str]) -> str | None:
    found = None
    for one in given:
        for token, user in tokens.items():  # all of them, so that time tells nothing
            if hmac.compare_digest(one.encode(), token.encode()):
                found = user
    return found


def _login(
    scope: MutableMapping[str, Any],
    headers: Mapping[bytes, str],
    tokens: Mapping[str, str] | None,
) -> tuple[str, str] | None:
    """Return where to go, and the token to keep, if somebody opened the printed address."""
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


async def _answer(scope: MutableMapping[str, Any], send: Send, status: int, why: str) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008})
        return
    body = f'{{"error": "{why}"}}'.encode()
    headers = [(b"content-type", b"application/json"), *_HEADERS]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message.get("headers", []), *_HEADERS]}
        await send(message)

    return sending


def _limited(receive: Receive) -> Receive:
    """Stop listening to a body that is longer than it said."""
    seen = 0

    async def receiving() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        return {"type": "http.disconnect"} if seen > _LARGEST_BODY else message

    return receiving
