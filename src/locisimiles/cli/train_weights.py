"""``locisimiles train default`` and ``train classifier``: weights learnt from a benchmark."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from locisimiles.cli import options as opt  # noqa: TC001 - typer reads it
from locisimiles.cli.console import ProgressBar, say
from locisimiles.export import check_output

__all__ = ["base_rates", "classifier", "default", "verses"]

_ModelOption = Annotated[
    str, typer.Option(metavar="FOLDER", help="The late-interaction encoder of these weights.")
]


def default(
    folder: opt.BenchmarkArgument,
    output: opt.WeightsOption,
    model: _ModelOption = "latin",
    overwrite: opt.OverwriteOption = False,
) -> None:
    """Learn the weights of the default method from all references of a benchmark.

    To evaluate it, use `locisimiles benchmark run DIR --method default`, which trains for each fold
    on the others.

    Examples:

    - `locisimiles train default loci-similes -o weights.json`

    - `locisimiles search query.csv source.csv --set weights=weights.json`: use the weights
    """
    from locisimiles.benchmark.sets.dataset import Benchmark
    from locisimiles.learn.default import UNTRAINED, learn_weights
    from locisimiles.retrieve.combined.search import Combined

    check_output(output, overwrite=overwrite, suffixes=(".json",))
    with ProgressBar() as progress:
        training = Benchmark.load(folder)
        combined = Combined(model=model, weights=UNTRAINED)
        parts = combined.parts(training.source, progress=progress)
        weights = learn_weights(combined, parts, training, progress=progress)
    weights.save(output)
    say(f"wrote {output}")


def classifier(
    folder: opt.BenchmarkArgument,
    output: opt.WeightsOption,
    predictions: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.npz",
            help="Cross-encoder predictions for held-out folds, from 'locisimiles train "
            "predictions', to learn their weight.",
        ),
    ] = None,
    cross_encoder: Annotated[
        str,
        typer.Option(metavar="NAME", help="The cross-encoder of these weights: a folder."),
    ] = "latin",
    model: _ModelOption = "latin",
    seed: Annotated[int, typer.Option(help="Seed of the fold documents.")] = 0,
    overwrite: opt.OverwriteOption = False,
) -> None:
    """Learn the weights of the ensemble from all references of a benchmark with folds.

    To evaluate it, use `locisimiles benchmark run DIR --method ensemble`, which trains for each
    fold on the others.

    Examples:

    - `locisimiles train classifier loci-similes -o weights.json`

    - `locisimiles search query.csv source.csv --classifier weights.json`: use the weights
    """
    from locisimiles.benchmark.sets.dataset import Benchmark
    from locisimiles.classify import CrossEncoderClassifier
    from locisimiles.index import PreparedDocument
    from locisimiles.learn.default import UNTRAINED
    from locisimiles.learn.ensemble import learn_ensemble
    from locisimiles.learn.predictions import PredictionBook
    from locisimiles.models.identity import model_sha256
    from locisimiles.retrieve.combined.search import Combined

    check_output(output, overwrite=overwrite, suffixes=(".json",))
    with ProgressBar() as progress:
        training = Benchmark.load(folder)
        second = None
        if predictions is not None:
            book = PredictionBook.load(predictions)
            second = {fold: book.without((fold,)) for fold in training.folds}
        combined = Combined(priors=False, model=model, weights=UNTRAINED)
        source = PreparedDocument(training.source)
        weights = learn_ensemble(
            training, source, combined, seed=seed, second=second, progress=progress
        )
        if second is not None:
            reranker = CrossEncoderClassifier(cross_encoder).network
            weights = replace(weights, cross_encoder_sha256=model_sha256(reranker))
    weights.save(output)
    say(f"wrote {output}")


def base_rates(
    judged: Annotated[
        list[Path],
        typer.Argument(
            metavar="JUDGED...",
            help="Judged texts: files or folders that benchmarks/calibration.py --keep wrote.",
        ),
    ],
    output: opt.WeightsOption,
    keep_own: Annotated[
        bool,
        typer.Option(
            "--keep-own",
            help="Keep the shipped base rates of authors that the classifier has learnt from, and "
            "learn those of all others.",
        ),
    ] = False,
    overwrite: opt.OverwriteOption = False,
) -> None:
    """Learn how often texts refer: the base rates of the shipped classifier.

    The texts are by many authors whose references were noted, null texts, which are older than all
    sources and refer to none, and documents of the benchmark.

    Examples:

    - `locisimiles train base-rates judged -o base_rates.json`
    """
    from locisimiles.classify.base_rates import BaseRates
    from locisimiles.classify.ensemble import Ensemble
    from locisimiles.learn.base_rates import OWN_PART, JudgedText, learn_base_rates, learn_others

    check_output(output, overwrite=overwrite, suffixes=(".json",))
    files = [
        file
        for path in judged
        for file in (sorted(path.glob("*.npz")) if path.is_dir() else [path])
    ]
    texts = [JudgedText.load(file) for file in files]
    classifier = Ensemble()
    others = [text for text in texts if text.part != OWN_PART]
    if keep_own:
        rates = replace(BaseRates.shipped(), others=learn_others(others))
    else:
        rates = learn_base_rates(
            others,
            [text for text in texts if text.part == OWN_PART],
            spread=classifier.calibration.spread,
            weights_sha256=classifier.loaded_weights().fingerprint(),
        )
    rates.save(output)
    say(f"wrote {output}")


def verses(
    folder: opt.BenchmarkArgument,
    references: Annotated[
        Path,
        typer.Argument(
            metavar="REFERENCES", help="The folder with the tables that the set was built from."
        ),
    ],
    output: opt.WeightsOption,
    overwrite: opt.OverwriteOption = False,
) -> None:
    """Learn how often verses of the Bible are cited, and how much that counts.

    All notes of the tables are counted. The weights are learnt from the set, with counts that leave
    out the author of the query.

    Examples:

    - `locisimiles train verses fathers-vulgate references -o verses.json`

    - `locisimiles search sermon.txt vulgate --set verse_weights=verses.json`: use the weights
    """
    from locisimiles.benchmark.sets.biblical import noted_verses
    from locisimiles.benchmark.sets.dataset import Benchmark
    from locisimiles.classify.ensemble import Ensemble
    from locisimiles.learn.verses import learn_verses
    from locisimiles.retrieve.combined.search import Combined

    check_output(output, overwrite=overwrite, suffixes=(".json",))
    with ProgressBar() as progress:
        training = Benchmark.load(folder)
        index = Combined(verses=False).index(training.source, progress=progress)
        weights = learn_verses(
            training, noted_verses(references), index, Ensemble(), progress=progress
        )
    weights.save(output)
    say(f"wrote {output}")
