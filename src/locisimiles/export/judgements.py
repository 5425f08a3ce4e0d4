"""Verdicts of readers as tables, and back."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import TYPE_CHECKING

from locisimiles.errors import InputError, MalformedInputError, OutputError
from locisimiles.export.delimited import guard, write_table
from locisimiles.export.json_files import dump_json
from locisimiles.export.tables import read_pair_table
from locisimiles.results.reader_cells import are_judged, parse_judgement

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Iterator, Mapping

    from locisimiles.export.tables import PairTable
    from locisimiles.results import Verdict

__all__ = ["JUDGEMENT_SUFFIXES", "Judgement", "read_judgements", "write_judgements"]

JUDGEMENT_SUFFIXES = (".csv", ".tsv", ".xlsx", ".json")
"""The suffixes that `write_judgements` understands."""

_SPELLINGS: dict[Verdict, str] = {
    "cit.": "cit citation",
    "cf.": "cf allusion",
    "reject": "reject rejected none no",
    "unsure": "unsure ?",
}
_VERDICTS = {word: verdict for verdict, words in _SPELLINGS.items() for word in words.split()}
_YES = "yes"
_TRUE = (_YES, "true", "1")
_HEADER = (
    "query_id", "source_id", "verdict", "reader", "note", "date", "independent", "adjudicated",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Judgement:
    """The verdict of a reader on a pair.

    Attributes
    ----------
    verdict
        ``cit.`` (a verbatim reference), ``cf.`` (an allusion), ``reject`` or ``unsure``; None for a
        note without a verdict.
    reader
        The name of the reader; empty if the table has none.
    date
        When, as ISO 8601; empty if unknown.
    independent
        Whether the reader could not know what others had said of the pair.
    adjudicated
        Whether it decides between readers.
    """

    query_id: str
    source_id: str
    verdict: Verdict | None
    reader: str = ""
    note: str = ""
    date: str = ""
    independent: bool = False
    adjudicated: bool = False


def write_judgements(judgements: Iterable[Judgement], suffix: str) -> bytes:
    """Return judgements as a table that `read_judgements` reads, with ``guarded`` except for JSON.

    Examples
    --------
    >>> print(write_judgements([Judgement("a", "b", "cf.", "Ann", "=x")], ".csv").decode().strip())
    query_id,source_id,verdict,reader,note,date,independent,adjudicated
    a,b,cf.,Ann,'=x,,,
    """
    if suffix not in JUDGEMENT_SUFFIXES:
        raise OutputError(
            "files.unknown_table", file=suffix, suffixes=", ".join(JUDGEMENT_SUFFIXES)
        )
    rows = [_cells(one) for one in judgements]
    text = io.StringIO(newline="")
    if suffix == ".json":
        dump_json([dict(zip(_HEADER, row, strict=True)) for row in rows], text)
        return text.getvalue().encode()
    guarded = [[guard(cell) for cell in row] for row in rows]
    if suffix == ".xlsx":
        from locisimiles.export.workbook import write_plain_xlsx  # slow to import

        stream = io.BytesIO()
        write_plain_xlsx(_HEADER, guarded, stream)
        return stream.getvalue()
    write_table(text, _HEADER, guarded, delimiter="," if suffix == ".csv" else "\t")
    return text.getvalue().encode()


def _cells(one: Judgement) -> tuple[str, ...]:
    marks = (_YES if mark else "" for mark in (one.independent, one.adjudicated))
    return one.query_id, one.source_id, one.verdict or "", one.reader, one.note, one.date, *marks


def read_judgements(
    path: str | os.PathLike[str], *, guarded: bool = False, reader: str = ""
) -> tuple[Judgement, ...]:
    """Read judgements from a table.

    Parameters
    ----------
    path
        A ``.csv``, ``.tsv``, ``.json``, ``.jsonl``, ``.xlsx`` or ``.parquet`` file with columns
        ``query_id``, ``source_id``, ``verdict`` and optionally ``reader``, ``note``, ``date``,
        ``independent`` and ``adjudicated``. Rows with neither verdict nor note are left out. Of
        exported results, the judgements of all readers are read.
    guarded
        Remove the apostrophes that the app puts before cells that look like formulas.
    reader
        The reader of a table that has no column ``reader``.

    Raises
    ------
    InputError
        If the file cannot be read, has an unknown verdict, or one reader judged a pair twice.
    """
    table = read_pair_table(path, guarded=guarded)
    read = _of_results(table) if are_judged(table.columns) else _of_readers(table, reader)
    judgements = []
    seen: dict[tuple[str, str, str, bool], int] = {}
    for row, one in read:
        for name in ("query_id", "source_id"):
            if not getattr(one, name):
                raise InputError("export.empty_id", column=name, file=table.file, row=row)
        # A pair has one decision, whoever made it.
        owner = "" if one.adjudicated else one.reader
        first = seen.setdefault((one.query_id, one.source_id, owner, one.adjudicated), row)
        if first != row:
            raise MalformedInputError(
                "export.judged_twice", first=str(first), file=table.file, row=row
            )
        judgements.append(one)
    return tuple(judgements)


def _of_readers(table: PairTable, reader: str) -> Iterator[tuple[int, Judgement]]:
    """Yield the judgements of a table with a row for each."""
    if not table.rows:  # nobody has judged; JSON then names no columns
        return
    column = table.require(["verdict", "label"])
    for row, cells in table.rows:
        word = cells[column].strip().lower().rstrip(".")
        if not word and not cells.get("note"):
            continue
        if word and word not in _VERDICTS:
            raise MalformedInputError(
                "export.unknown_verdict", verdict=cells[column], file=table.file, row=row
            )
        yield (
            row,
            Judgement(
                query_id=cells["query_id"],
                source_id=cells["source_id"],
                verdict=_VERDICTS[word] if word else None,
                reader=cells.get("reader", reader).strip(),
                note=cells.get("note", ""),
                date=cells.get("date", cells.get("time", "")),
                independent=_is_marked(cells, "independent"),
                adjudicated=_is_marked(cells, "adjudicated"),
            ),
        )


def _is_marked(cells: Mapping[str, str], name: str) -> bool:
    return cells.get(name, "").strip().lower() in _TRUE


def _of_results(table: PairTable) -> Iterator[tuple[int, Judgement]]:
    """Yield the judgements of exported results, which have all of a pair in one cell."""
    for row, cells in table.rows:
        judged = parse_judgement(cells)
        for one in judged.readers if judged else ():
            yield (
                row,
                Judgement(
                    cells["query_id"],
                    cells["source_id"],
                    one.verdict,
                    one.reader,
                    one.note,
                    one.date,
                    one.independent,
                    one.adjudicated,
                ),
            )
