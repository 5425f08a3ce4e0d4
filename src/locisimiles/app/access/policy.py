"""What answers allow a browser: scripts of ours alone, and no page of others around them."""

from __future__ import annotations

import re
import secrets
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.types import Message as Event
    from starlette.types import Send

__all__ = ["with_policy"]

_HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",  # without it, a form would not say where it comes from
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
# Scripts run if they are files of ours or bear the number of their page, which is new each time.
# Handlers in attributes and scripts in texts have none. NiceGUI sends JavaScript over its socket
# and compiles templates in the browser: that is 'unsafe-eval', and Quasar sets styles of elements.
_POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-eval'{nonce}; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'{sockets}; "
    "object-src 'none'; frame-ancestors 'none'; base-uri 'self'; form-action 'self'"
)
_SCRIPT = re.compile(rb"<script(?=[\s>])")
_HOST = re.compile(r"[A-Za-z0-9.-]+(?::\d{1,5})?|\[[0-9A-Fa-f:.]+\](?::\d{1,5})?")


def with_policy(send: Send, host: str) -> Send:
    """Return a sender that adds headers to answers, and a number to the scripts of pages."""
    nonce = secrets.token_urlsafe(16)
    # Older browsers do not count sockets of the same host as 'self'.
    sockets = f" ws://{host} wss://{host}" if _HOST.fullmatch(host) else ""
    held: list[Event] = []  # the start of a page, until its length is known

    async def sending(event: Event) -> None:
        if event["type"] == "http.response.start":
            is_page = _is_page(event)
            policy = _POLICY.format(nonce=f" 'nonce-{nonce}'" if is_page else "", sockets=sockets)
            headers = {**_HEADERS, "content-security-policy": policy}
            added = [(name.encode(), value.encode()) for name, value in headers.items()]
            event = {**event, "headers": [*event.get("headers", []), *added]}
            if is_page:
                held.append(event)
                return
        elif held and event["type"] == "http.response.body":
            held.append(event)
            if event.get("more_body"):
                return
            for one in _numbered(held, nonce.encode()):
                await send(one)
            held.clear()
            return
        await send(event)

    return sending


def _is_page(start: Event) -> bool:
    headers = {name.lower(): value for name, value in start.get("headers", [])}
    kind = headers.get(b"content-type", b"").lower()
    return (
        kind.startswith(b"text/html")
        and b"content-encoding" not in headers
        and b"content-disposition" not in headers  # a report that is saved stays as it is
    )


def _numbered(held: list[Event], nonce: bytes) -> tuple[Event, Event]:
    """Return the events of a page whose scripts bear a number."""
    start, *parts = held
    page = b"".join(part.get("body", b"") for part in parts)
    page = _SCRIPT.sub(b'<script nonce="' + nonce + b'"', page)
    headers = [pair for pair in start["headers"] if pair[0].lower() != b"content-length"]
    length = (b"content-length", str(len(page)).encode())
    return (
        {**start, "headers": [*headers, length]},
        {"type": "http.response.body", "body": page, "more_body": False},
    )
