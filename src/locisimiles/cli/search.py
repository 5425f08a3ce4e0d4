"""``locisimiles search``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from locisimiles.checks import size_in_bytes
from locisimiles.classify.selection import Selection, Tally
from locisimiles.cli import options as opt
from locisimiles.cli import search_options as searching
from locisimiles.cli.console import ProgressBar, say
from locisimiles.cli.doubts import doubts
from locisimiles.cli.estimates import LONG, announce, estimate
from locisimiles.cli.files import (
    check_target,
    counted,
    note_large_workbook,
    read_texts,
    say_expected,
)
from locisimiles.cli.repeating import repeatable
from locisimiles.corpus import ReadOptions
from locisimiles.display import pretty_print
from locisimiles.errors import ParameterError
from locisimiles.export import explain_blocks, write_blocks
from locisimiles.index import Index
from locisimiles.index.exclusion import Exclusion
from locisimiles.jobs import SearchSettings, can_share, search_in_processes
from locisimiles.pipeline import BLOCK
from locisimiles.pipeline.memory import LEAST_BLOCK, block_in_memory, memory_in_use
from locisimiles.results import Results

if TYPE_CHECKING:
    from collections.abc import Iterator

    from locisimiles.corpus import Document
    from locisimiles.pipeline import Pipeline

__all__ = ["search"]

_FACTS = {"same-work": "work", "same-author": "author", "later": "year"}


def search(
    query: searching.QueryArgument,
    source: searching.SourceArgument,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help=f"Write to a file, not the screen. {opt.EXPORT_HELP}",
        ),
    ] = None,
    k: searching.KOption = None,
    budget: searching.BudgetOption = None,
    precision: searching.PrecisionOption = None,
    threshold: searching.ThresholdOption = None,
    classifier: searching.ClassifierOption = "auto",
    depth: searching.DepthOption = 100,
    method: searching.MethodOption = "default",
    priors: searching.PriorsOption = True,
    lemmatizer: opt.LemmatizerOption = "fast",
    vectors: searching.VectorsOption = None,
    model: searching.ModelOption = None,
    exclude: searching.ExcludeOption = [],  # noqa: B006 - typer copies it
    adapt: searching.AdaptOption = True,
    group: searching.GroupOption = True,
    setting: searching.SettingOption = [],  # noqa: B006 - typer copies it
    memory: Annotated[
        str | None,
        typer.Option(
            metavar="SIZE",
            help="Search as many segments at once as fit into so much memory (such as 3GB). "
            "Results do not depend on it.",
        ),
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option(
            "--jobs",
            min=1,
            metavar="N",
            help="Number of processes that search an index; by default one per core. Results do "
            "not depend on it.",
        ),
    ] = None,
    dry_run: Annotated[
        bool,
        typer.Option(
            "--dry-run",
            help="Say how large the search is and about how long it takes, measured on a sample; "
            "write nothing.",
        ),
    ] = False,
    explain: searching.ExplainOption = False,
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

    - `locisimiles search letters.xml vergil horace --dry-run`: how long does it take?

    - `cat letter.txt | locisimiles search - vergil --segmentation sentences`: read standard input
    """
    arguments = dict(locals())
    check_target(output, [query, *source], overwrite=overwrite, spreadsheet_safe=spreadsheet_safe)
    if explain and output is None:
        raise ParameterError("cli.explain_needs_output")
    most = None if memory is None else size_in_bytes("--memory", memory)
    settings = SearchSettings(
        method=method,
        lemmatizer=lemmatizer,
        vectors=vectors,
        model=model,
        priors=priors,
        settings=tuple(searching.changed_settings(setting).items()),
        classifier=None if classifier == "none" else classifier,
        k=k,
        depth=depth,
        exclude=tuple(exclude),
        adapt=adapt,
        group=group,
    )
    selection = Selection(budget=budget, precision=precision, threshold=threshold)
    pipeline = settings.pipeline(selection=selection)
    if pipeline.classifier is not None:
        pipeline.classifier.parameters()  # report a missing model before the search
    options = ReadOptions(encoding, segmentation, colon, semicolon)
    queries, sources = read_texts(
        query, source, pipeline.retriever, format=format, options=options, build=not dry_run
    )
    if dry_run:
        estimate(pipeline, queries, sources, _processes(settings, sources, jobs))
        return
    if output is not None:
        note_large_workbook(output, budget or pipeline.k * len(queries))
    with ProgressBar() as progress:
        _note_unknown(pipeline, queries, sources)
        _note_doubts(pipeline, queries, sources)
        tally = Tally()
        found = _found(settings, selection, queries, sources, jobs, most, progress)
        blocks = counted(found, tally)
        if explain:
            blocks = explain_blocks(blocks, progress=progress)
        results, written = None, []
        if output is None:
            results = Results.join(blocks)
        else:
            written = write_blocks(
                blocks,
                output,
                overwrite=overwrite,
                spreadsheet_safe=spreadsheet_safe,
                repeat=repeatable(arguments, output.parent),
            )
    if (calibration := pipeline.calibration) is not None:
        say_expected(tally, calibration, queries)
    if results is not None:
        pretty_print(results)
    for path in written:
        say(f"wrote {path}")


def _found(
    settings: SearchSettings,
    selection: Selection,
    queries: Document,
    sources: Document,
    jobs: int | None,
    memory: int | None,
    progress: ProgressBar,
) -> Iterator[Results]:
    """Search an index in several processes, texts in this one, which has prepared them."""
    pipeline = settings.pipeline(selection=selection)
    processes = _processes(settings, sources, jobs)
    if processes > 1 and isinstance(sources, Index):
        size = BLOCK if memory is None else _block_size(pipeline, memory // processes)
        if len(queries) > size:
            if len(queries) >= LONG:
                announce(pipeline.prepare(sources, progress=progress), queries, processes)
            return search_in_processes(
                queries,
                sources,
                settings,
                processes=processes,
                selection=selection,
                size=size,
                progress=progress,
            )
    searcher = pipeline.prepare(sources, progress=progress)
    if len(queries) >= LONG:
        announce(searcher, queries, 1)
    size = BLOCK if memory is None else _block_size(pipeline, memory)
    return searcher.blocks(queries, size, progress=progress)


def _processes(settings: SearchSettings, sources: Document, jobs: int | None) -> int:
    """Return the number of processes that can search these sources."""
    is_shared = isinstance(sources, Index) and can_share(settings, sources)
    return searching.processes(jobs) if is_shared else 1


def _note_doubts(pipeline: Pipeline, queries: Document, sources: Document) -> None:
    """Say what may be wrong with the texts."""
    if not isinstance(sources, Index):  # its texts need not be read for this
        for doubt in doubts(queries, sources, excludes=bool(pipeline.exclude)):
            say(doubt, kind="note")


def _note_unknown(pipeline: Pipeline, queries: Document, sources: Document) -> None:
    """Say where nothing can be excluded."""
    if not pipeline.exclude:
        return
    exclusion = Exclusion(pipeline.exclude, queries, sources)
    for kind in exclusion.kinds:
        query, source = exclusion.unknown(kind)
        if query or source:
            say(
                f"{query:,} of {len(queries):,} query segments and {source:,} of "
                f"{len(sources):,} source segments have no known {_FACTS[kind]}, so "
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
