"""Print a table: framed for people, tab-separated for programs."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from locisimiles.cli.console import write_json, write_line
from locisimiles.display import printable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.text import Text

__all__ = ["print_table"]


def print_table(
    header: Sequence[str],
    rows: Sequence[Sequence[str | Text]],
    *,
    title: str | None = None,
    as_json: bool = False,
) -> None:
    """Print rows under a header to standard output; as JSON, an object for each."""
    if as_json:
        write_json([dict(zip(header, map(str, row), strict=True)) for row in rows])
        return
    if not sys.stdout.isatty():
        write_line(*header)
        for row in rows:
            write_line(*row)
        return
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    heading = title and Text(printable(title))
    table = Table(
        title=heading, title_justify="left", header_style="bold", box=None, padding=(0, 2)
    )
    for name in header:
        table.add_column(name, overflow="fold")
    for row in rows:
        table.add_row(*(cell if isinstance(cell, Text) else Text(printable(cell)) for cell in row))
    Console(highlight=False).print(table)
