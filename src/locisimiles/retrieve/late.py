"""Late interaction: pieces of a query's words look for the nearest in each source, in context."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

import numpy as np

from locisimiles.errors import ParameterError
from locisimiles.models.embedding_cache import EmbeddingCache, default_cache_folder
from locisimiles.models.loading import choose_piecewise_encoder
from locisimiles.progress import silent
from locisimiles.retrieve.candidates import tie_break
from locisimiles.retrieve.late_first_stage import FirstStage
from locisimiles.retrieve.late_index import LateIndex, length_first
from locisimiles.retrieve.late_scoring import Scoring
from locisimiles.retrieve.late_words import PieceWeights, WordReader

if TYPE_CHECKING:
    from collections.abc import Mapping
    from os import PathLike

    from locisimiles.corpus import Document
    from locisimiles.models.encoders import PiecewiseEncoder
    from locisimiles.progress import Progress
    from locisimiles.retrieve.late_first_stage import WordLists

__all__ = ["Late", "LateIndex"]

# Search and classification look at the same vectors; who comes second need not make them again.
_ALIVE: WeakValueDictionary[tuple[str, str], LateIndex] = WeakValueDictionary()


@dataclass(frozen=True, slots=True)
class Late:
    r"""Rank source segments by the words in them that answer neighbouring words of the query.

    Words are compared piece by piece: stems and endings, as the encoder cuts them. A piece of the
    query contributes what its nearest piece in the source is worth,

    .. math:: c_i = \omega_i \max_j \max(\cos(i, j), 0)^p

    where :math:`\omega` is its rarity in the source, and the best window of `window`
    pieces counts: :math:`\max_a \sum_{i=a}^{a+w-1} c_i / w`. So a short cue in a long sentence is
    found. Vectors know the context; words without a common lemma can answer each other.

    Parameters
    ----------
    model
        ``latin`` (which comes with the package), a folder, or any `PiecewiseEncoder`.
    window, power
        The width of the window (w), and how much one near piece is preferred to several that are
        less so (p).
    narrow, wide, answer
        For views of pairs (`LateIndex.score`): the widths of a narrower and of a wider window, and
        among how many neighbouring pieces of the source answers must lie to be close together.
    depth
        How many sources of the first stage are scored exactly.
    lists, probes
        How many lists of pieces the first stage has (by default one for 1,024 pieces), and how
        many of them a piece looks at.
    exact
        Score every source exactly, without a first stage: slow.
    cache
        A folder in which vectors are kept; None keeps none.

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
        for name in ("window", "narrow", "wide", "answer", "depth"):
            if getattr(self, name) < 1:
                raise ParameterError(
                    f"{name}={getattr(self, name)} leaves nothing to look at", hint="1 is the least"
                )
        if not 0 < self.power < math.inf:
            raise ParameterError(f"power={self.power} is no positive number", hint="3 is usual")
        FirstStage(self.lists, self.probes)

    def parameters(self) -> Mapping[str, object]:
        """Return the parameters, for the manifest of a run."""
        return {
            "name": "late",
            **self.encoder().describe(),
            "window": self.window,
            "power": self.power,
            "narrow": self.narrow,
            "wide": self.wide,
            "answer": self.answer,
            "exact": self.exact,
            **({} if self.exact else self._first_stage_settings()),
        }

    def _scoring(self) -> Scoring:
        return Scoring(
            window=self.window,
            narrow=self.narrow,
            wide=self.wide,
            answer=self.answer,
            power=self.power,
        )

    def _first_stage_settings(self) -> dict[str, object]:
        return {"depth": self.depth, "lists": self.lists, "probes": self.probes}

    def encoder(self) -> PiecewiseEncoder:
        """Return the encoder, loading it if it was not yet.

        Raises
        ------
        ParameterError
            If it has no vectors for pieces of words.
        """
        chosen = choose_piecewise_encoder(self.model)
        if not hasattr(chosen, "encode_pieces"):
            raise ParameterError(
                "this model gives no vectors for late interaction",
                hint="use one that was trained for it; dense takes any encoder",
            )
        return chosen

    def index(self, source: Document, *, progress: Progress = silent) -> LateIndex:
        """Prepare source segments for searching."""
        cache = EmbeddingCache(Path(self.cache) if self.cache is not None else None)
        reader = WordReader(self.encoder(), cache)
        # Distinct texts in one order: neither the order of the source nor a duplicate in it
        # changes a single bit of what is computed.
        copies = Counter(source.texts)
        texts = sorted(copies, key=length_first)
        words = reader.read(texts, progress, "source")
        weights = PieceWeights.of_texts(words.piece, words.bounds, [copies[text] for text in texts])
        words = words.weighted(weights)
        lists: WordLists | None = None
        if not self.exact:
            made_of = reader.encoder.describe()
            lists = FirstStage(self.lists, self.probes).build(words, cache, made_of, texts)
        rows = {text: row for row, text in enumerate(texts)}
        index = LateIndex(
            reader,
            weights,
            scoring=self._scoring(),
            depth=self.depth,
            words=words,
            lists=lists,
            row_of_source=np.array([rows[text] for text in source.texts], np.int64),
            places=tie_break(source.ids),
        )
        _ALIVE[self._state(source)] = index
        return index

    def alive(self, source: Document) -> LateIndex | None:
        """Return an index of the same segments that is still in use somewhere, if there is one.

        It gives pairs the same scores as `index` would.
        """
        return _ALIVE.get(self._state(source))

    def _state(self, source: Document) -> tuple[str, str]:
        return source.fingerprint(), repr((dict(self.encoder().describe()), self._scoring()))
