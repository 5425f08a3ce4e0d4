"""Replace characters that XML and HTML cannot contain, one by one, so that offsets stay."""

from __future__ import annotations

import re

__all__ = ["for_html", "for_xml"]

# Not in XML 1.0: control characters, surrogates, two noncharacters.
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")
_PICTURES, _LAST_PICTURED, _DELETE, _DELETE_PICTURE = 0x2400, 0x20, "\x7f", "\u2421"
_HTML = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;", "\r": "&#13;"}
)


def for_xml(text: str) -> str:
    r"""Replace each character that XML cannot contain by a visible one.

    Examples
    --------
    >>> for_xml("arma\x00uirum\x1b"), for_xml("arma\nuirum")
    ('arma␀uirum␛', 'arma\nuirum')
    """
    return _NOT_XML.sub(_picture, text)


def for_html(text: str) -> str:
    """Escape a text for HTML, inside elements and quoted attributes."""
    return for_xml(text).translate(_HTML)


def _picture(match: re.Match[str]) -> str:
    character = match[0]
    if ord(character) < _LAST_PICTURED:
        return chr(_PICTURES + ord(character))
    return _DELETE_PICTURE if character == _DELETE else "\ufffd"
