"""``locisimiles train late``."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from locisimiles.cli.console import ProgressBar, report_reading, say

__all__ = ["late"]


class _Precision(StrEnum):
    int8 = "int8"
    float32 = "float32"


def late(
    encoder: Annotated[
        Path,
        typer.Argument(metavar="ENCODER", help="A folder that `train encoder` wrote: …/encoder."),
    ],
    source: Annotated[
        list[str],
        typer.Argument(
            metavar="SOURCE...",
            help="The texts that are alluded to: files, folders, zip files or library texts.",
        ),
    ],
    context: Annotated[
        list[Path],
        typer.Option(
            "--context",
            metavar="FILE",
            help="Text into which words are carried, a sentence a line (.txt, .txt.xz); "
            "repeatable.",
        ),
    ],
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="FOLDER", help="Where all of it is kept.")
    ] = Path("late"),
    wordnet: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.tsv", help="Words of like meaning: a table of synset, pos and lemma."
        ),
    ] = None,
    pairs: Annotated[int, typer.Option(min=10, help="How many pairs are made.")] = 100_000,
    layers: Annotated[int, typer.Option(min=1, help="Layers of the encoder that are kept.")] = 10,
    dimensions: Annotated[
        int, typer.Option(min=1, help="How long the vectors are that are compared.")
    ] = 128,
    steps: Annotated[int, typer.Option(min=1, help="How often weights are changed.")] = 400,
    batch: Annotated[int, typer.Option(min=1, help="Pairs a step.")] = 64,
    negatives: Annotated[
        int, typer.Option(min=1, help="Wrong sources that each pair brings along.")
    ] = 6,
    rate: Annotated[float, typer.Option(help="The highest learning rate of the encoder.")] = 1e-5,
    seed: Annotated[int, typer.Option(min=0)] = 0,
    precision: Annotated[
        _Precision, typer.Option(help="int8 to use, float32 to compare with.")
    ] = _Precision.int8,
    device: Annotated[str, typer.Option(help="cpu, cuda or auto.")] = "auto",
) -> None:
    """Train an encoder for late interaction, on pairs that are made for it.

    Words of the sources are taken out, inflected, replaced by others of like meaning, shuffled, and
    carried into other sentences; the encoder learns to find the source again. No reference that
    anybody has noted is used. The same command goes on with a training that was cut off. Needs
    torch and onnx: `pip install 'locisimiles[train]'`.

    Examples:

    - `locisimiles train late latin/encoder vergil.tess --context more.txt.xz -o late`

    - `locisimiles search jerome.txt vergil.tess --method late --model late/model`: use it
    """
    from locisimiles.corpus import Document
    from locisimiles.models.loading import choose_device, require_torch

    require_torch()
    from locisimiles.train.late.graph import require_onnx
    from locisimiles.train.late.project import LateProject
    from locisimiles.train.late.tuning import TuneSettings

    require_onnx()
    chosen = choose_device(device)
    settings = TuneSettings(steps=steps, batch=batch, negatives=negatives, rate=rate, seed=seed)
    with ProgressBar() as progress:
        sources = Document(*source, progress=progress)
    report_reading(sources)
    project = LateProject(output)
    with ProgressBar() as progress:
        made = project.prepare(
            encoder,
            sources,
            context,
            synonyms=wordnet,
            pairs=pairs,
            seed=seed,
            progress=progress,
        )
        say(f"{made:,} pairs of {len(sources):,} sources")
        found = project.tune(layers, dimensions, settings, device=chosen, progress=progress)
    project.export(output / "model", precision.value)
    say(f"the source is first for {found.first:.1%} of {found.queries:,} pairs that were held out")
    say(f"wrote {output / 'model'}")
