"""The middleware that lets only permitted requests through."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import parse_qs, quote, urlencode, urlsplit

from starlette.requests import HTTPConnection
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from locisimiles.app.access.bodies import LARGEST_BODY, limited
from locisimiles.app.access.guesses import Guesses
from locisimiles.app.access.login_page import login_page
from locisimiles.app.access.policy import with_policy
from locisimiles.app.access.tokens import LOOPBACK
from locisimiles.messages import Message, choose_language

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send
    from starlette.types import Message as Event

    from locisimiles.app.access.audit import Audit
    from locisimiles.app.access.logins import Logins
    from locisimiles.app.access.tokens import Token

__all__ = ["Access"]

_COOKIE = "locisimiles_session"
_LARGEST_FORM, _MOST_FIELDS = 10_000, 10
_MOST_DIGITS = 20
_READS = frozenset(["GET", "HEAD", "OPTIONS"])


class Access:
    """An ASGI application that lets only permitted requests through to another.

    Parameters
    ----------
    application
        What answers permitted requests.
    logins
        Who may ask; without them, everybody who can reach the app.
    only_here
        Whether requests must name this machine as their host, so that no page elsewhere can pass
        itself off as ours. By default, if there are no logins.
    audit
        Where to write who came in and what was changed.
    """

    def __init__(
        self,
        application: ASGIApp,
        logins: Logins | None = None,
        *,
        only_here: bool | None = None,
        audit: Audit | None = None,
    ) -> None:
        self._application, self._logins, self._audit = application, logins, audit
        self._only_here = logins is None if only_here is None else only_here
        self._guesses = Guesses()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] not in ("http", "websocket"):
            await self._application(scope, receive, send)
            return
        request = HTTPConnection(scope)
        request.scope.setdefault("state", {})["user"] = ""
        refusal = self._refuse(request)
        if scope["type"] == "websocket":
            if refusal is None and self._user(request) is not None:
                await self._application(scope, receive, send)
            else:
                await send({"type": "websocket.close", "code": 1008})
            return
        receive, send = limited(receive), with_policy(send, request.headers.get("host", ""))
        answer = refusal or await self._log_in(request, receive) or self._ask_for_token(request)
        if answer is None and scope["method"] not in _READS and not _is_listening(scope["path"]):
            send = self._noting(request, send)
        await (answer or self._application)(scope, receive, send)

    def _refuse(self, request: HTTPConnection) -> Response | None:
        headers = request.headers
        if self._only_here and _hostname(headers.get("host", "")) not in LOOPBACK:
            return _refusal(request, 403, Message("app.only_this_machine"))
        if _is_foreign(request):
            return _refusal(request, 403, Message("app.other_page"))
        length = headers.get("content-length", "0")
        if not (length.isascii() and length.isdigit()):
            return _refusal(request, 400, Message("app.unclear_length"))
        if len(length) > _MOST_DIGITS or int(length) > LARGEST_BODY:
            most = LARGEST_BODY // 1024**2
            return _refusal(request, 413, Message("app.request_too_large", {"most": most}))
        return None

    async def _log_in(self, request: HTTPConnection, receive: Receive) -> Response | None:
        """Exchange a token for a cookie, if that is what a request wants."""
        if self._logins is None:
            return None
        method, path = request.scope["method"], request.scope["path"]
        if method == "POST" and path == "/login":
            form = await _form(receive)
            token = self._try(request, (form.get("token") or [""])[0].strip())
            place = _own_place((form.get("next") or ["/"])[0])
            return self._welcome(token, request, place) or self._login_page(
                request, place, Message("app.wrong_token")
            )
        once = request.query_params.get("token")
        if once and method == "GET" and _wants_page(request):
            token = self._logins.redeem(once)
            problem = Message("app.used_address")
            if token is None and self._user(request) is None:
                self._guesses.add(_address(request))
                return self._login_page(request, _place(request), problem)
            return self._welcome(token, request, _place(request))
        return None

    def _welcome(self, token: Token | None, request: HTTPConnection, place: str) -> Response | None:
        """Return the way to a page without the token in its address, and a cookie instead."""
        if self._logins is None or (token is None and self._user(request) is None):
            return None
        response = RedirectResponse(place, 303)
        if token is not None:
            self._note("login", request, user=token.user)
            response.set_cookie(
                _cookie_name(request),
                self._logins.cookie(token),
                max_age=self._logins.seconds(token),
                httponly=True,
                samesite="lax",  # so that a link in a letter finds its reader logged in
                secure=request.scope.get("scheme") == "https",
            )
        return response

    def _ask_for_token(self, request: HTTPConnection) -> Response | None:
        """Return what someone unknown is told; remember who someone known is."""
        user = self._user(request)
        if user is not None:
            request.scope["state"]["user"] = user
            return None
        if _wants_page(request):
            return self._login_page(request, _place(request))
        if wait := self._guesses.seconds_to_wait(_address(request)):
            refusal = _refusal(request, 429, Message("app.too_many_guesses", {"seconds": wait}))
            refusal.headers["retry-after"] = str(wait)
            return refusal
        refusal = _refusal(request, 401, Message("app.token_needed"))
        refusal.headers["www-authenticate"] = "Bearer"
        return refusal

    def _user(self, request: HTTPConnection) -> str | None:
        """Return the user who sent a request; None if it was no known user."""
        if self._logins is None:
            return ""
        state = request.scope["state"]
        if "known" not in state:  # so that a wrong token counts once
            state["known"] = self._logins.user_of_cookies(_cookies(request))
            kind, _, value = request.headers.get("authorization", "").partition(" ")
            if kind.lower() == "bearer":
                token = self._try(request, value.strip())
                state["known"] = token.user if token else None
        known: str | None = state["known"]
        return known

    def _try(self, request: HTTPConnection, secret: str) -> Token | None:
        """Return the token with a secret, unless too many wrong ones came from the same address."""
        address = _address(request)
        if self._logins is None or self._guesses.seconds_to_wait(address):
            return None
        token = self._logins.find([secret])
        if token is None:
            self._guesses.add(address)
            self._note("wrong token", request)
        return token

    def _login_page(
        self, request: HTTPConnection, place: str, problem: Message | None = None
    ) -> Response:
        if wait := self._guesses.seconds_to_wait(_address(request)):
            problem = Message("app.too_many_guesses", {"seconds": wait})
        language = choose_language(request.headers.get("accept-language", ""))
        page = HTMLResponse(login_page(language, place, problem), 429 if wait else 401)
        page.headers["cache-control"] = "no-store"
        return page

    def _noting(self, request: HTTPConnection, send: Send) -> Send:
        async def sending(event: Event) -> None:
            if event["type"] == "http.response.start":
                method, path = request.scope["method"], request.scope["path"]
                user, status = request.scope["state"]["user"], event["status"]
                self._note("change", request, user=user, method=method, path=path, status=status)
            await send(event)

        return sending

    def _note(self, event: str, request: HTTPConnection, **facts: str | int) -> None:
        if self._audit is not None:
            self._audit.write(event, address=_address(request), **facts)


def _refusal(request: HTTPConnection, status: int, reason: Message) -> Response:
    language = choose_language(request.headers.get("accept-language", ""))
    return JSONResponse({"error": reason.text(language)}, status)


def _address(request: HTTPConnection) -> str:
    return request.client.host if request.client else ""


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


def _is_listening(path: str) -> bool:
    """Tell whether a request belongs to the socket of a page, which changes nothing by itself."""
    return path.startswith("/_nicegui_ws")


def _wants_page(request: HTTPConnection) -> bool:
    return "text/html" in request.headers.get("accept", "")


def _cookie_name(request: HTTPConnection) -> str:
    """Return a name of this app's own: cookies are the same for all ports of a host."""
    return f"{_COOKIE}_{(request.scope.get('server') or ('', 0))[1]}"


