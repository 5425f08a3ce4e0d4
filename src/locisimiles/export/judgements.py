"""What readers decided about pairs: a colleague's table, read in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from locisimiles.errors import InputError, MalformedInputError, MissingColumnError
from locisimiles.export.tables import read_pair_table

if TYPE_CHECKING:
    import os

__all__ = ["Judgement", "Verdict", "read_judgements"]

Verdict = Literal["cit.", "cf.", "reject", "unsure"]

_VERDICTS: dict[str, Verdict] = {
    "cit": "cit.",
    "citation": "cit.",
    "cf": "cf.",
    "allusion": "cf.",
    "reject": "reject",
    "rejected": "reject",
    "none": "reject",
    "no": "reject",
    "unsure": "unsure",
    "?": "unsure",
}


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a reader decided about a pair.

    Attributes
    ----------
    query_id, source_id
        The pair.
    verdict
        ``cit.`` (a verbatim reference), ``cf.`` (an allusion), ``reject`` or ``unsure``.
    reader
        Who decided; empty if the table does not say.
    note
        What the reader wrote about it.
    """

    query_id: str
    source_id: str
    verdict: Verdict
    reader: str = ""
    note: str = ""


def read_judgements(
    path: str | os.PathLike[str], *, guarded: bool = False
) -> tuple[Judgement, ...]:
    """Read the judgements of a colleague.

    Parameters
    ----------
    path
        A ``.csv``, ``.tsv``, ``.json``, ``.jsonl``, ``.xlsx`` or ``.parquet`` file with columns
        ``query_id``, ``source_id``, ``verdict`` and, if you like, ``reader`` and ``note``. Pairs
        whose verdict is empty have not been judged yet and are left out.
    guarded
        Remove the apostrophes that guard cells from being taken for formulas, as the app writes
        them.

    Raises
    ------
    InputError
        If it cannot be read, has a verdict that we do not know, or one reader judged a pair twice.
    """
    table = read_pair_table(path, guarded=guarded)
    column = table.first_of("verdict", "label")
    if column is None:
        raise MissingColumnError(
            f"there is no column 'verdict'; the columns are {', '.join(table.names)}",
            file=table.file,
        )
    judgements = []
    seen: dict[tuple[str, str, str], int] = {}
    for row, cells in table.rows:
        word = cells[column].strip().lower().rstrip(".")
        if not word:
            continue
        if word not in _VERDICTS:
            raise MalformedInputError(
                f"{cells[column]!r} is no verdict",
                file=table.file,
                row=row,
                hint="use cit., cf., reject or unsure",
            )
        one = Judgement(
            query_id=cells["query_id"],
            source_id=cells["source_id"],
            verdict=_VERDICTS[word],
            reader=cells.get("reader", "").strip(),
            note=cells.get("note", ""),
        )
        if not one.query_id or not one.source_id:
            raise InputError("a pair needs both ids", file=table.file, row=row)
        first = seen.setdefault((one.query_id, one.source_id, one.reader), row)
        if first != row:
            raise MalformedInputError(
                f"the same reader judged the pair in row {first} already",
                file=table.file,
                row=row,
            )
        judgements.append(one)
    return tuple(judgements)
