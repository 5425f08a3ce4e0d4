"""Wrong tokens are counted by address, so that none is found by trying."""

from __future__ import annotations

import ipaddress
import time
from collections import OrderedDict, deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Guesses"]

_MOST, _WITHIN_S = 10, 60.0
_MOST_ADDRESSES = 10_000
_IPV6_NETWORK = 64  # the smallest network a customer gets: one guesser


class Guesses:
    """How often an address has given a wrong token in the last minute.

    Examples
    --------
    >>> guesses = Guesses(clock=lambda: 0.0)
    >>> for _ in range(10):
    ...     guesses.add("10.0.0.7")
    >>> guesses.seconds_to_wait("10.0.0.7"), guesses.seconds_to_wait("10.0.0.8")
    (60, 0)
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._times: OrderedDict[str, deque[float]] = OrderedDict()

    def add(self, address: str) -> None:
        """Count a wrong token."""
        network = _network(address)
        self._times.setdefault(network, deque(maxlen=_MOST)).append(self._clock())
        self._times.move_to_end(network)
        if len(self._times) > _MOST_ADDRESSES:
            self._times.popitem(last=False)

    def seconds_to_wait(self, address: str) -> int:
        """Return after how many seconds the address may give a token again; 0 if it may now."""
        times = self._times.get(_network(address))
        if times is None or len(times) < _MOST:
            return 0
        return max(0, int(times[0] + _WITHIN_S - self._clock()))


def _network(address: str) -> str:
    try:
        number = ipaddress.ip_address(address)
    except ValueError:
        return address
    if number.version == 4:  # noqa: PLR2004 - of the protocol
        return address
    return str(ipaddress.ip_network((int(number), _IPV6_NETWORK), strict=False))
