"""``locisimiles explain``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from locisimiles.cli import options as opt  # noqa: TC001 - typer reads it
from locisimiles.cli.console import write_json
from locisimiles.cli.files import read_documents
from locisimiles.corpus import ReadOptions
from locisimiles.display import highlighted, printable
from locisimiles.evidence import EvidenceFinder, context_of
from locisimiles.evidence.glosses import find_glosses

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from rich.console import Console
    from rich.table import Table

    from locisimiles.corpus import Segment
    from locisimiles.evidence import Collocation, Context, Evidence, Neighbours, SharedLemma
    from locisimiles.evidence.alignment import Span

__all__ = ["explain"]


def explain(
    query_id: Annotated[str, typer.Argument(metavar="QUERY_ID", help="A segment of the query.")],
    source_id: Annotated[str, typer.Argument(metavar="SOURCE_ID", help="A segment of the source.")],
    query: Annotated[
        list[str], typer.Option(metavar="FILE", help="The later text, as in 'search'; repeatable.")
    ],
    source: Annotated[
        list[str], typer.Option(metavar="FILE", help="The earlier texts; repeatable.")
    ],
    library: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE", help="Further texts to count words in; repeatable."),
    ] = None,
    encoder: Annotated[
        bool, typer.Option("--encoder", help="Find similar words with the encoder 'latin'.")
    ] = False,
    glosses: Annotated[
        bool, typer.Option("--glosses", help="Translate shared words into English.")
    ] = False,
    context: Annotated[
        int, typer.Option(min=0, metavar="N", help="Show N segments before and after each.")
    ] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print all evidence as JSON.")] = False,
    format: opt.FormatOption = None,  # noqa: A002
    encoding: opt.EncodingOption = None,
    segmentation: opt.SegmentationOption = "auto",
    colon: opt.ColonOption = "auto",
    semicolon: opt.SemicolonOption = "auto",
) -> None:
    """Explain why a segment of the query may refer to a segment of the source.

    Examples:

    - `locisimiles explain 'hier. epist. 130.5.5.3' 'verg. aen. 2.774.1' --query letters.csv
      --source vergil.csv`

    - `locisimiles explain 1 7 --query query.csv --source source.csv --context 2`: with two
      neighbouring segments on either side

    - `locisimiles explain 1 7 --query query.csv --source source.csv --json`
    """
    inputs = [query, source, library] if library else [query, source]
    options = ReadOptions(encoding, segmentation, colon, semicolon)
    queries, sources, *further = read_documents(*inputs, format=format, options=options)
    finder = EvidenceFinder(
        queries,
        sources,
        library=further[0] if further else None,
        meanings="encoder" if encoder else "vectors",
    )
    evidence = finder.explain(query_id, source_id)
    meanings = find_glosses(word.lemma for word in evidence.shared) if glosses else {}
    around = context_of(queries, query_id, context), context_of(sources, source_id, context)
    if as_json:
        facts = {**evidence.as_dict(), **({"glosses": meanings} if glosses else {})}
        if context:
            facts |= {"query_context": around[0].as_dict(), "source_context": around[1].as_dict()}
        write_json(facts)
    else:
        _show(evidence, (queries[query_id], sources[source_id]), around, meanings)


def _show(
    evidence: Evidence,
    segments: tuple[Segment, Segment],
    around: tuple[Context, Context],
    meanings: Mapping[str, tuple[str, ...]],
) -> None:
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False)
    alignment = evidence.alignment
    words = alignment.query_words, alignment.source_words
    neighbours = evidence.query_neighbours, evidence.source_neighbours
    for side in zip(segments, neighbours, around, words, strict=True):
        _show_segment(console, *side)
    console.print(Text(printable(evidence.sentence)))
    if evidence.shared:
        console.print()
        console.print(_counts(evidence, meanings))
    for line in _elsewhere(evidence):
        console.print(Text(printable(line), style="dim"))


def _elsewhere(evidence: Evidence) -> Iterator[str]:
    found = evidence.elsewhere
    if found is None:
        return
    for place in found.places:
        year = "date unknown" if place.year is None else place.year
        yield f"also: {place.id} ({year})"
    more = found.count - len(found.places)
    if more > 0:
        yield f"and in {more:,} more"


def _show_segment(
    console: Console,
    segment: Segment,
    neighbours: Neighbours,
    around: Context,
    words: Sequence[Span],
) -> None:
    from rich.text import Text

    def show_beside(others: Sequence[Segment]) -> None:
        for other in others:
            console.print(Text(printable(f"{other.id}  {other.text}"), style="dim"))

    show_beside(around.before)
    console.print(Text(printable(segment.id), style="bold"), end="  ")
    console.print(highlighted(segment.text, words))
    show_beside(around.after)
    sides = ("before", neighbours.before), ("after", neighbours.after)
    beside = [f"{side} it: {name}" for side, name in sides if name]
    if beside and not (around.before or around.after):
        console.print(Text(printable(f"in its file, {', '.join(beside)}"), style="dim"))
    console.print()


def _counts(evidence: Evidence, meanings: Mapping[str, tuple[str, ...]]) -> Table:
    from rich.table import Table
    from rich.text import Text

    table = Table("word", "in the source", "in Latin sentences", box=None)
    if evidence.shared[0].in_library is not None:
        table.add_column("in the library")
    if meanings:
        table.add_column("meaning")
    pair = evidence.collocation
    counted: list[tuple[str, SharedLemma | Collocation]] = [(w.lemma, w) for w in evidence.shared]
    if pair is not None:
        counted.append(("–".join(pair.lemmas), pair))
    for name, word in counted:
        # Pairs are counted in the background from the fourth sentence on.
        rare = word is pair and not word.in_background
        cells = [name, f"{word.in_source:,}", "fewer than 4" if rare else f"{word.in_background:,}"]
        if word.in_library is not None:
            cells.append(f"{word.in_library:,}")
        if meanings:
            cells.append("; ".join(meanings.get(name, ())))
        # Brackets in a gloss are brackets, not colours.
        table.add_row(*(Text(printable(cell)) for cell in cells))
    return table
