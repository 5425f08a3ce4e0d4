"""What trained networks think of pairs, for a smaller one to learn from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import torch

from locisimiles.models.pair_pieces import CLASSES
from locisimiles.progress import silent
from locisimiles.train.crossencoder.network import load_cross_encoder
from locisimiles.train.crossencoder.training import predict

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from locisimiles.models.pair_pieces import PairTexts
    from locisimiles.progress import Progress
    from locisimiles.train.crossencoder.sampling import LabelledPairs
    from locisimiles.train.encoder.folder import EncoderConfig

__all__ = ["taught_chances"]


def taught_chances(
    teachers: Sequence[Path],
    config: EncoderConfig,
    texts: PairTexts,
    pairs: LabelledPairs,
    *,
    device: str = "cpu",
    progress: Progress = silent,
) -> NDArray[np.float32]:
    """Return the mean of the probabilities that networks give pairs, a row per pair.

    `teachers` are files of weights; `config` has the sizes of the encoder they began with.
    """
    chances = np.zeros((len(pairs), CLASSES), np.float32)
    for weights in teachers:
        network = load_cross_encoder(weights, config)
        logits = predict(
            network, texts, pairs.query, pairs.source, device=device, progress=progress
        )
        chances += torch.from_numpy(logits).softmax(dim=1).numpy() / len(teachers)
    return chances
