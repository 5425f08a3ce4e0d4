"""``locisimiles benchmark``."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from locisimiles.cli.benchmark_report import errors, misses, report
from locisimiles.cli.console import ProgressBar, say, write_json, write_line
from locisimiles.cli.options import JsonOption, LemmatizerOption  # noqa: TC001 - typer reads it

if TYPE_CHECKING:
    from collections.abc import Iterable

    from locisimiles.benchmark.sets.dataset import Benchmark

__all__ = ["benchmark"]

benchmark = typer.Typer(
    help="Measure methods on known references, and compare them with the paper's.",
    no_args_is_help=True,
)

_Set = Annotated[
    Path, typer.Argument(metavar="DIR", help="A benchmark: query.csv, source.csv, labels.csv.")
]


@benchmark.command()
def build(
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="DIR", help="The folder for the set.")
    ],
    labels: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The published references, with both texts of each."),
    ] = None,
    corpora: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Copies of the editions in the catalogue."),
    ] = None,
    references: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="References that editors noted: fathers.csv, vulgate.csv and references.csv.",
        ),
    ] = None,
    sentences: Annotated[
        int,
        typer.Option(
            metavar="N", min=50, help="With --references: at most this many sentences per author."
        ),
    ] = 2000,
    hub: Annotated[
        list[str],
        typer.Option(
            metavar="DATASET", help="A dataset of the Hub, or a folder with a copy; repeatable."
        ),
    ] = [],  # noqa: B006 - typer copies it
    revision: Annotated[
        str | None, typer.Option(metavar="NAME", help="Branch, tag or commit of the dataset.")
    ] = None,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace the set if it exists.")
    ] = False,
) -> None:
    """Build a benchmark: the published one, or the Bible in the Fathers.

    Examples:

    - `locisimiles benchmark build --labels labels.csv --corpora texts -o loci-similes`

    - `locisimiles benchmark build --references references -o fathers-vulgate`

    - `locisimiles benchmark build --hub OWNER/NAME -o loci-similes`
    """
    from locisimiles.benchmark.sets.biblical import build_biblical
    from locisimiles.benchmark.sets.build import build_benchmark
    from locisimiles.benchmark.sets.hub import load_hub_dataset
    from locisimiles.errors import OutputError, ParameterError

    ways = bool(hub), bool(labels or corpora), bool(references)
    if sum(ways) != 1 or bool(labels) != bool(corpora):
        raise ParameterError("cli.build_inputs")
    if (output / "labels.csv").exists() and not overwrite:
        raise OutputError("files.exists", path=str(output / "labels.csv"))
    with ProgressBar() as progress:
        if labels and corpora:
            built = build_benchmark(labels, corpora, progress=progress)
        elif references:
            built = build_biblical(references, sentences=sentences, progress=progress)
        else:
            built = load_hub_dataset(hub, revision)
    built.save(output)
    say(
        f"{len(built.query):,} query segments, {len(built.source):,} source segments, "
        f"{len(built.references):,} references"
    )
    say(f"wrote {output}")


@benchmark.command()
def stats(folder: _Set, as_json: JsonOption = False) -> None:
    """Count segments and references of a set, beside the paper's counts.

    Examples:

    - `locisimiles benchmark stats loci-similes`

    - `locisimiles benchmark stats loci-similes --json`
    """
    from locisimiles.benchmark.report.set_sizes import author_pair_sizes, corpus_sizes, fold_sizes
    from locisimiles.cli.tables import print_table

    loaded = _load(folder)
    if as_json:
        tables: dict[str, Iterable[tuple[Any, Any]]] = {
            "segments": corpus_sizes(loaded),
            "references": author_pair_sizes(loaded),
            "folds": fold_sizes(loaded),
        }
        write_json({name: _beside_paper(rows) for name, rows in tables.items()})
        return
    print_table(
        ["side", "author", "segments", "paper", "words", "min", "max", "std", "paper's tokens"],
        [
            [
                ours.side,
                ours.author or "all",
                f"{ours.segments:,}",
                f"{paper.segments:,}" if paper else "",
                f"{ours.mean_tokens:.2f}",
                str(ours.min_tokens),
                str(ours.max_tokens),
                f"{ours.std_tokens:.2f}",
                f"{paper.mean_tokens:.2f}" if paper else "",
            ]
            for ours, paper in corpus_sizes(loaded)
        ],
        title="Segments",
    )
    write_line()
    print_table(
        ["citing", "cited", "cit", "paper", "cf", "paper"],
        [
            [
                ours.query_author,
                ours.source_author,
                str(ours.cit),
                str(paper.cit) if paper else "",
                str(ours.cf),
                str(paper.cf) if paper else "",
            ]
            for ours, paper in author_pair_sizes(loaded)
        ],
        title="References by authors",
    )
    write_line()
    print_table(
        ["fold", "citing", "paper", "cited", "paper", "references", "paper"],
        [
            [
                str(ours.fold),
                str(ours.citing),
                str(paper.citing) if paper else "",
                str(ours.cited),
                str(paper.cited) if paper else "",
                str(ours.references),
                str(paper.references) if paper else "",
            ]
            for ours, paper in fold_sizes(loaded)
        ],
        title="Folds",
    )


@benchmark.command()
def run(
    folder: _Set,
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="RUNS", help="The folder for the results.")
    ],
    method: Annotated[
        list[str],
        typer.Option(
            metavar="NAME", help="Method to measure; repeatable. By default sparse retrievers."
        ),
    ] = [],  # noqa: B006
    protocol: Annotated[
        list[str],
        typer.Option(
            metavar="NAME",
            help="retrieval, classification, retrieve-and-rerank, author-pairs, overlap, "
            "calibration; repeatable. By default all that fit.",
        ),
    ] = [],  # noqa: B006
    lemmatizer: LemmatizerOption = "fast",
    k: Annotated[
        int,
        typer.Option(
            "-k",
            "--top",
            metavar="N",
            min=1,
            help="Maximum number of candidates per query segment.",
        ),
    ] = 1000,
    no_train: Annotated[
        bool,
        typer.Option("--no-train", help="Measure methods that learn as shipped."),
    ] = False,
    no_priors: Annotated[
        bool,
        typer.Option("--no-priors", help="Measure 'default' without author priors."),
    ] = False,
    folds: Annotated[
        int | None,
        typer.Option(min=2, help="Number of folds to make if the set has none."),
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of the distractors in fold documents.")] = 0,
    plugin: Annotated[
        list[Path],
        typer.Option(metavar="FILE.py", help="Run a file that registers methods; repeatable."),
    ] = [],  # noqa: B006
) -> None:
    """Measure methods by protocols. Finished runs are not repeated.

    Examples:

    - `locisimiles benchmark run loci-similes --protocol retrieval -o runs`: the paper's sparse rows

    - `locisimiles benchmark run loci-similes --method shared-lemmas -o runs`: a classifier

    - `locisimiles benchmark run another-set --method default --no-train -o runs`: as shipped

    - `locisimiles benchmark run loci-similes --plugin mine.py --method mine -o runs`: your own
    """
    from locisimiles.benchmark.report.tables import PAPER_NAMES
    from locisimiles.benchmark.runs.execution import run_benchmark
    from locisimiles.benchmark.runs.methods import find_method, load_plugin
    from locisimiles.errors import ParameterError

    for path in plugin:
        load_plugin(path)
    names = [f"{name}-no-priors" if no_priors and name == "default" else name for name in method]
    methods = [find_method(name, lemmatizer=lemmatizer) for name in names or PAPER_NAMES]
    with ProgressBar() as progress:
        loaded = _load(folder)
        if folds is not None:
            if loaded.folds:
                raise ParameterError("cli.has_folds", count=len(loaded.folds))
            loaded = loaded.with_folds(folds)
        finished = run_benchmark(
            loaded,
            methods,
            protocol or None,
            output,
            k=k,
            train=not no_train,
            seed=seed,
            progress=progress,
        )
    before = sum(one.skipped for one in finished)
    if before:
        say(f"{before} of {len(finished)} runs were finished before", kind="note")
    _print_results(output, {one.method for one in finished}, {one.protocol for one in finished})
    say(f"results are in {output}; 'locisimiles benchmark report {output}' writes tables")


@benchmark.command()
def export(
    folder: _Set,
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="OUT", help="The folder to write.")
    ],
    layout: Annotated[
        str, typer.Option("--layout", metavar="NAME", help="beir, for BEIR and MTEB tools.")
    ] = "beir",
) -> None:
    """Write a set in the layout of other tools.

    Examples:

    - `locisimiles benchmark export loci-similes --layout beir -o beir/loci-similes`
    """
    from locisimiles.benchmark.sets.beir import export_beir
    from locisimiles.checks import check_choice
    from locisimiles.errors import OutputError

    check_choice(["beir"], layout=layout)
    if output.resolve() == folder.resolve():
        raise OutputError("cli.output_is_input", path=str(output))
    for path in export_beir(_load(folder), output):
        say(f"wrote {path}")


benchmark.command()(report)
benchmark.command()(errors)
benchmark.command()(misses)


def _beside_paper(rows: Iterable[tuple[Any, Any]]) -> list[dict[str, Any]]:
    return [asdict(ours) | {"paper": asdict(paper) if paper else None} for ours, paper in rows]


def _load(folder: Path) -> Benchmark:
    from locisimiles.benchmark.sets.dataset import Benchmark, changed_files

    loaded = Benchmark.load(folder)
    for name in changed_files(folder):
        say(f"{folder / name} has changed since the manifest was written", kind="note")
    return loaded


def _print_results(output: Path, methods: set[str], protocols: set[str]) -> None:
    from locisimiles.benchmark.report.tables import report_tables
    from locisimiles.benchmark.runs.loading import Runs
    from locisimiles.cli.tables import print_table

    read = Runs.read(output).only(methods, protocols)
    for number, table in enumerate(report_tables(read)):
        rows = [row for row in table.rows if row[0] in methods or table.header[0] != "method"]
        if number:
            write_line()
        print_table(table.header, rows, title=table.title)
