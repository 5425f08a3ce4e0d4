"""``locisimiles search``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from locisimiles.cli.console import ProgressBar, report_reading, say
from locisimiles.cli.options import (
    ColonOption,
    EncodingOption,
    FormatOption,
    LemmatizerOption,
    OverwriteOption,
    SegmentationOption,
    SemicolonOption,
    SpreadsheetSafeOption,
    parse_settings,
    read_options,
    refuse_to_overwrite_inputs,
)
from locisimiles.errors import ParameterError
from locisimiles.retrieve.methods import METHODS

__all__ = ["search"]

_JUDGING = "How candidates are judged, and which are kept"


def _complete_method(start: str) -> list[tuple[str, str]]:
    return [(m.name, m.description) for m in METHODS.values() if m.name.startswith(start)]


def search(
    query: Annotated[
        str,
        typer.Argument(
            metavar="QUERY", help="The later text: a file, folder, zip file, '-' or library text."
        ),
    ],
    source: Annotated[
        list[str],
        typer.Argument(metavar="SOURCE...", help="The earlier texts, of the same kinds."),
    ],
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="Write the results to a file instead of showing them. The suffix says how: .csv, "
            ".tsv, .json, .jsonl, .xlsx, .parquet, .html (a report), .xml (TEI), .jsonld (Web "
            "Annotation), .graphml (a network), .bib (a citation).",
        ),
    ] = None,
    k: Annotated[
        int | None,
        typer.Option(
            "-k",
            min=1,
            help="Candidates for each query segment: 10, or all that were judged if only some "
            "pairs are kept anyway.",
        ),
    ] = None,
    budget: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="N",
            help="Keep the N pairs most worth reading.",
            rich_help_panel=_JUDGING,
        ),
    ] = None,
    precision: Annotated[
        float | None,
        typer.Option(
            min=0,
            max=1,
            help="Keep as many pairs as can be, so that this share of them should be references.",
            rich_help_panel=_JUDGING,
        ),
    ] = None,
    threshold: Annotated[
        float | None,
        typer.Option(
            min=0,
            max=1,
            help="Keep pairs that are references with at least this probability.",
            rich_help_panel=_JUDGING,
        ),
    ] = None,
    classifier: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="What judges the candidates: ensemble, cross-encoder, weights (.json) or a model "
            "of your own; none leaves them as they were found. By default the ensemble with the "
            "default method, none with others.",
            rich_help_panel=_JUDGING,
        ),
    ] = "auto",
    depth: Annotated[
        int,
        typer.Option(
            min=1, help="How many candidates of a segment are judged.", rich_help_panel=_JUDGING
        ),
    ] = 100,
    method: Annotated[
        str,
        typer.Option(
            help="How candidates are found; 'locisimiles methods' lists the ways.",
            autocompletion=_complete_method,
        ),
    ] = "default",
    priors: Annotated[
        bool,
        typer.Option(
            "--priors/--no-priors",
            help="Whether the default method and the ensemble may prefer authors and works that "
            "the author of the query is known to read.",
        ),
    ] = True,
    lemmatizer: LemmatizerOption = "fast",
    vectors: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="Word vectors, for default, word2vec, fasttext and fusion."
        ),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="An encoder instead of ours, for default and late: a folder; for dense and "
            "contextual also a name of the Hub.",
        ),
    ] = None,
    setting: Annotated[
        list[str],
        typer.Option(
            "--set", metavar="NAME=VALUE", help="Change a setting of the method; repeatable."
        ),
    ] = [],  # noqa: B006 - typer copies it
    explain: Annotated[
        bool,
        typer.Option("--explain", help="Say of each pair in the file why it may be a reference."),
    ] = False,
    spreadsheet_safe: SpreadsheetSafeOption = False,
    overwrite: OverwriteOption = False,
    format: FormatOption = None,  # noqa: A002
    encoding: EncodingOption = None,
    segmentation: SegmentationOption = "auto",
    colon: ColonOption = "auto",
    semicolon: SemicolonOption = "auto",
) -> None:
    """Find passages of the sources that the query may refer to.

    Examples:

    - `locisimiles search jerome.txt vergil.tess`: show ten candidates for each sentence

    - `locisimiles search letters.xml vergil horace -k 3`: search texts of the library by name

    - `locisimiles search query.csv source.csv more.zip -o hits.csv`: write a table

    - `locisimiles search jerome.txt vergil -o hits.html`: write a report to read and print

    - `locisimiles search letters.xml vergil --budget 120 -o hits.html`: the 120 best pairs

    - `locisimiles search jerome.txt vergil --method ngrams --set window=5`: another method

    - `cat letter.txt | locisimiles search - vergil --segmentation sentences`: read standard input
    """
    from locisimiles.classify.selection import Selection, expect_references
    from locisimiles.corpus import Document
    from locisimiles.display import pretty_print
    from locisimiles.export import check_output, explain_results, write_results
    from locisimiles.pipeline import Pipeline
    from locisimiles.retrieve import MethodOptions

    options = read_options(
        encoding=encoding, segmentation=segmentation, colon=colon, semicolon=semicolon
    )
    if output is not None:
        refuse_to_overwrite_inputs(output, [query, *source])
        check_output(output, overwrite=overwrite, spreadsheet_safe=spreadsheet_safe)
    elif explain:
        raise ParameterError(
            "--explain needs a file to write to",
            hint="add -o hits.html, or ask 'locisimiles explain' about one pair",
        )
    pipeline = Pipeline(
        method,
        classifier=None if classifier == "none" else classifier,
        k=k,
        depth=depth,
        selection=Selection(budget=budget, precision=precision, threshold=threshold),
        options=MethodOptions(lemmatizer, vectors, model, priors),
        settings=parse_settings(setting),
    )
    if pipeline.classifier is not None:
        pipeline.classifier.parameters()  # a missing model is reported before the work begins
    with ProgressBar() as progress:
        query_document = Document(query, format=format, options=options, progress=progress)
        source_document = Document(*source, format=format, options=options, progress=progress)
    report_reading(query_document, source_document)
    with ProgressBar() as progress:
        results = pipeline.run(query=query_document, source=source_document, progress=progress)
        if explain and output is not None:
            results = explain_results(results, progress=progress)
    if pipeline.classifier is not None:
        spread = pipeline.classifier.calibration.spread
        say(str(expect_references(results.candidates.score, spread)))
    if output is None:
        pretty_print(results)
    else:
        for path in write_results(
            results, output, overwrite=overwrite, spreadsheet_safe=spreadsheet_safe
        ):
            say(f"wrote {path}")
