"""``locisimiles demo``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from locisimiles.cli.console import ProgressBar, say
from locisimiles.cli.tables import print_table
from locisimiles.examples import (
    load_example_ground_truth,
    load_example_query,
    load_example_source,
)
from locisimiles.pipeline import Pipeline

if TYPE_CHECKING:
    from locisimiles.corpus import Segment
    from locisimiles.examples import KnownReference
    from locisimiles.results import Results

__all__ = ["demo"]

_SNIPPET = 60


def demo(
    k: Annotated[
        int,
        typer.Option(
            "-k",
            "--top",
            metavar="N",
            min=1,
            help="Maximum number of candidates per query segment.",
        ),
    ] = 10,
) -> None:
    """Search the example texts, and show which known references were found.

    Forty-two sentences of Jerome, Lactantius and Valerius Flaccus are searched in two hundred of
    Virgil, Cicero, Horace, Ovid, Lucretius, Lucan and Statius. Half of them are known to refer
    to one of these.

    Examples:

    - `locisimiles demo -k 5`: look at the first five candidates only
    """
    query, source = load_example_query(), load_example_source()
    known = load_example_ground_truth()
    say(f"Searching {len(query)} sentences of late antiquity in {len(source)} of their classics …")
    with ProgressBar() as progress:
        results = Pipeline(k=k).run(query=query, source=source, progress=progress)
    rows, found = _compare(results, known)
    print_table(["query", "first hit", "known reference", "type", "rank", "probability"], rows)
    say(
        f"{found} of {len(known)} known references are among the first {k} candidates. "
        "To search your own texts: locisimiles search QUERY SOURCE..."
    )


def _compare(results: Results, known: list[KnownReference]) -> tuple[list[list[str]], int]:
    """Return a row for each known reference, and the number that were found."""
    rows: list[list[str]] = []
    found = 0
    last = ""
    for reference in known:
        candidates = results.for_query(reference.query_id)
        hit = next((c for c in candidates if c.source.id == reference.source_id), None)
        found += hit is not None
        repeated = reference.query_id == last
        last = reference.query_id
        rows.append(
            [
                "" if repeated else _quote(results.query[reference.query_id]),
                "" if repeated or not candidates else _quote(candidates[0].source),
                reference.source_id,
                f"{reference.label}.",
                "missed" if hit is None else str(hit.rank),
                "" if hit is None else f"{hit.score:.2f}",
            ]
        )
    return rows, found


def _quote(segment: Segment) -> str:
    text = segment.text
    shown = text if len(text) <= _SNIPPET else text[:_SNIPPET].rsplit(" ", 1)[0] + " …"
    return f"{segment.id}: {shown}"
