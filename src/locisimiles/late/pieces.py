"""Texts as pieces of words: a vector in bytes, a weight and a span for each piece, as columns."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from locisimiles.errors import ParameterError
from locisimiles.models.batches import distinct_texts, ranges

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from locisimiles.index import PreparedDocument
    from locisimiles.models.embedding_cache import Arrays, EmbeddingCache
    from locisimiles.models.encoders import PiecewiseEncoder
    from locisimiles.progress import Progress

__all__ = ["STEPS", "EncodedTexts", "PieceEncoder", "PieceWeights", "Pieces"]

STEPS = 127
"""Vectors are kept as whole numbers, in steps of 1/127."""
_TEXTS_PER_BLOCK = 1024
# The least weight of a piece: one that every source has still counts a little, or nothing could be
# found in a single source.
_LEAST_WEIGHT = 0.01


@dataclass(frozen=True, slots=True, eq=False)
class Pieces:
    """The pieces of many texts.

    Products of vectors are whole numbers below 2²⁴, which float32 holds exactly: so no score
    depends on which texts were multiplied together.

    Attributes
    ----------
    vectors
        A row per piece, in steps of 1/127.
    weight
        The weight of each piece.
    start, end
        The span of the word that each piece is part of.
    bounds
        Text ``i`` has the pieces from ``bounds[i]`` to ``bounds[i + 1]``.
    piece
        The id of each piece in the encoder's vocabulary.
    """

    vectors: NDArray[np.int8]
    weight: NDArray[np.float32]
    start: NDArray[np.int32]
    end: NDArray[np.int32]
    bounds: NDArray[np.int64]
    piece: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.bounds) - 1

    @property
    def lengths(self) -> NDArray[np.int64]:
        """The number of pieces of each text."""
        return np.diff(self.bounds)

    @property
    def nbytes(self) -> int:
        """The memory they take, in bytes."""
        columns = self.vectors, self.weight, self.start, self.end, self.bounds, self.piece
        return sum(column.nbytes for column in columns)

    def lengths_of(self, texts: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the number of pieces of some texts."""
        return self.bounds[texts + 1] - self.bounds[texts]

    def rows_of(self, texts: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the rows of the pieces of some texts, one text after the other."""
        return ranges(self.bounds[texts], self.lengths_of(texts))

    def picked(
        self, texts: NDArray[np.int64], *, weigh: bool = True
    ) -> tuple[Pieces, NDArray[np.int64]]:
        """Return pieces that include those of some texts, and the numbers of these texts there."""
        del weigh  # they have weights in any case
        return self, texts

    def of(self, text: int) -> Pieces:
        """Return the pieces of one text."""
        rows = slice(int(self.bounds[text]), int(self.bounds[text + 1]))
        bounds = np.array([0, rows.stop - rows.start], np.int64)
        columns = self.weight[rows], self.start[rows], self.end[rows]
        return Pieces(self.vectors[rows], *columns, bounds, self.piece[rows])

    def weighted(self, weights: PieceWeights) -> Pieces:
        """Return the same pieces with other weights."""
        return replace(self, weight=weights.of(self.piece))


class PieceWeights:
    r"""The weights of pieces: the rarer a piece is in the source, the more it weighs.

    .. math:: \omega = \log \frac{N + 1}{n + 1}

    where :math:`n` of :math:`N` segments have the piece. `counts` holds :math:`n` by the piece's id
    in the vocabulary; pieces beyond its end occur in no segment.

    Examples
    --------
    >>> weights = PieceWeights(np.array([0, 0, 3, 1]), 3)
    >>> [round(weight, 3) for weight in weights.of(np.array([3, 2, 9])).tolist()]
    [0.693, 0.01, 1.386]
    """

    def __init__(self, counts: NDArray[np.integer[Any]], segments: int) -> None:
        self.counts = counts
        self.segments = segments
        # The last entry serves all pieces that no source has.
        rarity = np.log((segments + 1) / (np.append(counts, 0) + 1))
        self._weights = np.maximum(rarity, _LEAST_WEIGHT).astype(np.float32)

    @classmethod
    def of_texts(
        cls, piece: NDArray[np.int32], bounds: NDArray[np.int64], copies: Sequence[int]
    ) -> PieceWeights:
        """Count the pieces of distinct texts, each of which `copies` segments have.

        Examples
        --------
        >>> weights = PieceWeights.of_texts(np.array([5, 7, 5]), np.array([0, 2, 3]), [1, 2])
        >>> weights.counts.tolist(), weights.segments
        ([0, 0, 0, 0, 0, 3, 0, 1], 3)
        """
        text = np.repeat(np.arange(len(bounds) - 1), np.diff(bounds))
        size = int(piece.max(initial=-1)) + 1
        # A piece counts once per text.
        pairs = np.unique(text * max(size, 1) + piece)
        times = np.asarray(copies, np.int64)
        counts = np.bincount(pairs % max(size, 1), times[pairs // max(size, 1)], minlength=size)
        return cls(counts.astype(np.int64), int(times.sum()))

    def of(self, piece: NDArray[np.int32]) -> NDArray[np.float32]:
        """Return the weights of pieces."""
        return self._weights[np.minimum(piece, len(self._weights) - 1)]


@dataclass(frozen=True, slots=True, eq=False)
class EncodedTexts:
    """The pieces of distinct texts, unweighted, and the row of each text."""

    rows: Mapping[str, int]
    pieces: Pieces


@dataclass(frozen=True, slots=True)
class PieceEncoder:
    """Encodes texts piece by piece; vectors are cached on disk."""

    encoder: PiecewiseEncoder
    cache: EmbeddingCache

    @property
    def key(self) -> str:
        """All that the vectors depend on besides the texts."""
        return json.dumps(dict(self.encoder.describe()), sort_keys=True)

    def known(self, texts: PreparedDocument) -> EncodedTexts | None:
        """Return the pieces of prepared texts if they are encoded already."""
        return texts.derived(("pieces", self.key), EncodedTexts)

    def encode_prepared(
        self, texts: PreparedDocument, progress: Progress, kind: str
    ) -> EncodedTexts:
        """Return the pieces of prepared texts, encoding them if that is not done yet."""
        return texts.derive(
            ("pieces", self.key), lambda: self.encode_distinct(texts.texts, progress, kind)
        )

    def encode_distinct(self, texts: Sequence[str], progress: Progress, kind: str) -> EncodedTexts:
        """Return the pieces of the distinct texts among some; see `distinct_texts`."""
        distinct, _ = distinct_texts(texts)
        rows = {text: row for row, text in enumerate(distinct)}
        return EncodedTexts(rows, self.encode(distinct, progress, kind))

    def encode(self, texts: Sequence[str], progress: Progress, kind: str) -> Pieces:
        """Return the pieces of texts, without weights; see `Pieces.weighted`."""
        settings = {"what": "pieces in steps", **self.encoder.describe()}
        report = partial(progress, f"encoding {kind}")
        parts = [*self.cache.blocks(settings, texts, _TEXTS_PER_BLOCK, self._compute, report)]
        lengths = [np.diff(part["bounds"].astype(np.int64)) for part in parts]
        total = sum(len(part["piece"]) for part in parts)
        # One allocation for all vectors: concatenating parts would need the memory twice.
        vectors = np.empty((total, self.encoder.piece_dimensions), np.int8)
        done = 0
        for part in parts:
            rows = part.pop("vectors")
            vectors[done : done + len(rows)] = rows
            done += len(rows)
        empty = np.empty(0, np.int32)
        return Pieces(
            vectors,
            weight=np.zeros(total, np.float32),
            start=np.concatenate([empty, *(part["start"] for part in parts)]),
            end=np.concatenate([empty, *(part["end"] for part in parts)]),
            bounds=np.concatenate([[0], *lengths]).cumsum().astype(np.int64),
            piece=np.concatenate([empty, *(part["piece"] for part in parts)]),
        )

    def _compute(self, texts: Sequence[str]) -> Arrays:
        tokens = self.encoder.encode_pieces(texts)
        expected = len(texts) + 1, len(tokens.start), self.encoder.piece_dimensions
        if (len(tokens.bounds), *tokens.vectors.shape) != expected:
            raise ParameterError(
                "late.wrong_shape",
                shape=str(tokens.vectors.shape),
                pieces=len(tokens.start),
                texts=len(texts),
            )
        return {
            "vectors": np.rint(np.clip(tokens.vectors, -1, 1) * STEPS).astype(np.int8),
            "start": tokens.start.astype(np.int32),
            "end": tokens.end.astype(np.int32),
            "bounds": tokens.bounds.astype(np.int64),
            "piece": tokens.piece.astype(np.int32),
        }
