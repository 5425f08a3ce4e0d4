"""Replace characters that XML or HTML cannot hold, one by one, so that offsets stay."""

from __future__ import annotations

import re

__all__ = ["for_html", "for_xml"]

# What XML 1.0 leaves out: control characters, halves of characters, two non-characters.
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")
_PICTURES, _LAST_PICTURED, _DELETE, _DELETE_PICTURE = 0x2400, 0x20, "\x7f", "\u2421"
_HTML = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;", "\r": "&#13;"}
_HTML_SPECIAL = re.compile("[&<>\"'\r]")


def for_xml(text: str) -> str:
    r"""Replace each character that XML cannot hold by a visible sign.

    Examples
    --------
    >>> for_xml("arma\x00uirum\x1b"), for_xml("arma\nuirum")
    ('arma␀uirum␛', 'arma\nuirum')
    """
    return _NOT_XML.sub(_picture, text)


def for_html(text: str) -> str:
    """Escape a text for HTML, inside elements and quoted attributes."""
    return _HTML_SPECIAL.sub(lambda match: _HTML[match[0]], for_xml(text))


def _picture(match: re.Match[str]) -> str:
    character = match[0]
    if ord(character) < _LAST_PICTURED:
        return chr(_PICTURES + ord(character))
    return _DELETE_PICTURE if character == _DELETE else "\ufffd"
