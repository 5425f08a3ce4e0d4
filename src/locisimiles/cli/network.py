"""``locisimiles network``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from locisimiles.cli.console import say
from locisimiles.cli.options import OverwriteOption, refuse_to_overwrite_inputs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from locisimiles.networks import CitationMatrix
    from locisimiles.results import Results

    Table = tuple[Sequence[str], list[list[str]]]

__all__ = ["network"]


_What = Literal["links", "density", "places", "chains"]
_Level = Literal["author", "work"]


def network(
    results: Annotated[
        list[Path],
        typer.Argument(
            metavar="RESULTS...",
            help="Results in files (.csv, .tsv, .json, .jsonl, .xlsx, .parquet); several for "
            "chains.",
        ),
    ],
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="Write a table (.csv, .tsv) or a network of links (.graphml) instead of showing.",
        ),
    ] = None,
    what: Annotated[
        _What,
        typer.Option(
            help="links: who cites whom; density: references along the text; places: neighbouring "
            "sources taken as one; chains: references to what refers to something itself.",
        ),
    ] = "links",
    level: Annotated[_Level, typer.Option(help="Whose links.")] = "work",
    minimum: Annotated[
        float | None,
        typer.Option(help="The least probability (or score, without a classifier) that counts."),
    ] = None,
    best: Annotated[
        int | None, typer.Option(min=1, help="How many candidates of a segment count.")
    ] = None,
    chronological: Annotated[
        bool,
        typer.Option(
            "--chronological",
            help="Leave out links to works that are later, as far as we know; chains never "
            "have them.",
        ),
    ] = False,
    overwrite: OverwriteOption = False,
) -> None:
    """Show who is cited where: links of authors and works, density, places, chains.

    Without --minimum and --best, references count that are probable; if no classifier was asked,
    the best candidate of each segment.

    Examples:

    - `locisimiles network hits.csv -o hits.graphml`: the works, for Gephi or Cytoscape

    - `locisimiles network hits.csv --level author --best 3`: a table of authors

    - `locisimiles network a.csv b.csv c.csv --what chains -o chains.csv`
    """
    from locisimiles.cli.tables import print_table
    from locisimiles.errors import ParameterError
    from locisimiles.export import check_output, write_table
    from locisimiles.export.graphml import write_citation_graph
    from locisimiles.export.reading import read_results
    from locisimiles.files.writing import atomic, atomic_binary
    from locisimiles.networks import count_citations

    if len(results) > 1 and what != "chains":
        raise ParameterError(
            f"{what} are made from one file, not {len(results)}", hint="name one of them"
        )
    if chronological and what in ("density", "places"):
        raise ParameterError(
            f"--chronological does nothing for {what}", hint="leave it out, or show the links"
        )
    if output is not None:
        refuse_to_overwrite_inputs(output, [str(path) for path in results])
        suffixes = (".graphml", ".csv", ".tsv") if what == "links" else (".csv", ".tsv")
        check_output(output, overwrite=overwrite, suffixes=suffixes)
    sets = [read_results(path) for path in results]
    if what == "links":
        matrix = count_citations(
            sets[0], level=level, minimum=minimum, best=best, chronological=chronological
        )
        if output is not None and output.suffix.lower() == ".graphml":
            with atomic_binary(output) as graph:
                write_citation_graph(matrix, sets[0].manifest, graph)
            say(f"wrote {output}")
            return
        header, rows = _links(matrix)
    else:
        header, rows = _TABLES[what](sets, minimum, best)
    if output is None:
        print_table(header, rows)
        return
    with atomic(output) as stream:
        write_table(stream, header, rows, delimiter=_DELIMITERS[output.suffix.lower()])
    say(f"wrote {output}")


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
    from locisimiles.networks import measure_density

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
    from locisimiles.networks import merge_references

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
    from locisimiles.networks import find_chains

    rows = [
        [*chain.ids, "yes" if chain.window else "no", chain.chronology]
        for chain in find_chains(sets, minimum=minimum, best=best)
    ]
    return ("latest_id", "between_id", "earliest_id", "window", "chronology"), rows


_DELIMITERS = {".csv": ",", ".tsv": "\t"}
_TABLES = {"density": _density, "places": _places, "chains": _chains}
