"""Write all that a training of cross-encoders needs into one file."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np

from locisimiles.arrays import save_arrays
from locisimiles.errors import ParameterError
from locisimiles.models.pair_pieces import OUR_TEMPLATE, read_text_pieces
from locisimiles.models.pieces import PieceReader
from locisimiles.train.crossencoder.sampling import LabelledPairs, sample_labelled_pairs
from locisimiles.train.encoder.vocabulary import read_vocabulary
from locisimiles.train.late.network import load_pretrained, read_config

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from numpy.typing import NDArray

    from locisimiles.benchmark.sets.dataset import Benchmark
    from locisimiles.retrieve import Candidates
    from locisimiles.train.crossencoder.made import MadePairs
    from locisimiles.train.crossencoder.settings import CrossEncoderSettings

__all__ = ["ALL_REFERENCES", "fold_pairs", "prepare_job"]

ALL_REFERENCES = -1
"""In place of the number of a fold: nothing is held out."""
_EFFORT = 3


def fold_pairs(
    benchmark: Benchmark,
    fold: int,
    settings: CrossEncoderSettings,
    similar: Candidates | None = None,
) -> LabelledPairs:
    """Draw what is trained on where a fold is held out.

    Parameters
    ----------
    benchmark
        Whose references, and whose segments.
    fold
        The fold whose queries are not seen, or `ALL_REFERENCES`.
    settings
        Strategy, ratio and seed.
    similar
        What a retriever finds for the queries; for ``qry,sim`` and ``qry,mix``.
    """
    references = benchmark.references
    held_out = (
        np.zeros(len(references), np.bool_) if fold == ALL_REFERENCES else references.fold == fold
    )
    unseen = references.query[held_out]
    return sample_labelled_pairs(
        references.select(~held_out),
        queries=np.setdiff1d(np.arange(len(benchmark.query)), unseen).astype(np.int32),
        sources=len(benchmark.source),
        strategy=settings.strategy,
        ratio=settings.ratio,
        seed=settings.seed,
        similar=similar,
    )


def prepare_job(
    path: Path,
    benchmark: Benchmark,
    encoder: Path,
    settings: CrossEncoderSettings,
    *,
    train: Mapping[int, LabelledPairs],
    score: Mapping[int, tuple[NDArray[np.int32], NDArray[np.int32]]],
    made: MadePairs | None = None,
    weights: Path | None = None,
    with_weights: bool = True,
) -> None:
    """Write a job: texts as word pieces, pairs, settings, and the encoder to begin with.

    Only texts that a pair needs are written.

    Parameters
    ----------
    path
        The file to write, a ``.npz``.
    benchmark
        Whose segments the pairs are.
    encoder
        The folder of the pretrained encoder: ``config.json``, ``encoder.safetensors`` and
        ``tokenizer.json``.
    settings
        How it is trained.
    train
        By fold, what is trained on, as positions in the benchmark; `fold_pairs` draws it.
    score
        By fold, pairs to ask about, as positions in the benchmark.
    made
        Made pairs to begin with.
    weights
        Other weights than those in the folder, such as ``late.safetensors``.
    with_weights
        Whether the encoder is written into the file; if not, the job needs its folder.

    Raises
    ------
    InputError
        If the encoder cannot be read.
    OutputError
        If the file cannot be written.
    ParameterError
        If a pair points beyond the segments.
    """
    config = read_config(encoder / "config.json")
    reader = PieceReader(read_vocabulary(encoder / "tokenizer.json", config.vocabulary))
    half = OUR_TEMPLATE.half(settings.budget)
    folds = sorted(train)
    columns: dict[str, NDArray[Any]] = {}
    for fold in folds:
        columns |= _pair_columns(f"train{fold}", train[fold])
        query, source = score.get(fold, (np.empty(0, np.int32), np.empty(0, np.int32)))
        columns |= {f"score{fold}_query": query, f"score{fold}_source": source}
    for side, texts, name in (
        ("query", benchmark.query.texts, "text_q"),
        ("source", benchmark.source.texts, "text_s"),
    ):
        used = _used(columns, side, len(texts))
        pieces = read_text_pieces(reader, [texts[row] for row in used.tolist()], half)
        columns |= _renumbered(columns, side, used)
        columns |= pieces.arrays(name)
    if made is not None:
        columns |= _pair_columns("made", made.pairs)
        for side, own, name in (
            ("query", made.query, "made_text_q"),
            ("source", made.source, "made_text_s"),
        ):
            used = _used({f"made_{side}": columns[f"made_{side}"]}, side, len(own))
            columns |= _renumbered({f"made_{side}": columns[f"made_{side}"]}, side, used)
            columns |= own.select(used, half).arrays(name)
    if with_weights:
        columns |= _weights(encoder, settings, weights)
    about = {"settings": settings.as_dict(), "folds": folds, "network": config.as_dict()}
    columns["about"] = np.frombuffer(json.dumps(about).encode(), np.uint8)
    save_arrays(path, columns, effort=_EFFORT)


def _pair_columns(name: str, pairs: LabelledPairs) -> dict[str, NDArray[Any]]:
    return {f"{name}_{column}": getattr(pairs, column) for column in pairs.__slots__}


def _used(columns: Mapping[str, NDArray[Any]], side: str, texts: int) -> NDArray[np.int64]:
    """Return the texts of a side that a pair needs."""
    own = [array for name, array in columns.items() if name.endswith(f"_{side}")]
    used = np.unique(np.concatenate([np.empty(0, np.int64), *own]))
    if len(used) and not 0 <= used[0] <= used[-1] < texts:
        raise ParameterError(f"a pair points beyond the {texts} {side} segments")
    return used


def _renumbered(
    columns: Mapping[str, NDArray[Any]], side: str, used: NDArray[np.int64]
) -> dict[str, NDArray[Any]]:
    return {
        name: np.searchsorted(used, array).astype(np.int32)
        for name, array in columns.items()
        if name.endswith(f"_{side}")
    }


def _weights(
    encoder: Path, settings: CrossEncoderSettings, weights: Path | None
) -> dict[str, NDArray[Any]]:
    network = load_pretrained(encoder, settings.layers, weights=weights)
    return {
        f"weights.encoder.{name}": tensor.half().numpy()
        for name, tensor in network.state_dict().items()
    }
