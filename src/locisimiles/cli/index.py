"""``locisimiles index``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from locisimiles.cli import options as opt  # noqa: TC001 - typer reads it
from locisimiles.cli.console import ProgressBar, say, write_line
from locisimiles.cli.files import read_documents
from locisimiles.cli.options import JsonOption  # noqa: TC001 - typer reads it
from locisimiles.cli.tables import print_table
from locisimiles.corpus import ReadOptions
from locisimiles.errors import OutputError, ParameterError
from locisimiles.index import Index, check_index
from locisimiles.index.changes import add_works, build_index, remove_works
from locisimiles.index.manifest import Manifest
from locisimiles.jobs import (
    IndexPlan,
    make_parts,
    make_parts_in_cluster,
    numbers_of,
    open_cluster,
)
from locisimiles.late import IndexEncoder, Late
from locisimiles.late.recall import shares_of_exact

__all__ = ["index"]

_SHARES = 64  # tasks for a cluster; a worker that is lost loses one

index = typer.Typer(
    help="Keep prepared sources on disk, so that searches in them begin at once.",
    no_args_is_help=True,
)

_FolderArgument = Annotated[
    Path, typer.Argument(metavar="DIR", help="The folder of the index.", show_default=False)
]
_SAMPLE = 16  # segments as queries
_ModelOption = Annotated[
    str,
    typer.Option(metavar="NAME", help="The encoder: latin, a folder, or none for lexical search."),
]


@index.command()
def build(
    folder: _FolderArgument,
    texts: opt.InputsArgument,
    model: _ModelOption = "latin",
    format: opt.FormatOption = None,  # noqa: A002
    encoding: opt.EncodingOption = None,
    segmentation: opt.SegmentationOption = "auto",
    colon: opt.ColonOption = "auto",
    semicolon: opt.SemicolonOption = "auto",
    part: Annotated[
        str | None,
        typer.Option(
            metavar="I/N",
            help="Only encode the I-th of N shares of the works, such as 3/8, for a build later.",
        ),
    ] = None,
    cluster: opt.ClusterOption = None,
) -> None:
    """Build an index of texts in a new folder.

    All texts are encoded, which takes some minutes for a whole library; the same command goes on
    with a build that was interrupted. Then give the folder as the source of a search. In a large
    index late interaction does not score every segment; the last line says what it misses.

    Examples:

    - `locisimiles index build poets vergil horace ovid`

    - `locisimiles search jerome.txt poets`: search it

    - `locisimiles index build words vergil --model none`: for methods without an encoder

    - `locisimiles index build poets vergil horace ovid --part 2/3`: one of three machines; when all
      are done, the same command without `--part` joins what they made
    """
    options = ReadOptions(encoding, segmentation, colon, semicolon)
    plan = IndexPlan(str(folder), tuple(texts), None if model == "none" else model, format, options)
    if part is not None:
        with ProgressBar() as progress:
            new = make_parts(plan, numbers_of(part), progress=progress)
        say(f"{new} {'work' if new == 1 else 'works'} encoded for {folder}")
        return
    if cluster is not None:
        if "-" in texts:
            raise ParameterError("cli.no_standard_input")
        with open_cluster(cluster) as opened, ProgressBar() as progress:
            say(f"the dashboard is at {opened.dashboard}")
            make_parts_in_cluster(plan, opened, shares=_SHARES, progress=progress)
    (document,) = read_documents(texts, format=format, options=options)
    encoder = _encoder(model)
    with ProgressBar() as progress:
        build_index(folder, document, encoder, progress=progress)
        found = None if encoder is None else _compared(folder, encoder, progress)
    say(_summary(folder))
    if found is not None:
        say(found)


@index.command()
def add(
    folder: _FolderArgument,
    texts: opt.InputsArgument,
    model: _ModelOption = "latin",
    format: opt.FormatOption = None,  # noqa: A002
    encoding: opt.EncodingOption = None,
    segmentation: opt.SegmentationOption = "auto",
    colon: opt.ColonOption = "auto",
    semicolon: opt.SemicolonOption = "auto",
) -> None:
    """Add works to an index; only these are encoded.

    Works are told apart by author and title. A work that the index has already is left as it is.

    Examples:

    - `locisimiles index add poets lucan statius.xml`
    """
    made = Manifest.read(folder).made_with["encoder"]
    options = ReadOptions(encoding, segmentation, colon, semicolon)
    (document,) = read_documents(texts, format=format, options=options)
    encoder = None if made is None else _encoder(model)
    with ProgressBar() as progress:
        new = add_works(folder, document, encoder, progress=progress)
    say(f"{new} {'work' if new == 1 else 'works'} added; {_summary(folder)}")


@index.command()
def remove(
    folder: _FolderArgument,
    names: Annotated[
        list[str],
        typer.Argument(metavar="NAME...", help="Authors or works, as 'index info' lists them."),
    ],
) -> None:
    """Remove works from an index; nothing is encoded again.

    Examples:

    - `locisimiles index remove poets Statius 'Lucan: Pharsalia'`
    """
    with ProgressBar() as progress:
        removed = remove_works(folder, names, progress=progress)
    say(f"removed {', '.join(removed)}; {_summary(folder)}")


@index.command()
def info(folder: _FolderArgument, as_json: JsonOption = False) -> None:
    """List the works of an index, and what it was made with.

    Examples:

    - `locisimiles index info poets`

    - `locisimiles index info poets --json`
    """
    manifest = Manifest.read(folder)
    rows = [
        [part.author, part.work, f"{part.segments:,}", f"{part.pieces:,}"]
        for part in sorted(manifest.parts, key=lambda part: (part.author, part.work))
    ]
    print_table(["author", "work", "segments", "pieces"], rows, as_json=as_json)
    say(_summary(folder))


@index.command()
def check(folder: _FolderArgument) -> None:
    """Read all files of an index, and name those that are missing or damaged.

    Examples:

    - `locisimiles index check poets`
    """
    with ProgressBar() as progress:
        damaged = check_index(folder, progress=progress)
    for path, part in damaged:
        write_line(path, part.name if part is not None else "derived from the works")
    if damaged:
        raise OutputError("cli.index_damaged", folder=str(folder), count=len(damaged))
    say(f"no damage; {_summary(folder)}")


def _compared(folder: Path, encoder: IndexEncoder, progress: ProgressBar) -> str | None:
    """Compare searches by late interaction with exact ones; None if all are exact."""
    opened = Index.open(folder)
    late = Late(encoder.encoder, cache=None).index(opened)
    if late.lists is None:
        return None
    places = np.unique(np.linspace(0, len(opened) - 1, _SAMPLE).astype(int)).tolist()
    shares = shares_of_exact(late, opened.select(places), progress=progress)
    found = ", ".join(f"{100 * share:.1f} % of the first {k:,}" for k, share in shares.items())
    return (
        f"compared with an exact search, late interaction finds {found} "
        f"(means of {len(places)} segments as queries)"
    )


def _encoder(model: str) -> IndexEncoder | None:
    return None if model == "none" else IndexEncoder(model)


def _summary(folder: Path) -> str:
    opened = Index.open(folder)
    manifest = opened.manifest
    size = sum(path.stat().st_size for path in manifest.paths(folder)) / 1e6
    made = manifest.made_with["encoder"]
    vectors = "no vectors" if made is None else f"vectors of {made['model']}"
    return (
        f"{folder}: {len(opened):,} segments of {len(manifest.parts):,} works, {vectors}, "
        f"{size:,.0f} MB, generation {manifest.generation}"
    )
