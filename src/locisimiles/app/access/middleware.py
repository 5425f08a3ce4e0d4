"""The middleware that lets only permitted requests through."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote, urlencode, urlsplit

from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse, RedirectResponse, Response

from locisimiles.app.access.tokens import LOOPBACK, find_user
from locisimiles.app.projects.inputs import LARGEST_FILE
from locisimiles.messages import Message, choose_language

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.types import ASGIApp, Receive, Scope, Send
    from starlette.types import Message as Event

__all__ = ["Access"]

_COOKIE = "locisimiles_token"
_LARGEST_BODY = LARGEST_FILE + 1024**2
_MOST_DIGITS = 20
_READS = frozenset(["GET", "HEAD", "OPTIONS"])
_HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    # NiceGUI writes scripts into the pages; nothing may come from elsewhere.
    "content-security-policy": "default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob:; "
    "connect-src 'self' ws: wss:; frame-ancestors 'none'; base-uri 'self'; form-action 'self'",
}


class Access:
    """An ASGI application that lets only permitted requests through to another.

    Without tokens it serves only this machine: requests must then name it as their host, so that no
    page elsewhere can pass itself off as ours.
    """

    def __init__(self, application: ASGIApp, tokens: Mapping[str, str] | None = None) -> None:
        self._application, self._tokens = application, tokens

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] not in ("http", "websocket"):
            await self._application(scope, receive, send)
            return
        request = HTTPConnection(scope)
        refusal = self._refuse(request)
        if scope["type"] == "websocket":
            if refusal is None:
                await self._application(scope, receive, send)
            else:
                await send({"type": "websocket.close", "code": 1008})
            return
        answer = refusal or (self._tokens and _login(request, self._tokens))
        await (answer or self._application)(scope, _limited(receive), _with_headers(send))

    def _refuse(self, request: HTTPConnection) -> Response | None:
        headers = request.headers
        request.scope.setdefault("state", {})["user"] = ""
        if self._tokens is None and _hostname(headers.get("host", "")) not in LOOPBACK:
            return _refusal(request, 403, Message("app.only_this_machine"))
        if _is_foreign(request):
            return _refusal(request, 403, Message("app.other_page"))
        length = headers.get("content-length", "0")
        if not (length.isascii() and length.isdigit()):
            return _refusal(request, 400, Message("app.unclear_length"))
        if len(length) > _MOST_DIGITS or int(length) > _LARGEST_BODY:
            most = _LARGEST_BODY // 1024**2
            return _refusal(request, 413, Message("app.request_too_large", {"most": most}))
        if self._tokens is not None:
            user = find_user(_given_tokens(request), self._tokens)
            if user is None:
                return _refusal(request, 401, Message("app.token_needed"))
            request.scope["state"]["user"] = user
        return None


def _refusal(request: HTTPConnection, status: int, reason: Message) -> Response:
    language = choose_language(request.headers.get("accept-language", ""))
    return JSONResponse({"error": reason.text(language)}, status)


def _hostname(host: str) -> str:
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def _is_foreign(request: HTTPConnection) -> bool:
    """Tell whether another page wants to change something, or to listen."""
    if request.scope.get("method") in _READS:
        return False
    origin = request.headers.get("origin")
    if origin is not None:
        try:
            return urlsplit(origin).netloc.lower() != request.headers.get("host", "").lower()
        except ValueError:
            return True
    return request.headers.get("sec-fetch-site", "none") not in ("none", "same-origin")


def _given_tokens(request: HTTPConnection) -> list[str]:
    kind, _, value = request.headers.get("authorization", "").partition(" ")
    given = [value.strip()] if kind.lower() == "bearer" else []
    return [*given, *_cookies(request), *request.query_params.getlist("token")]


def _cookies(request: HTTPConnection) -> list[str]:
    """Return all cookies of our name; other programs on this host may have set some, too."""
    pairs = ";".join(request.headers.getlist("cookie")).split(";")
    named = [pair.partition("=") for pair in pairs]
    return [value.strip() for name, _, value in named if name.strip() == _COOKIE]


def _login(request: HTTPConnection, tokens: Mapping[str, str]) -> Response | None:
    """Return the way to a page without the token in its address, and a cookie with it instead."""
    token = request.query_params.get("token")
    if (
        not token
        or find_user([token], tokens) is None
        or request.scope["method"] != "GET"
        or "text/html" not in request.headers.get("accept", "")
    ):
        return None
    rest = urlencode([pair for pair in request.query_params.multi_items() if pair[0] != "token"])
    # Two slashes, or one and its mirror, would begin the name of another host.
    place = "/" + quote(request.scope["path"].lstrip("/\\")) + (f"?{rest}" if rest else "")
    response = RedirectResponse(place, 303)
    response.set_cookie(_COOKIE, token, httponly=True, samesite="strict")
    return response


def _with_headers(send: Send) -> Send:
    headers = [(name.encode(), value.encode()) for name, value in _HEADERS.items()]

    async def sending(message: Event) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message.get("headers", []), *headers]}
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
