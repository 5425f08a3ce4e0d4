"""The formats of texts, each with a parser of the same signature."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from locisimiles.corpus.formats.docx import read_docx
from locisimiles.corpus.formats.odt import read_odt
from locisimiles.corpus.formats.plain import read_txt
from locisimiles.corpus.formats.tables import read_csv, read_jsonl, read_tsv, read_xlsx
from locisimiles.corpus.formats.tei import read_tei
from locisimiles.corpus.formats.tess import read_tess
from locisimiles.corpus.formats.web_pages import read_html

if TYPE_CHECKING:
    from collections.abc import Callable

    from locisimiles.corpus.columns import Columns
    from locisimiles.corpus.options import ReadOptions
    from locisimiles.corpus.report import ReadReport
    from locisimiles.files.raw import RawInput

__all__ = ["FORMATS", "Format"]


@dataclass(frozen=True, slots=True)
class Format:
    """A format of texts.

    Its parser turns a file into segments, reports what it skips or guesses, and raises an
    InputError that names the row if the file cannot be read.
    """

    name: str
    suffixes: tuple[str, ...]
    read: Callable[[RawInput, ReadOptions, ReadReport], Columns]
    description: str


FORMATS = {
    known.name: known
    for known in (
        Format("csv", (".csv",), read_csv, "table, comma or semicolon, with a header row"),
        Format("tsv", (".tsv", ".tab"), read_tsv, "table, tabs, with a header row"),
        Format("jsonl", (".jsonl", ".ndjson", ".json"), read_jsonl, "one JSON object per segment"),
        Format("xlsx", (".xlsx", ".xlsm"), read_xlsx, "spreadsheet with a header row"),
        Format("txt", (".txt", ".text"), read_txt, "plain text: lines, prose or verse"),
        Format("tess", (".tess",), read_tess, "Tesserae text, one locus per line"),
        Format("tei", (".xml", ".tei"), read_tei, "TEI XML (Perseus, CSEL, Corpus Corporum)"),
        Format("docx", (".docx", ".docm"), read_docx, "document of Word"),
        Format("odt", (".odt", ".ott"), read_odt, "document of LibreOffice"),
        Format("html", (".html", ".htm", ".xhtml"), read_html, "web page"),
    )
}
