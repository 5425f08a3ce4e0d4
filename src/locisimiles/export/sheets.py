"""The sheets of a workbook of results, and the escapes in their cells."""

from __future__ import annotations

import re

__all__ = [
    "LONG_TEXTS_SHEET",
    "MANIFEST_SHEET",
    "REFERENCES_SHEET",
    "WHOLE_MANIFEST",
    "escape_cell",
    "unescape_cell",
]

REFERENCES_SHEET, MANIFEST_SHEET, LONG_TEXTS_SHEET = "references", "manifest", "long texts"
WHOLE_MANIFEST = "all of it, as JSON"
_ILLEGAL = re.compile("[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)")
_ESCAPED = re.compile("_x([0-9A-Fa-f]{4})_")


def escape_cell(text: str) -> str:
    r"""Escape characters that a sheet cannot contain, as spreadsheet programs do.

    Examples
    --------
    >>> escape_cell("arma\x00\r"), escape_cell("_x0041_")
    ('arma_x0000__x000D_', '_x005F_x0041_')
    """
    return _ILLEGAL.sub(lambda match: f"_x{ord(match[0]):04X}_", text)


def unescape_cell(text: str) -> str:
    """Undo `escape_cell`."""
    return _ESCAPED.sub(lambda match: chr(int(match[1], 16)), text)
