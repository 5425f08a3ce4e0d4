"""``locisimiles query``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from locisimiles.cli import options as opt  # noqa: TC001 - typer reads it
from locisimiles.cli.console import say
from locisimiles.cli.files import check_target, write_rows
from locisimiles.errors import UnknownFormatError
from locisimiles.files.parquet_sql import copy_parquet, query_parquet

__all__ = ["query"]

_SUFFIXES = (".csv", ".tsv", ".parquet")


def query(
    results: Annotated[
        Path,
        typer.Argument(metavar="RESULTS", help="A Parquet file of results.", show_default=False),
    ],
    sql: Annotated[
        str,
        typer.Argument(
            metavar="SQL", help="A SELECT statement over the table 'results'.", show_default=False
        ),
    ],
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="Write to a file, not the screen: .csv, .tsv or .parquet.",
        ),
    ] = None,
    overwrite: opt.OverwriteOption = False,
) -> None:
    """Ask a file of results with SQL; it may be larger than memory.

    Examples:

    - `locisimiles query hits.parquet "SELECT count(*) FROM results"`

    - `locisimiles query hits.parquet "SELECT source_work, count(*) FROM results GROUP BY ALL"`

    - `locisimiles query hits.parquet "SELECT * FROM results WHERE rank = 1" -o first.csv`
    """
    if results.suffix.lower() != ".parquet":
        raise UnknownFormatError("cli.query_needs_parquet", file=str(results))
    check_target(output, [results], overwrite=overwrite, suffixes=_SUFFIXES)
    if output is not None and output.suffix.lower() == ".parquet":
        copy_parquet([results], sql, output)
        say(f"wrote {output}")
        return
    with query_parquet([results], sql) as found:
        rows = (["" if cell is None else cell for cell in row] for row in found.rows)
        write_rows(output, found.names, rows)
