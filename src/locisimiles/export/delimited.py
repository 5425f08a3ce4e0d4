"""CSV and TSV."""

from __future__ import annotations

import itertools
import re
from functools import partial
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from locisimiles.export.blocks import BlockRows

__all__ = ["guard", "unguard", "write_csv", "write_table", "write_tsv"]

_TAKEN_FOR_A_FORMULA = re.compile(r"'*[=+\-@\t\r\n]")
_GUARDED = re.compile(r"'+[=+\-@\t\r\n]")


def guard(cell: str) -> str:
    """Put an apostrophe before a text that a spreadsheet would take for a formula.

    Texts that look guarded get another, so that `unguard` always restores the original.

    Examples
    --------
    >>> guard("=cmd()"), guard("arma"), guard("'=cmd()")
    ("'=cmd()", 'arma', "''=cmd()")
    """
    return f"'{cell}" if _TAKEN_FOR_A_FORMULA.match(cell) else cell


def unguard(cell: str) -> str:
    """Remove the apostrophe of `guard`."""
    return cell[1:] if _GUARDED.match(cell) else cell


def _write_results(
    results: BlockRows, stream: TextIO, *, delimiter: str, spreadsheet_safe: bool = False
) -> None:
    """Write results as a table; `spreadsheet_safe` guards texts, but not numbers."""
    rows = ([row[name] for name in results.names] for row in results)
    if spreadsheet_safe:
        rows = ([guard(cell) if isinstance(cell, str) else cell for cell in row] for row in rows)
    write_table(stream, results.names, rows, delimiter=delimiter)


def write_table(
    stream: TextIO, header: Sequence[str], rows: Iterable[Sequence[object]], *, delimiter: str
) -> None:
    """Write rows as CSV or TSV, with quotes where needed.

    Before Python 3.13 the csv module leaves a lone carriage return unquoted, which no parser can
    tell from the end of a row.
    """
    special = re.compile(f'["\\n\\r{re.escape(delimiter)}]')
    for row in itertools.chain([header], rows):
        cells = (str(cell) for cell in row)
        quoted = (
            '"' + cell.replace('"', '""') + '"' if special.search(cell) else cell for cell in cells
        )
        stream.write(delimiter.join(quoted) + "\n")


write_csv = partial(_write_results, delimiter=",")
write_tsv = partial(_write_results, delimiter="\t")
