"""``locisimiles demo``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from locisimiles.cli.console import ProgressBar, say

if TYPE_CHECKING:
    from locisimiles.examples import KnownReference
    from locisimiles.results import Reference, Results

__all__ = ["demo"]

_SNIPPET = 60


def demo(
    k: Annotated[int, typer.Option("-k", min=1, help="Candidates for each query segment.")] = 10,
) -> None:
    """Search the example texts, and show which known references were found.

    Forty-two sentences of Jerome, Lactantius and Valerius Flaccus are searched in two hundred of
    Virgil, Cicero, Horace, Ovid, Lucretius, Lucan and Statius. Half of them are known to refer
    to one of these.

    Examples:

    - `locisimiles demo -k 5`: count only the first five candidates as found
    """
    from locisimiles.classify.ensemble import Ensemble
    from locisimiles.cli.tables import print_table
    from locisimiles.examples import (
        load_example_ground_truth,
        load_example_query,
        load_example_source,
    )
    from locisimiles.pipeline import Pipeline

    query, source = load_example_query(), load_example_source()
    known = load_example_ground_truth()
    say(f"Searching {len(query)} sentences of late antiquity in {len(source)} of their classics …")
    with ProgressBar() as progress:
        pipeline = Pipeline(k=k, classifier=Ensemble())
        results = pipeline.run(query=query, source=source, progress=progress)
    rows, found = _outcome(results, known)
    print_table(["query", "first hit", "known reference", "type", "rank", "probability"], rows)
    say(
        f"{found} of {len(known)} known references are among the first {k} candidates. "
        "To search your own texts: locisimiles search QUERY SOURCE..."
    )


def _outcome(results: Results, known: list[KnownReference]) -> tuple[list[list[str]], int]:
    """Return a row for each known reference, and how many of them were found."""
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
                "" if repeated else _quote(results.query[reference.query_id].text, last),
                "" if repeated or not candidates else _hit(candidates[0]),
                reference.source_id,
                f"{reference.label}.",
                "missed" if hit is None else str(hit.rank),
                "" if hit is None else f"{hit.score:.2f}",
            ]
        )
    return rows, found


def _hit(candidate: Reference) -> str:
    return _quote(candidate.source.text, candidate.source.id)


def _quote(text: str, segment_id: str) -> str:
    shown = text if len(text) <= _SNIPPET else text[:_SNIPPET].rsplit(" ", 1)[0] + " …"
    return f"{segment_id}: {shown}"
