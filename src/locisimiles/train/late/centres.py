"""Frozen centres for the lists of late interaction, found once for all texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from locisimiles.errors import EmptyInputError
from locisimiles.late.pieces import STEPS
from locisimiles.models.clustering import spherical_centres
from locisimiles.progress import silent
from locisimiles.train.common.corpora import read_sentences

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from locisimiles.models.encoders import PiecewiseEncoder
    from locisimiles.progress import Progress

__all__ = ["find_centres"]

_SHORTEST, _LONGEST = 20, 400  # characters of a sentence


def find_centres(
    encoder: PiecewiseEncoder,
    corpora: Sequence[Path],
    *,
    count: int = 2048,
    sentences: int = 10_000,
    seed: int = 0,
    progress: Progress = silent,
) -> NDArray[np.int8]:
    """Return the centres of spherical k-means over the pieces of sentences, in steps of 1/127.

    Equally many sentences are drawn from each corpus.
    """
    random = np.random.default_rng(seed)
    drawn: list[str] = []
    for done, path in enumerate(corpora):
        progress("reading", done, len(corpora))
        usable = sorted(
            {
                sentence
                for batch in read_sentences(path)
                for sentence in batch
                if _SHORTEST <= len(sentence) <= _LONGEST
            }
        )
        own = random.permutation(len(usable))[: -(-sentences // len(corpora))]
        drawn += [usable[row] for row in own.tolist()]
    vectors = np.rint(encoder.encode_pieces(drawn, progress=progress).vectors * STEPS)
    if not len(vectors):
        raise EmptyInputError("train.empty_corpus", file=str(corpora[0]))
    count = min(count, len(vectors))
    centres = spherical_centres(vectors.astype(np.int8), count, random)
    return np.rint(centres * STEPS).astype(np.int8)
