"""``locisimiles network``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from locisimiles.cli import options as opt  # noqa: TC001 - typer reads it
from locisimiles.cli.console import say
from locisimiles.cli.files import check_target, write_rows
from locisimiles.cli.tables import print_table
from locisimiles.errors import ParameterError
from locisimiles.export import read_references, read_results
from locisimiles.files.writing import atomic_binary
from locisimiles.networks import (
    count_citations,
    find_chains,
    measure_density,
    merge_references,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from locisimiles.networks import CitationMatrix
    from locisimiles.results import Results

    Table = tuple[Sequence[str], list[list[str]]]

__all__ = ["network"]


def network(
    results: Annotated[
        list[Path],
        typer.Argument(
            metavar="RESULTS...",
            help="Files of results (.csv, .tsv, .json, .jsonl, .xlsx, .parquet); one, or several "
            "for chains.",
        ),
    ],
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="Write a table (.csv, .tsv) or a network of links (.graphml).",
        ),
    ] = None,
    what: Annotated[
        Literal["links", "density", "places", "chains"],
        typer.Option(
            help="links: who cites whom; density: references along the text; places: references "
            "with neighbouring sources merged; chains: references to passages that themselves "
            "refer to another."
        ),
    ] = "links",
    level: Annotated[
        Literal["author", "work"], typer.Option(help="Link authors or works.")
    ] = "work",
    minimum: Annotated[
        float | None,
        typer.Option(help="Minimum probability of a reference; without a classifier, score."),
    ] = None,
    best: Annotated[
        int | None,
        typer.Option(
            "-k",
            "--top",
            metavar="N",
            min=1,
            help="Maximum number of candidates per query segment.",
        ),
    ] = None,
    chronological: Annotated[
        bool,
        typer.Option(
            "--chronological",
            help="Omit links to works known to be later; chains never have them.",
        ),
    ] = False,
    overwrite: opt.OverwriteOption = False,
) -> None:
    """Show who is cited where: links of authors and works, density, places, chains.

    By default probable references count; without a classifier, the best candidate of each segment.

    Examples:

    - `locisimiles network hits.csv -o hits.graphml`: the works, for Gephi or Cytoscape

    - `locisimiles network hits.csv --level author --top 3`: a table of authors

    - `locisimiles network a.csv b.csv c.csv --what chains -o chains.csv`
    """
    from locisimiles.export.graphml import write_citation_graph  # loads lxml

    if len(results) > 1 and what != "chains":
        raise ParameterError("cli.one_file_of_results", what=what, files=len(results))
    if chronological and what in ("density", "places"):
        raise ParameterError("cli.chronological", what=what)
    suffixes = (".graphml", ".csv", ".tsv") if what == "links" else (".csv", ".tsv")
    check_target(output, results, overwrite=overwrite, suffixes=suffixes)
    if what == "links":
        read = read_references(results[0], minimum=minimum, best=best)
        matrix = count_citations(
            read, level=level, minimum=minimum, best=best, chronological=chronological
        )
        if output is not None and output.suffix.lower() == ".graphml":
            with atomic_binary(output) as graph:
                write_citation_graph(matrix, read.manifest, graph)
            say(f"wrote {output}")
            return
        header, rows = _links(matrix)
    else:
        sets = [read_results(path) for path in results]
        header, rows = _TABLES[what](sets, minimum, best)
    if output is None:
        print_table(header, rows)
    else:
        write_rows(output, header, rows)


def _links(matrix: CitationMatrix) -> Table:
    header = [
        *("citing_author", "citing_work", "citing_year", "cited_author", "cited_work"),
        *("cited_year", "references", "weight", "cit", "cf", "out_of_order", "undated"),
    ]
    rows = [
        [
            link.citing.author, link.citing.work, _years(*link.citing[2:]),
            link.cited.author, link.cited.work, _years(*link.cited[2:]),
            *map(str, link[2:]),
        ]
        for link in matrix.links()
    ]  # fmt: skip
    return header, rows


def _years(first: int | None, last: int | None) -> str:
    if first is None:
        return "unknown"
    return str(first) if first == last else f"{first} to {last}"


def _density(sets: Sequence[Results], minimum: float | None, best: int | None) -> Table:
    density = measure_density(sets[0], minimum=minimum, best=best)
    columns = (
        density.first,
        density.last,
        density.segments.tolist(),
        density.references.tolist(),
        density.weight.round(4).tolist(),
    )
    rows = [[str(cell) for cell in row] for row in zip(*columns, strict=True)]
    return ("first_id", "last_id", "segments", "references", "weight"), rows


def _places(sets: Sequence[Results], minimum: float | None, best: int | None) -> Table:
    rows = [
        [
            merged.best.query.id,
            merged.best.source.id,
            " | ".join(merged.source_ids),
            str(round(merged.best.score, 4)),
        ]
        for merged in merge_references(sets[0], minimum=minimum, best=best)
    ]
    return ("query_id", "best_source_id", "source_ids", "score"), rows


def _chains(sets: Sequence[Results], minimum: float | None, best: int | None) -> Table:
    rows = [
        [*chain.ids, "yes" if chain.window else "no", chain.chronology]
        for chain in find_chains(sets, minimum=minimum, best=best)
    ]
    return ("latest_id", "between_id", "earliest_id", "window", "chronology"), rows


_TABLES = {"density": _density, "places": _places, "chains": _chains}
