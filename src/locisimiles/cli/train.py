"""``locisimiles train``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from locisimiles.cli.console import ProgressBar, say
from locisimiles.cli.options import OverwriteOption  # noqa: TC001 - typer reads it
from locisimiles.cli.train_biencoder import biencoder
from locisimiles.cli.train_classifier import classifier
from locisimiles.cli.train_crossencoder import crossencoder
from locisimiles.cli.train_default import default
from locisimiles.cli.train_encoder import encoder
from locisimiles.cli.train_late import late
from locisimiles.cli.train_opinions import opinions
from locisimiles.cli.train_vectors import train_vectors

__all__ = ["train"]

train = typer.Typer(
    help="Train what comes with the package again, on your own data.", no_args_is_help=True
)

_Corpus = Annotated[
    list[Path],
    typer.Option("--corpus", metavar="FILE", help="Plain text, a sentence a line (.txt, .txt.xz)."),
]
_ModelFile = Annotated[
    Path, typer.Option("-o", "--output", metavar="FILE.npz", help="Where the model is written.")
]


@train.command("lemmatizer")
def train_lemmatizer(
    treebanks: Annotated[
        list[Path],
        typer.Argument(
            metavar="TREEBANK...", help="CoNLL-U files, or tables of form, lemma and tag (.xz)."
        ),
    ],
    output: _ModelFile,
    corpus: _Corpus = [],  # noqa: B006 - typer copies it
    hold_out: Annotated[
        list[str],
        typer.Option(
            "--hold-out", metavar="NAME", help="Leave out texts whose name begins so; repeatable."
        ),
    ] = [],  # noqa: B006
    seed: Annotated[int, typer.Option(help="For the order in which examples are seen.")] = 0,
    overwrite: OverwriteOption = False,
) -> None:
    """Learn forms, rules and the choice between readings from lemmatised texts.

    A corpus makes the lexicon larger: its words get readings by rules, and by the word list of
    simplemma where that is installed.

    Examples:

    - `locisimiles train lemmatizer la_ud-train.conllu -o mine.npz`

    - `locisimiles lemmatize text.txt --lemmatizer mine.npz`: use it
    """
    from locisimiles.export import check_output
    from locisimiles.train.common.corpora import count_forms
    from locisimiles.train.lemmatizer.training import train_lemmatizer as learn
    from locisimiles.train.lemmatizer.treebanks import leave_out, read_treebank

    check_output(output, overwrite=overwrite, suffixes=(".npz",))
    with ProgressBar() as progress:
        texts = []
        for done, path in enumerate(treebanks):
            progress("reading treebanks", done, len(treebanks))
            texts += read_treebank(path)
        texts = leave_out(texts, hold_out)
        background = count_forms(corpus, progress=progress) if corpus else None
        model = learn(texts, background, seed=seed, progress=progress)
    model.save(output)
    words = sum(map(len, texts))
    say(f"wrote {output}: {len(model.forms):,} forms from {len(texts):,} texts ({words:,} words)")


@train.command("frequencies")
def train_frequencies(
    corpus: Annotated[
        list[Path],
        typer.Argument(metavar="FILE...", help="Plain text, a sentence a line (.txt, .txt.xz)."),
    ],
    output: _ModelFile,
    fewest: Annotated[
        int, typer.Option(min=1, help="In how many sentences a pair must occur to be kept.")
    ] = 4,
    overwrite: OverwriteOption = False,
) -> None:
    """Count in how many sentences lemmas, and pairs of them, occur.

    Examples:

    - `locisimiles train frequencies corpus.txt.xz -o frequencies.npz`
    """
    from locisimiles.export import check_output
    from locisimiles.train.frequencies import count_frequencies

    check_output(output, overwrite=overwrite, suffixes=(".npz",))
    with ProgressBar() as progress:
        counted = count_frequencies(corpus, fewest=fewest, progress=progress)
    counted.save(output)
    say(
        f"wrote {output}: {len(counted.lemmas):,} lemmas and {len(counted.pairs):,} pairs "
        f"from {counted.sentences:,} sentences"
    )


train.command("vectors")(train_vectors)
train.command("biencoder")(biencoder)
train.command("crossencoder")(crossencoder)
train.command("encoder")(encoder)
train.command("late")(late)
train.command("default")(default)
train.command("classifier")(classifier)
train.command("opinions")(opinions)
