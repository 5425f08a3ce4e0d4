"""The formats texts come in: one reader each, all with the same signature."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from locisimiles.corpus.formats.delimited import read_csv, read_tsv
from locisimiles.corpus.formats.jsonlines import read_jsonl
from locisimiles.corpus.formats.plain import read_txt
from locisimiles.corpus.formats.tei import read_tei
from locisimiles.corpus.formats.tess import read_tess
from locisimiles.corpus.formats.workbook import read_xlsx

if TYPE_CHECKING:
    from locisimiles.corpus.columns import Columns
    from locisimiles.corpus.inputs import RawInput
    from locisimiles.corpus.options import ReadOptions
    from locisimiles.corpus.report import ReadReport

__all__ = ["FORMATS", "Format", "Reader"]


class Reader(Protocol):
    """Turns one file into segments."""

    def __call__(self, raw: RawInput, options: ReadOptions, report: ReadReport) -> Columns:
        """Read a file.

        Parameters
        ----------
        raw
            The file.
        options
            The user's choices.
        report
            Where to say what was skipped or guessed.

        Raises
        ------
        InputError
            If the file cannot be read, naming the row.
        """


@dataclass(frozen=True, slots=True)
class Format:
    """A format we read."""

    name: str
    suffixes: tuple[str, ...]
    read: Reader
    description: str


FORMATS = {
    known.name: known
    for known in (
        Format("csv", (".csv",), read_csv, "table, comma or semicolon, with a header row"),
        Format("tsv", (".tsv", ".tab"), read_tsv, "table, tabs, with a header row"),
        Format("jsonl", (".jsonl", ".ndjson", ".json"), read_jsonl, "one JSON object a segment"),
        Format("xlsx", (".xlsx", ".xlsm"), read_xlsx, "spreadsheet with a header row"),
        Format("txt", (".txt", ".text"), read_txt, "plain text: lines, prose or verse"),
        Format("tess", (".tess",), read_tess, "Tesserae text, one locus a line"),
        Format("tei", (".xml", ".tei"), read_tei, "TEI XML (Perseus, CSEL, Corpus Corporum)"),
    )
}
