"""``locisimiles lemmatize`` and ``locisimiles normalize``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from locisimiles.cli import options as opt  # noqa: TC001 - typer reads it
from locisimiles.cli.console import ProgressBar
from locisimiles.cli.files import check_target, read_documents, write_rows
from locisimiles.corpus import ReadOptions
from locisimiles.latin import fold_text, tokenize
from locisimiles.latin.lemmatizers import choose_analyser

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from locisimiles.corpus import Document
    from locisimiles.latin import AnalysedToken

__all__ = ["lemmatize", "normalize"]

_Output = Annotated[
    Path | None,
    typer.Option("-o", "--output", metavar="FILE.tsv", help="Write to a file, not the screen."),
]


def lemmatize(
    inputs: opt.InputsArgument,
    output: _Output = None,
    lemmatizer: opt.LemmatizerOption = "context",
    candidates: Annotated[
        bool, typer.Option("--candidates", help="Show all analyses with their probabilities.")
    ] = False,
    overwrite: opt.OverwriteOption = False,
    format: opt.FormatOption = None,  # noqa: A002
    encoding: opt.EncodingOption = None,
) -> None:
    """Show the tokens of texts with lemma, part of speech and provenance.

    Writes a tab-separated table with a row per token: token, lemma, part of speech (UPOS),
    provenance (lexicon, rule, fallback), segment, and offsets there.

    Examples:

    - `locisimiles lemmatize aeneid.tess -o aeneid.tsv`

    - `echo "arma virumque cano" | locisimiles lemmatize -`
    """
    analyse = choose_analyser(lemmatizer)
    document = _read(inputs, output, overwrite, format, encoding)
    header = ["token", "lemma", "pos", "provenance", "seg_id", "start", "end"]
    write_rows(
        output,
        [*header, "candidates"] if candidates else header,
        _rows(document, analyse, candidates=candidates),
    )


def normalize(
    inputs: opt.InputsArgument,
    output: _Output = None,
    words: Annotated[
        bool,
        typer.Option(
            "--words/--letters", help="Normalize spellings of words (adfero), or letters only."
        ),
    ] = True,
    overwrite: opt.OverwriteOption = False,
    format: opt.FormatOption = None,  # noqa: A002
    encoding: opt.EncodingOption = None,
) -> None:
    """Normalize spelling: lower case, u for v, i for j, no accents, *affero* for *adfero*.

    Writes a tab-separated table of segments, which can be searched like any other.

    Examples:

    - `locisimiles normalize letters.xml -o letters.tsv`
    """
    document = _read(inputs, output, overwrite, format, encoding)
    rows = ([segment.id, fold_text(segment.text, words=words).text] for segment in document)
    write_rows(output, ["seg_id", "text"], rows)


def _read(
    inputs: list[str],
    output: Path | None,
    overwrite: bool,
    format: str | None,  # noqa: A002
    encoding: str | None,
) -> Document:
    check_target(output, inputs, overwrite=overwrite, suffixes=(".tsv",))
    (document,) = read_documents(inputs, format=format, options=ReadOptions(encoding))
    return document


def _rows(
    document: Document,
    analyse: Callable[[Sequence[str]], list[AnalysedToken]],
    *,
    candidates: bool,
) -> Iterator[list[str]]:
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
