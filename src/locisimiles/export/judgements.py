"""Read colleagues' verdicts from tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from locisimiles.errors import InputError, MalformedInputError
from locisimiles.export.tables import read_pair_table

if TYPE_CHECKING:
    import os

    from locisimiles.results import Verdict

__all__ = ["Judgement", "read_judgements"]

_SPELLINGS: dict[Verdict, str] = {
    "cit.": "cit citation",
    "cf.": "cf allusion",
    "reject": "reject rejected none no",
    "unsure": "unsure ?",
}
_VERDICTS = {word: verdict for verdict, words in _SPELLINGS.items() for word in words.split()}


@dataclass(frozen=True, slots=True)
class Judgement:
    """The verdict of a reader on a pair.

    Attributes
    ----------
    verdict
        ``cit.`` (a verbatim reference), ``cf.`` (an allusion), ``reject`` or ``unsure``.
    reader
        The name of the reader; empty if the table has none.
    """

    query_id: str
    source_id: str
    verdict: Verdict
    reader: str = ""
    note: str = ""


def read_judgements(
    path: str | os.PathLike[str], *, guarded: bool = False
) -> tuple[Judgement, ...]:
    """Read judgements from a table.

    Parameters
    ----------
    path
        A ``.csv``, ``.tsv``, ``.json``, ``.jsonl``, ``.xlsx`` or ``.parquet`` file with columns
        ``query_id``, ``source_id``, ``verdict`` and optionally ``reader`` and ``note``. Pairs with
        an empty verdict are left out.
    guarded
        Remove the apostrophes that the app puts before cells that look like formulas.

    Raises
    ------
    InputError
        If the file cannot be read, has an unknown verdict, or one reader judged a pair twice.
    """
    table = read_pair_table(path, guarded=guarded)
    column = table.require(["verdict", "label"])
    judgements = []
    seen: dict[tuple[str, str, str], int] = {}
    for row, cells in table.rows:
        word = cells[column].strip().lower().rstrip(".")
        if not word:
            continue
        if word not in _VERDICTS:
            raise MalformedInputError(
                "export.unknown_verdict", verdict=cells[column], file=table.file, row=row
            )
        judgement = Judgement(
            query_id=cells["query_id"],
            source_id=cells["source_id"],
            verdict=_VERDICTS[word],
            reader=cells.get("reader", "").strip(),
            note=cells.get("note", ""),
        )
        for name in ("query_id", "source_id"):
            if not cells[name]:
                raise InputError("export.empty_id", column=name, file=table.file, row=row)
        pair = judgement.query_id, judgement.source_id, judgement.reader
        first = seen.setdefault(pair, row)
        if first != row:
            raise MalformedInputError(
                "export.judged_twice", first=str(first), file=table.file, row=row
            )
        judgements.append(judgement)
    return tuple(judgements)
