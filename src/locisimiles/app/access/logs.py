"""What the log may say of a request: one line, without what follows the question mark."""

from __future__ import annotations

import logging
import re

__all__ = ["OneLine"]

_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
_QUERY = re.compile(r"\?\S+=\S*")
_LONGEST = 2000


class OneLine(logging.Filter):
    r"""Writes the message of each record in one line, whatever was asked for.

    Addresses lose what follows the question mark: it may hold what somebody looks for.

    Examples
    --------
    >>> record = logging.LogRecord("x", 30, "", 0, "%s not found", ("http://a/b?c=d\nroot",), None)
    >>> OneLine().filter(record), record.getMessage()
    (True, 'http://a/b?… not found')
    """

    def filter(self, record: logging.LogRecord) -> bool:
        """Change a record; it is always logged."""
        text = _CONTROL.sub("�", record.getMessage())
        record.msg, record.args = _QUERY.sub("?…", text)[:_LONGEST], ()
        return True
