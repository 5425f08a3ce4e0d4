"""Encodes the texts of an index on disk, and assigns their pieces to lists."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.files.hashing import sha256_of
from locisimiles.index.parts import EncodedPieces
from locisimiles.late.pieces import PieceEncoder
from locisimiles.models.clustering import nearest_centres
from locisimiles.models.embedding_cache import EmbeddingCache
from locisimiles.models.identity import model_sha256
from locisimiles.models.loading import choose_piecewise_encoder
from locisimiles.models.onnx_encoder import OnnxEncoder

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from os import PathLike

    from numpy.typing import NDArray

    from locisimiles.late.pieces import EncodedTexts
    from locisimiles.models.encoders import PiecewiseEncoder
    from locisimiles.progress import Progress

__all__ = ["IndexEncoder"]


class IndexEncoder:
    """Makes the vectors of an index; a `locisimiles.index.parts.PieceSource`.

    The centres of lists come with the encoder and never change, so the lists of a text do not
    depend on other texts. An encoder without centres has a single list: every search is exact.

    Parameters
    ----------
    model
        ``latin`` (which comes with the package), a folder, or any `PiecewiseEncoder`.

    Examples
    --------
    >>> IndexEncoder().centres.shape
    (2048, 128)
    """

    def __init__(self, model: str | PathLike[str] | PiecewiseEncoder = "latin") -> None:
        self.encoder = choose_piecewise_encoder(model)

    @cached_property
    def centres(self) -> NDArray[np.int8]:
        """The centres of the lists, in steps of 1/127."""
        frozen = self.encoder.centres if isinstance(self.encoder, OnnxEncoder) else None
        if frozen is None:
            return np.zeros((1, self.encoder.piece_dimensions), np.int8)
        return frozen

    def describe(self) -> Mapping[str, object]:
        """Return all that the pieces depend on besides the texts."""
        return {
            **self.encoder.describe(),
            "sha256": model_sha256(self.encoder),
            "centres_sha256": sha256_of(self.centres.tobytes()),
        }

    def encode(self, texts: Sequence[str], progress: Progress) -> EncodedPieces:
        """Return the pieces of texts."""
        return self.in_lists(texts, self._encoded(texts, progress))

    def _encoded(self, texts: Sequence[str], progress: Progress) -> EncodedTexts:
        # What is encoded is kept in the index.
        encoder = PieceEncoder(self.encoder, EmbeddingCache(None))
        return encoder.encode_distinct(texts, progress, "source")

    def in_lists(self, texts: Sequence[str], encoded: EncodedTexts) -> EncodedPieces:
        """Return the pieces of texts that are encoded, in the order of the texts."""
        pieces = encoded.pieces
        row = np.array([encoded.rows[text] for text in texts], np.int64)
        rows = pieces.rows_of(row)
        vectors = pieces.vectors[rows]
        lists = nearest_centres(vectors, self.centres.astype(np.float32))
        return EncodedPieces(
            vectors=vectors,
            piece=pieces.piece[rows],
            bounds=np.concatenate([[0], np.cumsum(pieces.lengths_of(row))]).astype(np.int64),
            list_of_piece=lists.astype(np.int32),
        )
