"""Dates of judgements, as tables write them."""

from __future__ import annotations

import math
from datetime import UTC, datetime

__all__ = ["read_time", "written_time"]


def written_time(time: float) -> str:
    """Return a time as ISO 8601, in UTC and to the microsecond; empty if it is unknown.

    Examples
    --------
    >>> written_time(1_700_000_000.25)
    '2023-11-14T22:13:20.250000+00:00'
    >>> read_time(written_time(1_700_000_000.123457)) == 1_700_000_000.123457
    True
    """
    if not time:
        return ""
    return datetime.fromtimestamp(time, UTC).isoformat(timespec="microseconds")


def read_time(text: str) -> float | None:
    """Return the time that a table names; None if it is none."""
    try:
        when = datetime.fromisoformat(text.strip())
        time = (when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return None
    return time if math.isfinite(time) and time > 0 else None
