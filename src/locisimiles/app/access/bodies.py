"""Bodies of requests: neither too long nor too slow."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from locisimiles.app.projects.inputs import LARGEST_FILE

if TYPE_CHECKING:
    from starlette.types import Message as Event
    from starlette.types import Receive

__all__ = ["LARGEST_BODY", "limited"]

LARGEST_BODY = LARGEST_FILE + 1024**2
"""The most bytes of a body: a file, and what describes it."""
_LONGEST_PAUSE_S = 30.0


def limited(receive: Receive) -> Receive:
    """Disconnect when a body is too long, whatever its header says, or stops for too long."""
    seen, is_whole = 0, False

    async def receiving() -> Event:
        nonlocal seen, is_whole
        if is_whole:  # what comes now is the end of the connection, which may take hours
            return await receive()
        try:
            event = await asyncio.wait_for(receive(), _LONGEST_PAUSE_S)
        except TimeoutError:
            is_whole = True
            return {"type": "http.disconnect"}
        seen += len(event.get("body", b""))
        is_whole = not event.get("more_body", False)
        return {"type": "http.disconnect"} if seen > LARGEST_BODY else event

    return receiving
