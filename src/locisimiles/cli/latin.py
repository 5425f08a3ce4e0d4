"""``locisimiles lemmatize`` and ``locisimiles normalize``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from locisimiles.cli.console import ProgressBar, report_reading, say
from locisimiles.cli.options import (
    EncodingOption,
    FormatOption,
    LemmatizerOption,
    OverwriteOption,
    refuse_to_overwrite_inputs,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from locisimiles.corpus import Document, ReadOptions
    from locisimiles.latin import AnalysedToken

__all__ = ["lemmatize", "normalize"]

_Inputs = Annotated[
    list[str],
    typer.Argument(metavar="FILE...", help="Files, folders, zip files, '-' or library texts."),
]
_Output = Annotated[
    Path | None,
    typer.Option("-o", "--output", metavar="FILE.tsv", help="Write there instead of showing it."),
]
_HEADER = ["token", "lemma", "pos", "provenance", "seg_id", "start", "end"]


def lemmatize(
    inputs: _Inputs,
    output: _Output = None,
    lemmatizer: LemmatizerOption = "context",
    candidates: Annotated[
        bool, typer.Option("--candidates", help="Show all readings with their probabilities.")
    ] = False,
    overwrite: OverwriteOption = False,
    format: FormatOption = None,  # noqa: A002
    encoding: EncodingOption = None,
) -> None:
    """Show the words of texts with lemma, part of speech and where these come from.

    The table is tab-separated, a word a row: word, lemma, part of speech (UPOS), provenance
    (lexicon, rule, fallback), its segment and its place there.

    Examples:

    - `locisimiles lemmatize aeneid.tess -o aeneid.tsv`

    - `echo "arma virumque cano" | locisimiles lemmatize -`
    """
    from locisimiles.corpus import ReadOptions
    from locisimiles.latin.lemmatizers import choose_analyser

    analyse = choose_analyser(lemmatizer)
    document = _read(inputs, output, overwrite, format, ReadOptions(encoding=encoding))
    header = [*_HEADER, "candidates"] if candidates else _HEADER
    _write(output, header, _rows(document, analyse, candidates=candidates))


def normalize(
    inputs: _Inputs,
    output: _Output = None,
    words: Annotated[
        bool,
        typer.Option(
            "--words/--letters", help="Fold spellings of words too (adfero), or letters only."
        ),
    ] = True,
    overwrite: OverwriteOption = False,
    format: FormatOption = None,  # noqa: A002
    encoding: EncodingOption = None,
) -> None:
    """Write texts in one spelling: lower case, u for v, i for j, no accents, *affero* for *adfero*.

    Writes a tab-separated table of segments, which can be searched like any other.

    Examples:

    - `locisimiles normalize letters.xml -o letters.tsv`
    """
    from locisimiles.corpus import ReadOptions
    from locisimiles.latin import fold_text

    document = _read(inputs, output, overwrite, format, ReadOptions(encoding=encoding))
    rows = ([segment.id, fold_text(segment.text, words=words).text] for segment in document)
    _write(output, ["seg_id", "text"], rows)


def _read(
    inputs: list[str],
    output: Path | None,
    overwrite: bool,
    format: str | None,  # noqa: A002
    options: ReadOptions,
) -> Document:
    from locisimiles.corpus import Document
    from locisimiles.export import check_output

    if output is not None:
        refuse_to_overwrite_inputs(output, inputs)
        check_output(output, overwrite=overwrite, suffixes=(".tsv",))
    with ProgressBar() as progress:
        document = Document(*inputs, format=format, options=options, progress=progress)
    report_reading(document)
    return document


def _rows(
    document: Document,
    analyse: Callable[[Sequence[str]], list[AnalysedToken]],
    *,
    candidates: bool,
) -> Iterator[list[str]]:
    from locisimiles.latin import tokenize

    with ProgressBar() as progress:
        for done, segment in enumerate(document):
            progress("lemmatizing", done, len(document))
            tokens = tokenize(segment.text)
            for token, analysis in zip(tokens, analyse([t.text for t in tokens]), strict=True):
                row = [token.text, analysis.lemma, analysis.pos or "_", analysis.origin]
                row += [segment.id, str(token.start), str(token.end)]
                yield [*row, _candidates(analysis)] if candidates else row


def _candidates(analysis: AnalysedToken) -> str:
    return " ".join(f"{c.lemma}/{c.pos or '_'}={c.probability:.2f}" for c in analysis.analyses)


def _write(output: Path | None, header: list[str], rows: Iterator[list[str]]) -> None:
    from locisimiles.export import write_table
    from locisimiles.files.writing import atomic

    if output is None:
        write_table(sys.stdout, header, rows, delimiter="\t")
        return
    with atomic(output) as stream:
        write_table(stream, header, rows, delimiter="\t")
    say(f"wrote {output}")
