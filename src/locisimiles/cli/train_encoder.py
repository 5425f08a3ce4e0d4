"""``locisimiles train encoder``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from locisimiles.cli.console import ProgressBar, say

__all__ = ["encoder"]


def encoder(
    corpus: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[FILE]...", help="Plain text, a sentence a line (.txt, .txt.xz), best first."
        ),
    ] = None,
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="FOLDER", help="Where all of it is kept.")
    ] = Path("encoder"),
    minutes: Annotated[
        float, typer.Option(min=0, help="How long this run may train; the next one goes on.")
    ] = 10.0,
    steps: Annotated[int, typer.Option(min=1, help="How many steps there are in all.")] = 9000,
    batch: Annotated[int, typer.Option(min=1, help="Sequences a step.")] = 768,
    length: Annotated[int, typer.Option(min=8, help="Word pieces a sequence.")] = 128,
    vocabulary: Annotated[int, typer.Option(min=300, help="Word pieces in all.")] = 24_000,
    width: Annotated[int, typer.Option(min=8)] = 384,
    layers: Annotated[int, typer.Option(min=1)] = 12,
    heads: Annotated[int, typer.Option(min=1)] = 6,
    seed: Annotated[int, typer.Option(min=0)] = 0,
) -> None:
    """Pretrain a compact Latin encoder, in as many runs as it takes.

    The first run prepares text and vocabulary in the folder; each further one goes on training
    where the last one stopped, on a GPU if there is one. Needs torch and tokenizers:
    `pip install 'locisimiles[train]'`.

    Examples:

    - `locisimiles train encoder best.txt.xz more.txt.xz -o latin --minutes 9`

    - `locisimiles train encoder -o latin --minutes 9`: go on
    """
    from locisimiles.models.loading import require_torch
    from locisimiles.train.encoder.project import EncoderProject

    require_torch()
    from locisimiles.train.encoder.network import EncoderConfig
    from locisimiles.train.encoder.pretraining import PretrainSettings

    project = EncoderProject(output)
    with ProgressBar() as progress:
        pieces = project.prepare(corpus or [], vocabulary=vocabulary, progress=progress)
        say(f"{pieces:,} word pieces of text")
        config = EncoderConfig(
            vocabulary=project.vocabulary_size(),
            width=width,
            layers=layers,
            heads=heads,
            inner=width * 8 // 3,
        )
        settings = PretrainSettings(
            steps=steps, batch=batch, length=length, warm_up=max(steps // 9, 1), seed=seed
        )
        done, found = project.train(config, settings, seconds=60 * minutes, progress=progress)
    say(f"{done:,} of {steps:,} steps; held out: loss {found.loss:.3f}, right {found.accuracy:.1%}")
    if done >= steps:
        say(f"wrote {output / 'encoder'}")
