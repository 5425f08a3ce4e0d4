"""Detect the format of a file from its content and its name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from locisimiles.checks import check_choice
from locisimiles.corpus.formats import FORMATS
from locisimiles.corpus.formats.safe_xml import looks_like_xml
from locisimiles.corpus.formats.tables import looks_like_table
from locisimiles.corpus.formats.tess import looks_like_tess
from locisimiles.corpus.formats.web_pages import looks_like_html
from locisimiles.corpus.inputs import WORD_PROCESSOR_SUFFIXES
from locisimiles.errors import EmptyInputError, UnknownFormatError
from locisimiles.files.archives import check_zip
from locisimiles.files.decoding import is_text_encoding, marked_encoding

if TYPE_CHECKING:
    from locisimiles.corpus.formats import Format
    from locisimiles.files.raw import RawInput

__all__ = ["detect_format"]

_SAMPLE = 4096
_PACKED = frozenset(["docx", "odt", "xlsx"])
_BY_SUFFIX = {suffix: known for known in FORMATS.values() for suffix in known.suffixes}


def detect_format(raw: RawInput, name: str | None = None, *, encoding: str | None = None) -> Format:
    """Return the format of a file: the one the user named, or the one it looks like.

    Raises an EmptyInputError or an UnknownFormatError.
    """
    if not raw.data.strip():
        raise EmptyInputError("corpus.empty_file", file=raw.name)
    if name is not None:
        check_choice(FORMATS, format=name)
        return FORMATS[name]
    if raw.suffix in WORD_PROCESSOR_SUFFIXES:
        raise UnknownFormatError("corpus.word_processor", file=raw.name)
    if raw.data.startswith(b"PK\x03\x04"):
        return _packed(raw)
    known_encoding = encoding or marked_encoding(raw.data)
    if b"\x00" in raw.data[:_SAMPLE] and not known_encoding:
        raise _unknown(raw)
    if not is_text_encoding(known_encoding or "utf-8"):
        known_encoding = None  # the parser raises the error
    sample = raw.data[:_SAMPLE].decode(known_encoding or "utf-8", errors="replace")
    sample = sample.removeprefix("\ufeff")
    if found := _by_content(sample, raw.suffix) or _BY_SUFFIX.get(raw.suffix):
        return found
    if not raw.by_itself:
        raise _unknown(raw)
    return FORMATS["txt"]


def _packed(raw: RawInput) -> Format:
    """Tell documents and spreadsheets apart, which are all zip files."""
    known = _BY_SUFFIX.get(raw.suffix)
    if known is not None and known.name in _PACKED:
        return known
    with check_zip(raw) as archive:
        names = archive.namelist()
    if any(name.startswith("word/") for name in names):
        return FORMATS["docx"]
    return FORMATS["odt" if "content.xml" in names else "xlsx"]


def _by_content(sample: str, suffix: str) -> Format | None:
    """Recognise formats with unmistakable content, whatever the suffix."""
    if suffix in FORMATS["html"].suffixes or looks_like_html(sample):
        return FORMATS["html"]
    if looks_like_xml(sample):
        return FORMATS["tei"]
    if looks_like_tess(sample):
        return FORMATS["tess"]
    if suffix not in _BY_SUFFIX or suffix == ".txt":
        if looks_like_table(sample):
            return FORMATS["csv"]
        if sample.lstrip().startswith(('{"', '[{"')):
            return FORMATS["jsonl"]
    return None


def _unknown(raw: RawInput) -> UnknownFormatError:
    if not raw.by_itself:
        return UnknownFormatError("corpus.not_a_text_format", file=raw.name)
    suffixes = ", ".join(_BY_SUFFIX)
    return UnknownFormatError("corpus.unknown_format", file=raw.name, suffixes=suffixes)
