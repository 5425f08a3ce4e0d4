"""``locisimiles search``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from locisimiles.checks import size_in_bytes
from locisimiles.classify.selection import Selection, Tally
from locisimiles.cli import options as opt
from locisimiles.cli.console import ProgressBar, say
from locisimiles.cli.files import check_target, read_documents
from locisimiles.corpus import ReadOptions
from locisimiles.display import pretty_print
from locisimiles.errors import ParameterError
from locisimiles.export import explain_blocks, write_blocks
from locisimiles.index import PreparedDocument
from locisimiles.pipeline import BLOCK, Pipeline
from locisimiles.pipeline.memory import LEAST_BLOCK, block_in_memory, memory_in_use
from locisimiles.results import Results
from locisimiles.retrieve.methods import METHODS, MethodOptions

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from locisimiles.corpus import Document
    from locisimiles.pipeline import Searcher

__all__ = ["search"]

_JUDGING = "Judging and selecting candidates"
_FACTS = {"same-work": "work", "same-author": "author", "later": "year"}


def _complete_method(start: str) -> list[tuple[str, str]]:
    return [(m.name, m.description) for m in METHODS.values() if m.name.startswith(start)]


def search(
    query: Annotated[
        str,
        typer.Argument(
            metavar="QUERY",
            help="The later text: a file, folder, zip file, library text, or '-' for standard "
            "input.",
        ),
    ],
    source: Annotated[
        list[str],
        typer.Argument(metavar="SOURCE...", help="The earlier texts, given in the same ways."),
    ],
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help=f"Write to a file, not the screen. {opt.EXPORT_HELP}",
        ),
    ] = None,
    k: Annotated[
        int | None,
        typer.Option(
            "-k",
            min=1,
            help="Maximum number of candidates per query segment; by default 10, or all judged "
            "candidates with --budget, --precision or --threshold.",
        ),
    ] = None,
    budget: Annotated[
        int | None,
        typer.Option(
            min=1, metavar="N", help="Keep the N most probable pairs.", rich_help_panel=_JUDGING
        ),
    ] = None,
    precision: Annotated[
        float | None,
        typer.Option(
            min=0,
            max=1,
            help="Keep as many pairs as possible with this share of references expected.",
            rich_help_panel=_JUDGING,
        ),
    ] = None,
    threshold: Annotated[
        float | None,
        typer.Option(
            min=0,
            max=1,
            help="Keep pairs with at least this probability of a reference.",
            rich_help_panel=_JUDGING,
        ),
    ] = None,
    classifier: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="The classifier: ensemble, cross-encoder, weights (.json), a model of your own, "
            "or none. By default the ensemble with the default method or with a selection, else "
            "none.",
            rich_help_panel=_JUDGING,
        ),
    ] = "auto",
    depth: Annotated[
        int,
        typer.Option(
            min=1, help="Number of candidates to judge per segment.", rich_help_panel=_JUDGING
        ),
    ] = 100,
    method: Annotated[
        str,
        typer.Option(
            help="The search method; 'locisimiles methods' lists them.",
            autocompletion=_complete_method,
        ),
    ] = "default",
    priors: Annotated[
        bool,
        typer.Option(
            "--priors/--no-priors",
            help="Whether the default method and the ensemble favour authors and works that the "
            "query's author is known to cite.",
        ),
    ] = True,
    lemmatizer: opt.LemmatizerOption = "fast",
    vectors: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="Word vectors for default, word2vec, fasttext and fusion."
        ),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Another encoder: a folder for default and late; a folder or Hub name for dense "
            "and contextual.",
        ),
    ] = None,
    exclude: Annotated[
        list[str],
        typer.Option(
            metavar="same-work|same-author|later",
            help="Leave out pairs of the same work or author, or whose source is later than the "
            "query; repeatable.",
        ),
    ] = [],  # noqa: B006 - typer copies it
    setting: Annotated[
        list[str],
        typer.Option(
            "--set", metavar="NAME=VALUE", help="Change a setting of the method; repeatable."
        ),
    ] = [],  # noqa: B006 - typer copies it
    memory: Annotated[
        str | None,
        typer.Option(
            metavar="SIZE",
            help="Search as many segments at once as fit into so much memory (such as 3GB). "
            "Results do not depend on it.",
        ),
    ] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Add to the file why each pair may be a reference.")
    ] = False,
    spreadsheet_safe: opt.SpreadsheetSafeOption = False,
    overwrite: opt.OverwriteOption = False,
    format: opt.FormatOption = None,  # noqa: A002
    encoding: opt.EncodingOption = None,
    segmentation: opt.SegmentationOption = "auto",
    colon: opt.ColonOption = "auto",
    semicolon: opt.SemicolonOption = "auto",
) -> None:
    """Find passages of the sources that the query may refer to.

    Examples:

    - `locisimiles search jerome.txt vergil.tess`: show ten candidates per sentence

    - `locisimiles search letters.xml vergil horace -k 3`: search library texts by name

    - `locisimiles search query.csv source.csv more.zip -o hits.csv`: write a table

    - `locisimiles search jerome.txt vergil -o hits.html`: write a report to read and print

    - `locisimiles search letters.xml vergil --budget 120 -o hits.html`: the 120 best pairs

    - `locisimiles search poets poets --exclude same-author --exclude later -o hits.parquet`: search
      a corpus in itself

    - `locisimiles search jerome.txt vergil --method ngrams --set window=5`: another method

    - `cat letter.txt | locisimiles search - vergil --segmentation sentences`: read standard input
    """
    check_target(output, [query, *source], overwrite=overwrite, spreadsheet_safe=spreadsheet_safe)
    if explain and output is None:
        raise ParameterError("cli.explain_needs_output")
    most = None if memory is None else size_in_bytes("--memory", memory)
    pipeline = Pipeline(
        method,
        classifier=None if classifier == "none" else classifier,
        k=k,
        depth=depth,
        selection=Selection(budget=budget, precision=precision, threshold=threshold),
        exclude=exclude,
        options=MethodOptions(lemmatizer, vectors, model, priors),
        settings=dict(map(_parse_setting, setting)),
    )
    if pipeline.classifier is not None:
        pipeline.classifier.parameters()  # report a missing model before the search
    options = ReadOptions(encoding, segmentation, colon, semicolon)
    queries, sources = read_documents([query], source, format=format, options=options)
    with ProgressBar() as progress:
        searcher = pipeline.prepare(sources, progress=progress)
        tally = Tally()
        _note_unknown(searcher, queries)
        size = BLOCK if most is None else _block_size(pipeline, most)
        blocks = _counted(searcher.blocks(queries, size, progress=progress), tally)
        if explain:
            blocks = explain_blocks(blocks, progress=progress)
        results, written = None, []
        if output is None:
            results = Results.join(blocks)
        else:
            written = write_blocks(
                blocks, output, overwrite=overwrite, spreadsheet_safe=spreadsheet_safe
            )
    if pipeline.classifier is not None:
        say(str(tally.expectation(pipeline.classifier.calibration.spread)))
    if results is not None:
        pretty_print(results)
    for path in written:
        say(f"wrote {path}")


def _note_unknown(searcher: Searcher, queries: Document) -> None:
    """Say where nothing can be excluded."""
    if not searcher.pipeline.exclude:
        return
    exclusion = searcher.exclusion(PreparedDocument(queries))
    for kind in exclusion.kinds:
        query, source = exclusion.unknown(kind)
        if query or source:
            say(
                f"{query:,} of {len(queries):,} query segments and {source:,} of "
                f"{len(searcher.source):,} source segments have no known {_FACTS[kind]}, so "
                f"--exclude {kind} leaves out none of their pairs",
                kind="note",
            )


def _block_size(pipeline: Pipeline, memory: int) -> int:
    """Return the size of blocks that fit into a memory; say so if no block does."""
    size = block_in_memory(memory, pipeline.pairs_per_query)
    if size == LEAST_BLOCK and (in_use := memory_in_use()) is not None and in_use >= memory:
        say(
            f"the sources alone take {in_use / 1e9:.1f} GB; the search uses little more",
            kind="note",
        )
    return size


def _counted(blocks: Iterable[Results], tally: Tally) -> Iterator[Results]:
    for block in blocks:
        tally.add(block.candidates.score)
        yield block


def _parse_setting(setting: str) -> tuple[str, str]:
    name, equals, value = setting.partition("=")
    if not equals or not name.strip():
        raise ParameterError("cli.no_setting", setting=setting)
    return name.strip(), value.strip()
