"""Texts as columns: a vector in bytes, a weight and a place for each piece of their words."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from locisimiles.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from locisimiles.models.embedding_cache import EmbeddingCache
    from locisimiles.models.encoders import PiecewiseEncoder
    from locisimiles.progress import Progress

__all__ = ["STEPS", "PieceWeights", "WordReader", "Words"]

STEPS = 127  # of a number between 0 and 1
_TEXTS_IN_A_FILE = 1024
# What a piece counts that every source has; otherwise nothing could be found in a single source.
_LEAST_WEIGHT = 0.01


@dataclass(frozen=True, slots=True, eq=False)
class Words:
    """The words of many texts, in the pieces that the encoder knows, as columns.

    Products of vectors are whole numbers below 2²⁴, which float32 holds exactly: so no score
    depends on which texts were multiplied together.

    Attributes
    ----------
    vectors
        A row a piece, in steps of 1/127.
    weight
        How much each piece counts.
    start, end
        Where the word it is a part of stands in its text.
    bounds
        The pieces of text ``i`` are those from ``bounds[i]`` to ``bounds[i + 1]``.
    piece
        The number of each piece in the encoder's vocabulary.
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
        """How many pieces each text has."""
        return np.diff(self.bounds)

    @property
    def nbytes(self) -> int:
        """How many bytes of memory they take."""
        columns = self.vectors, self.weight, self.start, self.end, self.bounds, self.piece
        return sum(column.nbytes for column in columns)

    def lengths_of(self, texts: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return how many pieces some texts have."""
        return self.bounds[texts + 1] - self.bounds[texts]

    def rows_of(self, texts: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the rows of the pieces of some texts, one text after the other."""
        lengths = self.lengths_of(texts)
        before = np.cumsum(lengths) - lengths
        return np.repeat(self.bounds[texts] - before, lengths) + np.arange(lengths.sum())

    def of(self, text: int) -> Words:
        """Return the pieces of one text."""
        own = slice(int(self.bounds[text]), int(self.bounds[text + 1]))
        bounds = np.array([0, own.stop - own.start], np.int64)
        columns = self.weight[own], self.start[own], self.end[own]
        return Words(self.vectors[own], *columns, bounds, self.piece[own])

    def weighted(self, weights: PieceWeights) -> Words:
        """Return the same with what each piece counts."""
        return replace(self, weight=weights.of(self.piece))


class PieceWeights:
    r"""How much pieces of words count: the rarer they are in the source, the more.

    .. math:: \omega = \log \frac{N + 1}{n + 1}

    where :math:`n` of :math:`N` segments have the piece.

    Parameters
    ----------
    counts
        In how many segments each piece is, by its number; pieces that no segment has may be left
        out at the end.
    segments
        How many segments there are.

    Examples
    --------
    >>> weights = PieceWeights(np.array([0, 0, 3, 1]), 3)
    >>> [round(weight, 3) for weight in weights.of(np.array([3, 2, 9])).tolist()]
    [0.693, 0.01, 1.386]
    """

    def __init__(self, counts: NDArray[np.integer[Any]], segments: int) -> None:
        self.counts = counts
        self.segments = segments
        # One more for all pieces that no source has.
        rarity = np.log((segments + 1) / (np.append(counts, 0) + 1))
        self._weights = np.maximum(rarity, _LEAST_WEIGHT).astype(np.float32)

    @classmethod
    def of_texts(
        cls, piece: NDArray[np.int32], bounds: NDArray[np.int64], copies: Sequence[int]
    ) -> PieceWeights:
        """Count pieces.

        Parameters
        ----------
        piece, bounds
            The pieces of distinct source texts; those of text ``i`` are from ``bounds[i]`` on.
        copies
            How many segments have each text.

        Examples
        --------
        >>> weights = PieceWeights.of_texts(np.array([5, 7, 5]), np.array([0, 2, 3]), [1, 2])
        >>> weights.counts.tolist(), weights.segments
        ([0, 0, 0, 0, 0, 3, 0, 1], 3)
        """
        text = np.repeat(np.arange(len(bounds) - 1), np.diff(bounds))
        size = int(piece.max(initial=-1)) + 1
        # A piece counts once in a text.
        pairs = np.unique(text * max(size, 1) + piece)
        times = np.asarray(copies, np.int64)
        found = np.bincount(pairs % max(size, 1), times[pairs // max(size, 1)], minlength=size)
        return cls(found.astype(np.int64), int(times.sum()))

    def of(self, piece: NDArray[np.int32]) -> NDArray[np.float32]:
        """Return how much pieces count."""
        return self._weights[np.minimum(piece, len(self._weights) - 1)]


@dataclass(frozen=True, slots=True)
class WordReader:
    """Makes the pieces of texts, and remembers their vectors.

    Parameters
    ----------
    encoder
        Gives the vectors.
    cache
        Keeps them.
    """

    encoder: PiecewiseEncoder
    cache: EmbeddingCache

    def read(self, texts: Sequence[str], progress: Progress, what: str) -> Words:
        """Return the pieces of distinct texts, which should be in the order of their lengths.

        They count nothing yet; see `Words.weighted`.
        """
        parts: list[dict[str, NDArray[np.generic]]] = []
        made_by = {"what": "pieces in steps", **self.encoder.describe()}
        for begin in range(0, len(texts), _TEXTS_IN_A_FILE):
            progress(f"encoding {what}", begin, len(texts))
            own = texts[begin : begin + _TEXTS_IN_A_FILE]
            parts.append(self.cache.get(made_by, own, partial(self._compute, own)))
        progress(f"encoding {what}", len(texts), len(texts))
        lengths = [np.diff(part["bounds"].astype(np.int64)) for part in parts]
        total = sum(len(part["piece"]) for part in parts)
        # Room for all vectors is made once; joining parts would need it twice.
        vectors = np.empty((total, self.encoder.piece_dimensions), np.int8)
        done = 0
        for part in parts:
            rows = part.pop("vectors")
            vectors[done : done + len(rows)] = rows
            done += len(rows)
        nothing = np.empty(0, np.int32)
        return Words(
            vectors,
            weight=np.zeros(total, np.float32),
            start=np.concatenate([nothing, *(part["start"] for part in parts)]),
            end=np.concatenate([nothing, *(part["end"] for part in parts)]),
            bounds=np.concatenate([[0], *lengths]).cumsum().astype(np.int64),
            piece=np.concatenate([nothing, *(part["piece"] for part in parts)]),
        )

    def _compute(self, texts: Sequence[str]) -> dict[str, NDArray[np.generic]]:
        tokens = self.encoder.encode_pieces(texts)
        expected = len(texts) + 1, len(tokens.start), self.encoder.piece_dimensions
        if (len(tokens.bounds), *tokens.vectors.shape) != expected:
            raise ParameterError(
                f"the encoder gave {tokens.vectors.shape} numbers for {len(tokens.start)} pieces "
                f"of {len(texts)} texts",
                hint="it must return a row for each piece, and bounds for each text",
            )
        return {
            "vectors": np.rint(np.clip(tokens.vectors, -1, 1) * STEPS).astype(np.int8),
            "start": tokens.start.astype(np.int32),
            "end": tokens.end.astype(np.int32),
            "bounds": tokens.bounds.astype(np.int64),
            "piece": tokens.piece.astype(np.int32),
        }
