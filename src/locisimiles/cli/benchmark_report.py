"""``locisimiles benchmark report``, ``errors`` and ``misses``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from locisimiles.cli.console import ProgressBar, say, write_line
from locisimiles.cli.options import OverwriteOption  # noqa: TC001 - typer reads it

if TYPE_CHECKING:
    from collections.abc import Sequence

    from locisimiles.benchmark.runs.misses import RankedReference

__all__ = ["errors", "misses", "report"]

_HEADER = (
    "error", "fold", "query", "source", "label", "p cit", "p cf", "evidence", "query text",
    "source text",
)  # fmt: skip
_MISS_HEADER = (
    "query", "source", "rank", "type", "shared words", "query length", "form", "citing author",
    "cited author", "evidence", "query text", "source text",
)  # fmt: skip


def report(
    runs: Annotated[Path, typer.Argument(metavar="RUNS", help="What 'benchmark run' wrote.")],
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="DIR", help="By default RUNS/report."),
    ] = None,
    baseline: Annotated[
        str | None,
        typer.Option(metavar="METHOD", help="Test against this; by default the best baseline."),
    ] = None,
    paper: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The paper's tables, instead of the shipped ones."),
    ] = None,
    leaderboard: Annotated[
        Path | None,
        typer.Option(metavar="FILE.json", help="Add the figures to a leaderboard."),
    ] = None,
    submitted_by: Annotated[
        str, typer.Option(metavar="NAME", help="Who measured them, for the leaderboard.")
    ] = "",
    link: Annotated[
        str, typer.Option(metavar="URL", help="Where to read more, for the leaderboard.")
    ] = "",
    replace: Annotated[
        bool, typer.Option("--replace", help="Replace your older entries there.")
    ] = False,
) -> None:
    """Write tables (Markdown, HTML, LaTeX) and figures, with the paper's numbers beside ours.

    Examples:

    - `locisimiles benchmark report runs`

    - `locisimiles benchmark report runs --baseline bm25 -o report`

    - `locisimiles benchmark report runs --leaderboard board.json --submitted-by "A. Name"`
    """
    from locisimiles.benchmark.report.leaderboard import Leaderboard, entries_of
    from locisimiles.benchmark.report.writing import write_report
    from locisimiles.benchmark.runs.loading import Runs
    from locisimiles.benchmark.runs.methods import describe_methods

    read = Runs.read(runs)
    board = None
    if leaderboard is not None:
        entries = entries_of(
            read, submitted_by=submitted_by, link=link, descriptions=describe_methods()
        )
        there = Leaderboard.load(leaderboard) if leaderboard.exists() else Leaderboard()
        board = there.merged(entries, replace=replace)
    for path in write_report(read, output or runs / "report", baseline=baseline, paper=paper):
        say(f"wrote {path}")
    if board is not None and leaderboard is not None:
        board.save(leaderboard)
        say(f"wrote {leaderboard}: {len(board.entries)} entries")


def errors(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="A benchmark: query.csv, source.csv, labels.csv.")
    ],
    runs: Annotated[
        Path,
        typer.Option(
            "--runs", metavar="RUNS", help="The folder of runs; missing folds are judged and saved."
        ),
    ],
    method: Annotated[
        str, typer.Option("--classifier", metavar="NAME", help="The classifier.")
    ] = "ensemble",
    worst: Annotated[int, typer.Option(min=1, help="Maximum number of errors of each kind.")] = 20,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE", help="Write a table: .csv or .tsv."),
    ] = None,
    overwrite: OverwriteOption = False,
) -> None:
    """Show the worst false positives and false negatives of a classifier, with their evidence.

    Examples:

    - `locisimiles benchmark errors loci-similes --runs runs --classifier ensemble --worst 50`

    - `locisimiles benchmark errors loci-similes --runs runs -o errors.csv`
    """
    from locisimiles.benchmark.runs.execution import judge_benchmark
    from locisimiles.benchmark.runs.worst_errors import worst_errors
    from locisimiles.benchmark.sets.dataset import Benchmark
    from locisimiles.cli.tables import print_table
    from locisimiles.export import check_output

    if output is not None:
        check_output(output, overwrite=overwrite, suffixes=(".csv", ".tsv"))
    with ProgressBar() as progress:
        judged = judge_benchmark(Benchmark.load(folder), method, runs, progress=progress)
    rows = [
        [
            error.kind,
            str(error.fold),
            error.query.id,
            error.source.id,
            error.label.text,
            f"{error.probabilities.cit:.3f}",
            f"{error.probabilities.cf:.3f}",
            error.sentence,
            error.query.text,
            error.source.text,
        ]
        for error in worst_errors(judged, worst)
    ]
    if output is None:
        print_table(_HEADER, rows)
    else:
        _write(output, _HEADER, rows)


def misses(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="A benchmark: query.csv, source.csv, labels.csv.")
    ],
    runs: Annotated[
        Path, typer.Option("--runs", metavar="RUNS", help="What 'benchmark run' wrote.")
    ],
    method: Annotated[str, typer.Option(metavar="NAME", help="The retriever.")] = "default",
    depth: Annotated[
        int,
        typer.Option(
            "-k",
            "--top",
            min=1,
            metavar="N",
            help="A reference is found if it is among the first N candidates of its segment.",
        ),
    ] = 100,
    fold: Annotated[
        list[int],
        typer.Option(metavar="N", help="Count this fold only; repeatable. By default all."),
    ] = [],  # noqa: B006
    examples: Annotated[
        int, typer.Option(min=1, metavar="N", help="Maximum number of examples of each kind.")
    ] = 3,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE", help="Write all misses: .csv or .tsv."),
    ] = None,
    overwrite: OverwriteOption = False,
) -> None:
    """Show what a retriever misses: how many references of each kind, with examples.

    Examples:

    - `locisimiles benchmark misses loci-similes --runs runs --method bm25`

    - `locisimiles benchmark misses loci-similes --runs runs --top 10 -o misses.csv`
    """
    from locisimiles.benchmark.runs import misses as found
    from locisimiles.benchmark.sets.dataset import Benchmark
    from locisimiles.cli.tables import print_table
    from locisimiles.export import check_output

    if output is not None:
        check_output(output, overwrite=overwrite, suffixes=(".csv", ".tsv"))
    with ProgressBar() as progress:
        loaded = Benchmark.load(folder, progress=progress)
    references = found.rank_references(loaded, runs, method, folds=fold)
    print_table(
        ["by", "kind", "references", "missed", "share"],
        [
            [one.respect, one.kind, f"{one.references:,}", f"{one.missed:,}", f"{one.share:.1%}"]
            for one in found.count_kinds(references, depth)
        ],
        title=f"References not among the first {depth:,} candidates of {method}",
    )
    if output is not None:
        missed = [_miss_row(one) for one in references if one.is_missed(depth)]
        _write(output, _MISS_HEADER, missed)
        return
    write_line()
    print_table(
        ["kind", "query", "source", "type", "rank", "shared", "query text", "source text"],
        [
            [
                kind,
                one.query.id,
                one.source.id,
                one.kinds["type"],
                str(one.rank or ""),
                ", ".join(one.words),
                one.query.text,
                one.source.text,
            ]
            for kind, some in found.examples(references, depth, examples).items()
            for one in some
        ],
        title="Examples",
    )


def _miss_row(one: RankedReference) -> list[str]:
    return [
        one.query.id,
        one.source.id,
        str(one.rank or ""),
        *one.kinds.values(),
        one.sentence,
        one.query.text,
        one.source.text,
    ]


def _write(path: Path, header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    from locisimiles.export import write_table
    from locisimiles.files.writing import atomic

    delimiter = "\t" if path.suffix.lower() == ".tsv" else ","
    with atomic(path) as stream:
        write_table(stream, header, rows, delimiter=delimiter)
    say(f"wrote {path}")
