"""Connections that ask for nothing are closed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from uvicorn.protocols.http.auto import AutoHTTPProtocol

if TYPE_CHECKING:
    import asyncio

__all__ = ["MOST_CONNECTIONS", "ImpatientProtocol"]

MOST_CONNECTIONS = 500
"""How many connections are served at a time; others are told to come later."""
_HEADER_S = 10.0


# uvicorn chooses its class when it is imported.
class ImpatientProtocol(AutoHTTPProtocol):  # type: ignore[misc,valid-type]
    """HTTP as uvicorn speaks it, with a limit to how long the header of a request may take."""

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:  # noqa: ANN401 - of asyncio
        """Begin to wait for a request."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Go on waiting if the header is not whole."""
        super().data_received(data)
        if self._is_waiting():
            self._wait()
        else:
            self._stop_waiting()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no longer."""
        self._stop_waiting()
        super().connection_lost(exc)

    def _is_waiting(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    def _wait(self) -> None:
        if self._deadline is None:
            self._deadline = self.loop.call_later(_HEADER_S, self._give_up)

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _give_up(self) -> None:
        self._deadline = None
        # A connection that has become a socket is no longer ours.
        if self._is_waiting() and self.transport.get_protocol() is self:
            self.transport.close()
