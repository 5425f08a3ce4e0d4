"""``locisimiles train``, and training on plain corpora."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from locisimiles.cli import options as opt  # noqa: TC001 - typer reads it
from locisimiles.cli.console import ProgressBar, say
from locisimiles.cli.train_encoders import centres, encoder, late
from locisimiles.cli.train_folds import biencoder, crossencoder, predictions
from locisimiles.cli.train_recipe import all_stages, card, compare
from locisimiles.cli.train_weights import base_rates, classifier, default, verses
from locisimiles.export import check_output

__all__ = ["train"]

train = typer.Typer(help="Train the models of the package on your own data.", no_args_is_help=True)


@train.command()
def lemmatizer(
    treebanks: Annotated[
        list[Path],
        typer.Argument(
            metavar="TREEBANK...", help="CoNLL-U files, or tables of form, lemma and tag (.xz)."
        ),
    ],
    output: opt.TableOption,
    corpus: Annotated[
        list[Path],
        typer.Option(
            "--corpus", metavar="FILE", help="Plain text, one sentence per line (.txt, .txt.xz)."
        ),
    ] = [],  # noqa: B006 - typer copies it
    hold_out: Annotated[
        list[str],
        typer.Option(
            "--hold-out",
            metavar="NAME",
            help="Hold out texts whose name begins with NAME; repeatable.",
        ),
    ] = [],  # noqa: B006
    seed: Annotated[int, typer.Option(help="Seed of the order of examples.")] = 0,
    overwrite: opt.OverwriteOption = False,
) -> None:
    """Learn forms, rules and the choice between analyses from lemmatised texts.

    A corpus enlarges the lexicon: its words are analysed by rule, and by simplemma's word list if
    installed.

    Examples:

    - `locisimiles train lemmatizer la_ud-train.conllu -o mine.npz`

    - `locisimiles lemmatize text.txt --lemmatizer mine.npz`: use the model
    """
    from locisimiles.train.common.corpora import count_forms
    from locisimiles.train.lemmatizer.training import train_lemmatizer
    from locisimiles.train.lemmatizer.treebanks import leave_out, read_treebank

    check_output(output, overwrite=overwrite, suffixes=(".npz",))
    with ProgressBar() as progress:
        texts = []
        for done, path in enumerate(treebanks):
            progress("reading treebanks", done, len(treebanks))
            texts += read_treebank(path)
        texts = leave_out(texts, hold_out)
        background = count_forms(corpus, progress=progress) if corpus else None
        model = train_lemmatizer(texts, background, seed=seed, progress=progress)
    model.save(output)
    words = sum(map(len, texts))
    say(f"wrote {output}: {len(model.forms):,} forms from {len(texts):,} texts ({words:,} words)")


@train.command()
def frequencies(
    corpus: opt.CorpusArgument,
    output: opt.TableOption,
    fewest: Annotated[
        int, typer.Option(min=1, help="Minimum number of sentences with a pair of lemmas.")
    ] = 4,
    overwrite: opt.OverwriteOption = False,
) -> None:
    """Count the sentences in which lemmas, and pairs of lemmas, occur.

    Examples:

    - `locisimiles train frequencies corpus.txt.xz -o frequencies.npz`
    """
    from locisimiles.train.frequencies import count_frequencies

    check_output(output, overwrite=overwrite, suffixes=(".npz",))
    with ProgressBar() as progress:
        counted = count_frequencies(corpus, fewest=fewest, progress=progress)
    counted.save(output)
    say(
        f"wrote {output}: {len(counted.lemmas):,} lemmas and {len(counted.pairs):,} pairs "
        f"from {counted.sentences:,} sentences"
    )


@train.command()
def vectors(
    corpus: opt.CorpusArgument,
    output: opt.TableOption,
    dimensions: Annotated[int, typer.Option(min=1, help="Length of a vector.")] = 100,
    window: Annotated[
        int, typer.Option("--context-words", min=1, help="Words on either side.")
    ] = 5,
    epochs: Annotated[int, typer.Option(min=1, help="Passes over the corpora.")] = 5,
    fewest: Annotated[int, typer.Option(min=1, help="Minimum frequency of a lemma.")] = 5,
    most_words: Annotated[
        int, typer.Option(min=1, help="Maximum number of lemmas, most frequent first.")
    ] = 40_000,
    subwords: Annotated[
        bool, typer.Option("--subwords", help="Learn subwords too (fastText).")
    ] = False,
    buckets: Annotated[
        int, typer.Option(min=1, help="Number of vectors that subwords share.")
    ] = 50_000,
    exact: Annotated[
        bool, typer.Option("--exact", help="Store numbers in four bytes instead of one.")
    ] = False,
    seed: opt.SeedOption = 0,
    overwrite: opt.OverwriteOption = False,
) -> None:
    """Learn word vectors from the lemmas of corpora (Word2Vec, or fastText with --subwords).

    Needs gensim: `pip install '.[train]'` in the checkout.

    Examples:

    - `locisimiles train vectors corpus.txt.xz -o vectors.npz`

    - `locisimiles train vectors corpus.txt.xz --subwords -o vectors.npz`: fastText
    """
    from locisimiles.train.vectors import VectorSettings, train_vectors

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
        learnt = train_vectors(corpus, settings, progress=progress)
    (learnt if exact else learnt.compact()).save(output)
    say(
        f"wrote {output}: {len(learnt):,} lemmas, {learnt.dimensions} dimensions, "
        f"{output.stat().st_size / 1e6:.1f} MB"
    )


for _command in (biencoder, crossencoder, centres, encoder, late, default, classifier, predictions):
    train.command()(_command)
train.command("base-rates")(base_rates)
train.command("all")(all_stages)
train.command()(compare)
train.command()(card)
train.command()(verses)
