"""``locisimiles train vectors``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from locisimiles.cli.console import ProgressBar, say
from locisimiles.cli.options import OverwriteOption  # noqa: TC001 - typer reads it

__all__ = ["train_vectors"]


def train_vectors(
    corpus: Annotated[
        list[Path],
        typer.Argument(metavar="FILE...", help="Plain text, a sentence a line (.txt, .txt.xz)."),
    ],
    output: Annotated[
        Path,
        typer.Option("-o", "--output", metavar="FILE.npz", help="Where the vectors are written."),
    ],
    dimensions: Annotated[int, typer.Option(min=1, help="How many numbers a vector has.")] = 100,
    window: Annotated[int, typer.Option(min=1, help="How many words around a word count.")] = 5,
    epochs: Annotated[int, typer.Option(min=1, help="How many times the corpora are read.")] = 5,
    fewest: Annotated[int, typer.Option(min=1, help="How often a lemma must occur.")] = 5,
    most_words: Annotated[
        int, typer.Option(min=1, help="How many lemmas get a vector, the commonest first.")
    ] = 40_000,
    subwords: Annotated[
        bool, typer.Option("--subwords", help="Learn parts of words too (fastText).")
    ] = False,
    buckets: Annotated[
        int, typer.Option(min=1, help="How many vectors the parts of words share.")
    ] = 50_000,
    exact: Annotated[
        bool, typer.Option("--exact", help="Write four bytes a number instead of one.")
    ] = False,
    seed: Annotated[int, typer.Option(min=0, help="For what is drawn at random.")] = 0,
    overwrite: OverwriteOption = False,
) -> None:
    """Learn word vectors from the lemmas of corpora (Word2Vec, or fastText with --subwords).

    Needs gensim: `pip install 'locisimiles[train]'`.

    Examples:

    - `locisimiles train vectors corpus.txt.xz -o vectors.npz`

    - `locisimiles train vectors corpus.txt.xz --subwords -o vectors.npz`: fastText
    """
    from locisimiles.export import check_output
    from locisimiles.train.vectors import VectorSettings
    from locisimiles.train.vectors import train_vectors as learn

    check_output(output, overwrite=overwrite, suffixes=(".npz",))
    settings = VectorSettings(
        dimensions=dimensions,
        window=window,
        epochs=epochs,
        fewest=fewest,
        most_words=most_words,
        subwords=subwords,
        buckets=buckets,
        seed=seed,
    )
    with ProgressBar() as progress:
        vectors = learn(corpus, settings, progress=progress)
    (vectors if exact else vectors.compact()).save(output)
    say(
        f"wrote {output}: {len(vectors):,} lemmas, {vectors.dimensions} dimensions, "
        f"{output.stat().st_size / 1e6:.1f} MB"
    )
