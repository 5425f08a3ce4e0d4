"""The retriever of late interaction: each query piece is matched with its nearest source piece."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.checks import check_at_least, check_positive
from locisimiles.index import PreparedDocument
from locisimiles.late.first_stage import build_lists
from locisimiles.late.index import LateIndex
from locisimiles.late.index_encoder import IndexEncoder
from locisimiles.late.pieces import PieceEncoder, PieceWeights
from locisimiles.late.scoring import Scoring
from locisimiles.late.stored import StoredLists, StoredPieces, enough_probes, stored_weights
from locisimiles.models.embedding_cache import EmbeddingCache, default_cache_folder
from locisimiles.models.loading import choose_piecewise_encoder
from locisimiles.parameters import Parameters
from locisimiles.progress import silent

if TYPE_CHECKING:
    from collections.abc import Mapping
    from os import PathLike

    from locisimiles.corpus import Document
    from locisimiles.index.vectors import StoredVectors
    from locisimiles.models.encoders import PiecewiseEncoder
    from locisimiles.progress import Progress

__all__ = ["Late"]


@dataclass(frozen=True, slots=True)
class Late(Parameters):
    r"""Rank source segments by words that match neighbouring words of the query in context.

    Words are compared piece by piece: stems and endings, as the encoder's vocabulary cuts them. A
    piece of the query contributes by its nearest piece in the source,

    .. math:: c_i = \omega_i \max_j \max(\cos(i, j), 0)^p

    where :math:`\omega` is its rarity in the source, and the score is that of the best window of
    `window` pieces, :math:`\max_a \sum_{i=a}^{a+w-1} c_i / w`, which finds a short echo in a long
    sentence. Vectors depend on context; words without a common lemma can match.

    Parameters
    ----------
    model
        ``latin`` (which comes with the package), a folder, or any `PiecewiseEncoder`.
    window, power
        The width of the window (w), and the exponent that prefers one close match to several loose
        ones (p).
    narrow, wide, answer
        For the views of a pair (`LateIndex.score`): the widths of a narrower and a wider window,
        and the number of neighbouring source pieces among which matches count as close together.
    depth
        The number of sources that the first stage passes on to exact scoring.
    lists, probes
        The number of inverted lists of the first stage (by default one per 1,024 pieces), and how
        many of them a query piece probes.
    exact
        Score every source exactly, without a first stage: slow.
    cache
        The folder that caches vectors; None disables the cache.

    Examples
    --------
    >>> Late("models/mine", window=6, cache=None).exact
    False
    """

    model: str | PathLike[str] | PiecewiseEncoder = "latin"
    window: int = 5
    power: float = 3.0
    narrow: int = 3
    wide: int = 8
    answer: int = 10
    depth: int = 2500
    lists: int | None = None
    probes: int = 16
    exact: bool = False
    cache: str | PathLike[str] | None = field(default_factory=default_cache_folder)

    def __post_init__(self) -> None:
        check_at_least(
            1,
            window=self.window,
            narrow=self.narrow,
            wide=self.wide,
            answer=self.answer,
            depth=self.depth,
            lists=self.lists,
            probes=self.probes,
        )
        check_positive(power=self.power)

    def parameters(self) -> Mapping[str, object]:
        """Return the parameters, for the manifest of a run."""
        first_stage = {"depth": self.depth, "lists": self.lists, "probes": self.probes}
        return {
            "name": "late",
            **self.encoder().describe(),
            "window": self.window,
            "power": self.power,
            "narrow": self.narrow,
            "wide": self.wide,
            "answer": self.answer,
            "exact": self.exact,
            **({} if self.exact else first_stage),
        }

    def encoder(self) -> PiecewiseEncoder:
        """Return the encoder, loading it on first use.

        Raises
        ------
        ParameterError
            If it has no vectors for pieces of words.
        """
        return choose_piecewise_encoder(self.model)

    def index(self, source: Document, *, progress: Progress = silent) -> LateIndex:
        """Prepare source segments for searching; prepared texts keep it."""
        texts = PreparedDocument.of(source)
        stage = None if self.exact else (self.depth, self.lists, self.probes)
        index = texts.derive((*self._key(), stage), lambda: self._build(texts, progress))
        texts.derive(self._key(), lambda: index)
        return index

    def prepared_index(self, source: PreparedDocument) -> LateIndex | None:
        """Return an index of prepared texts that scores pairs as `index` does, if there is one."""
        found = source.derived(self._key(), LateIndex)
        if found is None and self._vectors_of(source) is not None:
            return self.index(source)
        return found

    def finds_vectors(self, source: PreparedDocument) -> bool:
        """Tell whether a source on disk has the vectors of this encoder."""
        return self._vectors_of(source) is not None

    def _build(self, texts: PreparedDocument, progress: Progress) -> LateIndex:
        stored = self._vectors_of(texts)
        if stored is not None:
            return self._opened(texts, stored)
        encoder = self._piece_encoder()
        encoded = encoder.encode_prepared(texts, progress, "source")
        pieces = encoded.pieces
        copies = Counter(texts.texts)
        weights = PieceWeights.of_texts(
            pieces.piece, pieces.bounds, [copies[text] for text in encoded.rows]
        )
        pieces = pieces.weighted(weights)
        lists = None
        if not self.exact:
            lists = build_lists(
                pieces,
                lists=self.lists,
                probes=self.probes,
                cache=encoder.cache,
                settings=encoder.encoder.describe(),
                texts=list(encoded.rows),
            )
        return LateIndex(
            encoder=encoder,
            weights=weights,
            scoring=self._scoring(),
            depth=self.depth,
            pieces=pieces,
            lists=lists,
            row_of_source=np.array([encoded.rows[text] for text in texts.texts], np.int64),
            ties=texts.ties,
        )

    def _vectors_of(self, texts: PreparedDocument) -> StoredVectors | None:
        """Return the vectors of an index on disk if they are those of this encoder."""
        stored = texts.vectors()
        if stored is None or self.lists is not None:
            return None
        own = json.dumps(IndexEncoder(self.encoder()).describe(), sort_keys=True)
        return stored if own == json.dumps(dict(stored.encoder), sort_keys=True) else None

    def _opened(self, texts: PreparedDocument, stored: StoredVectors) -> LateIndex:
        """Return an index whose vectors stay on the disk."""
        weights = stored_weights(stored)
        pieces = StoredPieces(stored.parts, stored.part_begins, weights)
        centres = IndexEncoder(self.encoder()).centres
        probes = enough_probes(self.probes, len(centres), pieces.total)
        lists = None
        if not self.exact and probes < len(centres):
            lists = StoredLists(stored, pieces, centres, probes)
        return LateIndex(
            encoder=self._piece_encoder(),
            weights=weights,
            scoring=self._scoring(),
            depth=self.depth,
            pieces=pieces,
            lists=lists,
            row_of_source=np.arange(len(texts)),
            ties=texts.ties,
        )

    def _key(self) -> tuple[object, ...]:
        return "late", self._piece_encoder().key, tuple(asdict(self._scoring()).items())

    def _piece_encoder(self) -> PieceEncoder:
        return PieceEncoder(self.encoder(), EmbeddingCache(self.cache))

    def _scoring(self) -> Scoring:
        return Scoring(self.window, self.narrow, self.wide, self.answer, self.power)
