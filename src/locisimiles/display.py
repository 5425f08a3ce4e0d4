"""Print results: highlighted on a terminal, as plain lines in a pipe or file."""

from __future__ import annotations

import sys
import unicodedata
from itertools import groupby
from typing import TYPE_CHECKING, TextIO

from locisimiles.results.base import check_results
from locisimiles.results.columns import PARALLEL_COLUMN, parallel_ids
from locisimiles.results.groups import grouped_references
from locisimiles.results.highlights import marks_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rich.console import Console
    from rich.text import Text

    from locisimiles.results import Results
    from locisimiles.results.groups import Grouped

__all__ = ["highlighted", "pretty_print", "printable"]

_PLAIN_HEADER = ("query", "rank", "score", "source", "shared", "query_text", "source_text")
_QUERIES_SHOWN = 50
_SHARED_STYLE = "bold green"


def pretty_print(results: Results, *, file: TextIO | None = None) -> None:
    """Print the candidates of every query, best first.

    On a terminal, shared words are highlighted, only the first fifty queries shown, and parallel
    sources named beneath the best one. Elsewhere, every candidate is a line of tab-separated
    columns, after a header. With a classifier, the score is the probability of a reference, and its
    more probable type is added; the verdict of a reader overrides it.

    Parameters
    ----------
    results
        The results of a search.
    file
        The stream; standard output by default.

    Examples
    --------
    >>> from locisimiles import BM25, Document, Pipeline, Segment
    >>> query = Document.from_segments([Segment("hier. 1", "Haesit uox faucibus")])
    >>> source = Document.from_segments([Segment("verg. 1", "et vox faucibus haesit")])
    >>> results = Pipeline(BM25()).run(query=query, source=source)
    >>> pretty_print(results)  # doctest: +NORMALIZE_WHITESPACE
    query    rank  score  source   shared              query_text           source_text
    hier. 1  1     0.35   verg. 1  haereo uox faux     Haesit uox faucibus  et vox faucibus haesit
    """
    check_results(results)
    stream = file or sys.stdout
    if stream.isatty():
        from rich.console import Console

        _print_rich(results, Console(file=stream, highlight=False))
    else:
        _print_plain(results, stream)


def printable(text: str) -> str:
    r"""Replace control characters, which could disturb a terminal, one by one: offsets stay.

    Examples
    --------
    >>> printable("arma\x1b[31m\tuirum")
    'arma�[31m uirum'
    """
    return text if text.isprintable() else "".join(map(_printable_character, text))


def _printable_character(character: str) -> str:
    if character.isprintable() or unicodedata.category(character) == "Zs":
        return character
    return " " if character in "\t\n\r" else "�"


def highlighted(text: str, spans: Iterable[tuple[int, int]]) -> Text:
    """Return a text for a terminal with some of its words highlighted."""
    from rich.text import Text

    shown = Text(printable(text))
    for start, end in spans:
        shown.stylize(_SHARED_STYLE, start, end)
    return shown


def _print_plain(results: Results, stream: TextIO) -> None:
    typed = results.probabilities is not None or results.judgements is not None
    grouped = results.best is not None
    last = (*(("type",) if typed else ()), *((PARALLEL_COLUMN,) if grouped else ()))
    print(*_PLAIN_HEADER, *last, sep="\t", file=stream)
    for reference, parallel_to in zip(results, parallel_ids(results), strict=True):
        print(
            printable(reference.query.id),
            reference.rank,
            f"{reference.score:.2f}",
            printable(reference.source.id),
            printable(" ".join(reference.shared)),
            printable(reference.query.text),
            printable(reference.source.text),
            *([reference.kind] if typed else []),
            *([printable(parallel_to)] if grouped else []),
            sep="\t",
            file=stream,
        )


def _print_rich(results: Results, console: Console) -> None:
    if not len(results):
        console.print("No query segment shares a word with the sources.", style="dim")
    by_query = groupby(grouped_references(results), key=lambda found: found.reference.query.id)
    for shown, (_, found) in enumerate(by_query):
        if shown == _QUERIES_SHOWN:
            note = f"… only the first {_QUERIES_SHOWN} queries are shown; -o FILE writes all."
            console.print(note, style="dim")
            return
        _print_query(list(found), console)


def _print_query(found: Sequence[Grouped], console: Console) -> None:
    from rich.table import Table
    from rich.text import Text

    query, first = found[0].reference.query, found[0].alignment
    console.print()
    console.print(Text(printable(query.id), style="bold"), end="  ")
    marks = marks_of(first)[0]
    console.print(highlighted(query.text, [(mark.start, mark.end) for mark in marks]))
    table = Table.grid(padding=(0, 2))
    table.add_column(justify="right", style="dim")
    table.add_column(justify="right", style="dim")
    table.add_column(no_wrap=True, style="cyan")
    table.add_column(ratio=1)
    for reference, alignment, _, parallels, _ in found:
        _, shared = marks_of(alignment)
        table.add_row(
            str(reference.rank),
            f"{reference.score:.2f}" + (f" {reference.kind:<4}" if reference.kind else ""),
            Text(printable(reference.source.id)),
            highlighted(reference.source.text, [(mark.start, mark.end) for mark in shared]),
        )
        if parallels:
            also = ", ".join(f"{printable(one.source.id)} ({one.rank})" for one in parallels)
            table.add_row("", "", "", Text(f"also in {also}", style="dim"))
    console.print(table)
