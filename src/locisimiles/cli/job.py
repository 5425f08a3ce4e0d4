"""``locisimiles job``."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer

from locisimiles.classify.selection import Selection, Tally
from locisimiles.cli import options as opt
from locisimiles.cli import search_options as searching
from locisimiles.cli.console import ProgressBar, say, write_json, write_line
from locisimiles.cli.files import (
    check_target,
    counted,
    note_large_workbook,
    read_documents,
    say_expected,
)
from locisimiles.corpus import ReadOptions
from locisimiles.errors import ParameterError
from locisimiles.export import explain_blocks, write_blocks
from locisimiles.files.writing import atomic
from locisimiles.jobs import (
    Job,
    SearchSettings,
    array_script,
    merged_blocks,
    merging_pipeline,
    missing_blocks,
    open_cluster,
    plan_job,
    present_blocks,
    run_blocks,
    slice_of,
    write_compact,
)
from locisimiles.pipeline import BLOCK

__all__ = ["job"]

job = typer.Typer(
    help="Long searches in blocks that many processes and machines can do, and that resume.",
    no_args_is_help=True,
)

_FolderArgument = Annotated[
    Path, typer.Argument(metavar="JOB", help="The folder of the job.", show_default=False)
]


@job.command()
def plan(
    folder: _FolderArgument,
    query: searching.QueryArgument,
    source: searching.SourceArgument,
    k: searching.KOption = None,
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
    block: Annotated[
        int, typer.Option(min=1, help="Number of query segments that are searched together.")
    ] = BLOCK,
    overwrite: Annotated[
        bool,
        typer.Option("--overwrite", help="Replace another plan; blocks that both have stay done."),
    ] = False,
    format: opt.FormatOption = None,  # noqa: A002
    encoding: opt.EncodingOption = None,
    segmentation: opt.SegmentationOption = "auto",
    colon: opt.ColonOption = "auto",
    semicolon: opt.SemicolonOption = "auto",
) -> None:
    """Plan a search in a new folder that all machines can read.

    The sources are best an index (see 'locisimiles index build'); of texts, an index is built in
    the folder.

    Examples:

    - `locisimiles job plan letters jerome.xml poets`: search Jerome in the index 'poets'

    - `locisimiles job plan all corpus corpus --exclude same-work --method bm25`: a corpus in itself
    """
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
    options = ReadOptions(encoding, segmentation, colon, semicolon)
    queries, sources = read_documents([query], source, format=format, options=options)
    with ProgressBar() as progress:
        planned = plan_job(
            folder,
            queries,
            sources,
            settings,
            block_size=block,
            overwrite=overwrite,
            progress=progress,
        )
    say(_summary(planned))


@job.command()
def run(
    folder: _FolderArgument,
    blocks: Annotated[
        str | None,
        typer.Option(metavar="I/N", help="Only the I-th of N parts of the job, such as 17/64."),
    ] = None,
    jobs: searching.JobsOption = None,
    cluster: opt.ClusterOption = None,
) -> None:
    """Do the blocks that are not done yet; the same command resumes after an interruption.

    Any number of programs may run parts of the same job at the same time, on any machines that
    share its folder.

    Examples:

    - `locisimiles job run letters`: on all cores

    - `locisimiles job run letters --blocks 17/64 --jobs 1`: one part, as a task of SLURM does

    - `locisimiles job run letters --cluster tcp://10.0.0.1:8786`: by the workers of Dask
    """
    if jobs is not None and cluster is not None:
        raise ParameterError("cli.jobs_or_cluster")
    planned = Job.open(folder)
    numbers = None if blocks is None else slice_of(planned, blocks)
    with ExitStack() as stack:
        opened = None
        if cluster is not None:
            opened = stack.enter_context(open_cluster(cluster))
            say(f"the dashboard is at {opened.dashboard}")
        progress = stack.enter_context(ProgressBar())
        processes = searching.processes(jobs)
        done = run_blocks(planned, numbers, processes=processes, cluster=opened, progress=progress)
    say(f"{done:,} {'block' if done == 1 else 'blocks'} done; {_summary(planned)}")


@job.command()
def status(
    folder: _FolderArgument,
    check: Annotated[
        bool, typer.Option("--check", help="Read all that is done, and name what is damaged.")
    ] = False,
    as_json: opt.JsonOption = False,
) -> None:
    """Show how much of a job is done, and which blocks are missing.

    Examples:

    - `locisimiles job status letters`

    - `locisimiles job status letters --json`
    """
    planned = Job.open(folder)
    present = set(present_blocks(planned))
    missing = [number for number in range(len(planned.blocks)) if number not in present]
    if check:
        with ProgressBar() as progress:
            missing = missing_blocks(planned, progress=progress)
    unusable = [
        (number + 1, *planned.rows(number), "damaged" if number in present else "missing")
        for number in missing
    ]
    if as_json:
        facts = [
            {"block": block, "first": begin + 1, "last": end, "state": state}
            for block, begin, end, state in unusable
        ]
        write_json({"blocks": len(planned.blocks), "not_done": facts})
    else:
        for block, begin, end, state in unusable:
            write_line(f"block {block}", f"segments {begin + 1}-{end}", state)
    say(_summary(planned, len(planned.blocks) - len(missing)))


@job.command()
def script(
    folder: _FolderArgument,
    parts: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="N",
            help="Number of tasks; by default 64, or one per block of a small job.",
            show_default=False,
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE", help="Write to a file, not the screen."),
    ] = None,
    overwrite: opt.OverwriteOption = False,
) -> None:
    """Write the script of an array job of SLURM, whose tasks each do a part.

    Examples:

    - `locisimiles job script letters -o letters.sh`, then `sbatch letters.sh`

    - `locisimiles job script letters --parts 200`: show the script of 200 tasks
    """
    content = array_script(Job.open(folder), parts)
    if output is None:
        for line in content.splitlines():
            write_line(line)
        return
    check_target(output, [folder], overwrite=overwrite, suffixes=[".sh", ".slurm", ".sbatch"])
    with atomic(output) as stream:
        stream.write(content)
    say(f"wrote {output}")


@job.command()
def merge(
    folder: _FolderArgument,
    output: Annotated[
        Path,
        typer.Option(
            "-o", "--output", metavar="FILE", help=f"The file to write. {opt.EXPORT_HELP}"
        ),
    ],
    k: searching.KOption = None,
    budget: searching.BudgetOption = None,
    precision: searching.PrecisionOption = None,
    threshold: searching.ThresholdOption = None,
    explain: searching.ExplainOption = False,
    compact: Annotated[
        bool,
        typer.Option(
            "--compact",
            help="Write a .parquet file without texts and shared words: millions of pairs in "
            "seconds.",
        ),
    ] = False,
    spreadsheet_safe: opt.SpreadsheetSafeOption = False,
    overwrite: opt.OverwriteOption = False,
) -> None:
    """Write the results of a job to a file, the same as 'locisimiles search' writes.

    Examples:

    - `locisimiles job merge letters -o hits.parquet`

    - `locisimiles job merge letters --budget 500 -o hits.html`: the 500 best pairs of all blocks

    - `locisimiles job merge letters --compact -o all.parquet`: millions of pairs, without texts
    """
    planned = Job.open(folder)
    if compact and (explain or output.suffix.lower() != ".parquet"):
        raise ParameterError("cli.compact_is_parquet")
    check_target(output, [folder], overwrite=overwrite, spreadsheet_safe=spreadsheet_safe)
    selection = Selection(budget=budget, precision=precision, threshold=threshold)
    pipeline = merging_pipeline(planned, k=k, selection=selection)
    note_large_workbook(output, budget or pipeline.k * planned.segments)
    with ProgressBar() as progress:
        if compact:
            tally, written = write_compact(planned, pipeline, output, progress=progress), [output]
        else:
            tally = Tally()
            found = counted(merged_blocks(planned, pipeline, progress=progress), tally)
            if explain:
                found = explain_blocks(found, progress=progress)
            written = write_blocks(
                found, output, overwrite=overwrite, spreadsheet_safe=spreadsheet_safe
            )
    if (calibration := pipeline.calibration) is not None:
        say_expected(tally, calibration, planned.query())
    for path in written:
        say(f"wrote {path}")


def _summary(planned: Job, done: int | None = None) -> str:
    done = len(present_blocks(planned)) if done is None else done
    blocks = len(planned.blocks)
    sources = planned.search["source"]["segments"]
    return (
        f"{planned.folder}: {planned.segments:,} query segments in {sources:,} source segments, "
        f"{done:,} of {blocks:,} blocks done ({100 * done // blocks} %)"
    )