def _cookies(request: HTTPConnection) -> list[str]:
    """Return all cookies of our name; other programs on this host may have set some, too."""
    ours = _cookie_name(request)
    pairs = ";".join(request.headers.getlist("cookie")).split(";")
    named = [pair.partition("=") for pair in pairs]
    return [value.strip() for name, _, value in named if name.strip() == ours]


def _place(request: HTTPConnection) -> str:
    """Return the path of a request with its parameters, but without a token."""
    pairs = [pair for pair in request.query_params.multi_items() if pair[0] != "token"]
    rest = urlencode(pairs, errors="replace")
    return _own_place(quote(request.scope["path"], errors="replace") + (f"?{rest}" if rest else ""))


def _own_place(place: str) -> str:
    """Return an address on this host.

    Two slashes, or one and its mirror, would begin the name of another host; browsers leave out
    tabs and line breaks.
    """
    path, question, rest = place.partition("?")
    return "/" + quote(path.lstrip("/\\ \t\r\n"), safe="/%") + question + quote(rest, safe="=&%+")


async def _form(receive: Receive) -> dict[str, list[str]]:
    """Return the fields of a login; what is too long is no login."""
    body, more = b"", True
    while more and len(body) <= _LARGEST_FORM:
        event = await receive()
        body += event.get("body", b"")
        more = bool(event.get("more_body"))
    try:
        is_short = len(body) <= _LARGEST_FORM
        return parse_qs(body.decode("ascii"), max_num_fields=_MOST_FIELDS) if is_short else {}
    except ValueError:
        return {}
