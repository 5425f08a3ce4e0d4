"""Files as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from locisimiles.files.decoding import decode

if TYPE_CHECKING:
    from locisimiles.corpus.report import ReadReport
    from locisimiles.files.raw import RawInput

__all__ = ["read_text"]


def read_text(raw: RawInput, report: ReadReport, *, encoding: str | None = None) -> str:
    """Return the text of a file; report it if it is not UTF-8."""
    text, used = decode(raw, encoding)
    if encoding is None and used == "cp1252":
        report.note(raw.name, "corpus.read_as_cp1252")
    return text
