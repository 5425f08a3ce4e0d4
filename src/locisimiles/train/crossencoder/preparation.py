"""Write everything that a training of cross-encoders needs into one file."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from locisimiles.errors import ParameterError
from locisimiles.files.arrays import save_arrays
from locisimiles.models.pair_pieces import OUR_TEMPLATE, read_text_pieces
from locisimiles.models.pieces import PieceTokenizer
from locisimiles.train.common.folds import references_without, sample_fold
from locisimiles.train.crossencoder.base_encoder import base_config, load_base
from locisimiles.train.crossencoder.sampling import LabelledPairs
from locisimiles.train.encoder.folder import VOCABULARY, read_vocabulary

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from numpy.typing import NDArray

    from locisimiles.benchmark.sets.dataset import Benchmark
    from locisimiles.candidates import Candidates
    from locisimiles.train.crossencoder.sampling import SyntheticPairs
    from locisimiles.train.crossencoder.settings import CrossEncoderSettings

    Columns = dict[str, NDArray[Any]]

__all__ = ["fold_pairs", "prepare_job"]

_EFFORT = 3


def fold_pairs(
    benchmark: Benchmark,
    fold: int | None,
    settings: CrossEncoderSettings,
    similar: Candidates | None = None,
) -> LabelledPairs:
    """Draw pairs to train on where a fold is held out; references keep their labels.

    Parameters are those of `locisimiles.train.common.folds.sample_fold`.
    """
    pairs = sample_fold(benchmark, fold, settings, similar)
    references = references_without(benchmark, fold)
    label = np.zeros(len(pairs), np.uint8)
    label[: len(references)] = references.label  # which come first
    return LabelledPairs(pairs.query, pairs.source, label)


def prepare_job(
    path: Path,
    benchmark: Benchmark,
    encoder: Path,
    settings: CrossEncoderSettings,
    *,
    train: Mapping[int, LabelledPairs],
    score: Mapping[int, tuple[NDArray[np.int32], NDArray[np.int32]]],
    synthetic: SyntheticPairs | None = None,
    weights: Path | None = None,
    with_weights: bool = True,
) -> None:
    """Write a job file: the texts of the pairs as word pieces, pairs, settings, base encoder.

    Parameters
    ----------
    path, settings
        The file, a ``.npz``; and how to train.
    benchmark, train, score
        The segments; and by fold, the pairs to train on and those to predict, as positions in the
        benchmark. `fold_pairs` draws pairs to train on.
    encoder, weights
        The folder of the base encoder, as for `load_base`, with ``tokenizer.json``; and other
        weights than those in it, such as ``late.safetensors``.
    synthetic
        Synthetic pairs to train on first.
    with_weights
        Whether to include the encoder's weights; without them, the job needs its folder.

    Raises
    ------
    InputError, OutputError, ParameterError
        If the encoder cannot be read, the file not written, or a pair points beyond the segments.
    """
    config = base_config(encoder)
    tokenizer = PieceTokenizer(read_vocabulary(encoder / VOCABULARY, config.vocabulary))
    longest = OUR_TEMPLATE.half(settings.budget)
    columns: Columns = {}
    nothing = np.empty(0, np.int32)
    for fold, pairs in train.items():
        query, source = score.get(fold, (nothing, nothing))
        columns |= _pair_columns(f"train{fold}", pairs)
        columns |= {f"score{fold}_query": query, f"score{fold}_source": source}
    for side, texts in (("query", benchmark.query.texts), ("source", benchmark.source.texts)):
        used = _renumber(columns, side, len(texts))
        pieces = read_text_pieces(tokenizer, [texts[row] for row in used.tolist()], longest)
        columns |= pieces.arrays(f"text_{side[0]}")
    if synthetic is not None:
        first = _pair_columns("synthetic", synthetic.pairs)
        for side, pieces in (("query", synthetic.query), ("source", synthetic.source)):
            used = _renumber(first, side, len(pieces))
            columns |= pieces.select(used, longest).arrays(f"synthetic_text_{side[0]}")
        columns |= first
    if with_weights:
        network = load_base(encoder, settings.layers, weights=weights)
        for name, tensor in network.state_dict().items():
            columns[f"weights.encoder.{name}"] = tensor.half().numpy()
    about = {
        "settings": asdict(settings),
        "folds": sorted(train),
        "network": config.as_dict(),
    }
    columns["about"] = np.frombuffer(json.dumps(about).encode(), np.uint8)
    save_arrays(path, columns, effort=_EFFORT)


def _pair_columns(name: str, pairs: LabelledPairs) -> Columns:
    return {f"{name}_{column}": getattr(pairs, column) for column in pairs.__slots__}


def _renumber(columns: Columns, side: str, texts: int) -> NDArray[np.int64]:
    """Renumber the texts of a side without gaps, in place; return those that pairs use."""
    names = [name for name in columns if name.endswith(f"_{side}")]
    used = np.unique(np.concatenate([np.empty(0, np.int64), *(columns[name] for name in names)]))
    if len(used) and not 0 <= used[0] <= used[-1] < texts:
        raise ParameterError("train.pair_beyond_segments", count=texts, side=side)
    for name in names:
        columns[name] = np.searchsorted(used, columns[name]).astype(np.int32)
    return used
