"""``locisimiles train encoder`` and ``train late``: our own encoder."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from locisimiles.cli import options as opt  # noqa: TC001 - typer reads it
from locisimiles.cli.console import ProgressBar, say
from locisimiles.cli.files import read_documents
from locisimiles.export import check_output

__all__ = ["centres", "encoder", "late"]


def encoder(
    corpus: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[FILE]...",
            help="Plain text, one sentence per line (.txt, .txt.xz), the best first.",
        ),
    ] = None,
    output: opt.FolderOption = Path("encoder"),
    minutes: Annotated[
        float, typer.Option(min=0, help="Time limit of this run; the next one resumes.")
    ] = 10.0,
    steps: Annotated[int, typer.Option(min=1, help="Number of steps, over all runs.")] = 9000,
    batch: Annotated[int, typer.Option("--batch-size", min=1, help="Sequences per step.")] = 768,
    length: Annotated[int, typer.Option(min=8, help="Word pieces per sequence.")] = 128,
    vocabulary: Annotated[int, typer.Option(min=300, help="Number of word pieces.")] = 24_000,
    width: Annotated[int, typer.Option(min=8, help="Width of a layer.")] = 384,
    layers: Annotated[int, typer.Option(min=1, help="Number of layers.")] = 12,
    heads: Annotated[int, typer.Option(min=1, help="Attention heads per layer.")] = 6,
    seed: opt.SeedOption = 0,
    only_prepare: opt.OnlyPrepareOption = False,
) -> None:
    """Pretrain a compact Latin encoder, in one or several runs.

    The first run prepares text and vocabulary in the folder; later runs resume training, on a GPU
    if there is one. To use a GPU of another machine, prepare the pieces, and run
    `python -m locisimiles.train.encoder.job pieces-*.xz -o OUT --minutes 8` there. Needs torch and
    tokenizers: `pip install '.[train]'` in the checkout.

    Examples:

    - `locisimiles train encoder best.txt.xz more.txt.xz -o latin --minutes 9`

    - `locisimiles train encoder -o latin --minutes 9`: resume
    """
    from locisimiles.models.loading import require_torch
    from locisimiles.train.encoder.folder import EncoderConfig
    from locisimiles.train.encoder.project import EncoderProject

    if not only_prepare:
        require_torch()
    project = EncoderProject(output)
    with ProgressBar() as progress:
        pieces = project.prepare(corpus or [], vocabulary=vocabulary, progress=progress)
        say(f"{pieces:,} word pieces of text")
        if only_prepare:
            for path in project.pack():
                say(f"wrote {path}")
            return
        from locisimiles.train.encoder.pretraining import PretrainSettings

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
        done, held_out = project.train(config, settings, seconds=60 * minutes, progress=progress)
    say(
        f"{done:,} of {steps:,} steps; held out: loss {held_out.loss:.3f}, "
        f"accuracy {held_out.accuracy:.1%}"
    )
    if done >= steps:
        say(f"wrote {output / 'encoder'}")


def late(
    encoder: Annotated[
        Path,
        typer.Argument(metavar="ENCODER", help="A folder that `train encoder` wrote: …/encoder."),
    ],
    source: Annotated[
        list[str],
        typer.Argument(
            metavar="SOURCE...",
            help="The texts alluded to: files, folders, zip files or library texts.",
        ),
    ],
    context: Annotated[
        list[Path],
        typer.Option(
            "--insert-into",
            metavar="FILE",
            help="Text that words are inserted into, one sentence per line (.txt, .txt.xz); "
            "repeatable.",
        ),
    ],
    output: opt.FolderOption = Path("late"),
    wordnet: Annotated[
        Path | None,
        typer.Option(metavar="FILE.tsv", help="Synonyms: a table of synset, pos and lemma."),
    ] = None,
    pairs: Annotated[int, typer.Option(min=10, help="Number of synthetic pairs.")] = 100_000,
    layers: Annotated[int, typer.Option(min=1, help="Layers of the encoder to keep.")] = 10,
    dimensions: Annotated[int, typer.Option(min=1, help="Length of a vector.")] = 128,
    steps: Annotated[int, typer.Option(min=1, help="Number of steps.")] = 400,
    batch: Annotated[int, typer.Option("--batch-size", min=1, help="Pairs per step.")] = 64,
    negatives: Annotated[int, typer.Option(min=1, help="Negatives per pair.")] = 6,
    rate: Annotated[
        float, typer.Option("--learning-rate", help="The highest learning rate.")
    ] = 1e-5,
    seed: opt.SeedOption = 0,
    precision: Annotated[
        Literal["int8", "float32"],
        typer.Option("--numbers", help="int8 for use, float32 for comparison."),
    ] = "int8",
    device: opt.DeviceOption = "auto",
) -> None:
    """Train an encoder for late interaction on synthetic pairs.

    Words of the sources are dropped, inflected, replaced by synonyms, shuffled, and inserted into
    other sentences; the encoder learns to find the source. No noted reference is used. The same
    command resumes an interrupted training. Needs torch and onnx:
    `pip install '.[train]'` in the checkout.

    Examples:

    - `locisimiles train late latin/encoder vergil.tess --insert-into more.txt.xz -o late`

    - `locisimiles search jerome.txt vergil.tess --method late --model late/model`: use it
    """
    from locisimiles.models.loading import choose_device, require_torch

    require_torch()
    from locisimiles.train.late.graph import require_onnx
    from locisimiles.train.late.project import LateProject
    from locisimiles.train.late.tuning import TuneSettings

    require_onnx()
    chosen = choose_device(device)
    settings = TuneSettings(steps=steps, batch=batch, negatives=negatives, rate=rate, seed=seed)
    (sources,) = read_documents(source)
    project = LateProject(output)
    with ProgressBar() as progress:
        count = project.prepare(
            encoder,
            sources,
            context,
            synonyms=wordnet,
            pairs=pairs,
            seed=seed,
            progress=progress,
        )
        say(f"{count:,} pairs of {len(sources):,} sources")
        held_out = project.tune(layers, dimensions, settings, device=chosen, progress=progress)
    project.export(output / "model", precision)
    say(f"the source is first for {held_out.first:.1%} of {held_out.queries:,} held-out pairs")
    say(f"wrote {output / 'model'}")


def centres(
    corpus: opt.CorpusArgument,
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="FILE.npy", help="The file to write.")
    ],
    model: Annotated[
        str, typer.Option(metavar="NAME", help="The encoder: latin, or a folder.")
    ] = "latin",
    count: Annotated[int, typer.Option(min=1, help="Number of centres.")] = 2048,
    sentences: Annotated[
        int, typer.Option(min=1, help="Number of sentences, equally many from each corpus.")
    ] = 10_000,
    seed: opt.SeedOption = 0,
    overwrite: opt.OverwriteOption = False,
) -> None:
    """Find the centres of lists, which indexes on disk need to be fast.

    Put the file into the folder of the encoder as centres.npy, before you build an index.

    Examples:

    - `locisimiles train centres corpus.txt.xz --model late/model -o late/model/centres.npy`
    """
    import numpy as np

    from locisimiles.files.writing import atomic_binary
    from locisimiles.models.loading import choose_piecewise_encoder
    from locisimiles.train.late.centres import find_centres

    check_output(output, overwrite=overwrite, suffixes=(".npy",))
    with ProgressBar() as progress:
        found = find_centres(
            choose_piecewise_encoder(model),
            corpus,
            count=count,
            sentences=sentences,
            seed=seed,
            progress=progress,
        )
    with atomic_binary(output) as stream:
        np.save(stream, found)
    say(f"wrote {output}: {len(found):,} centres")
