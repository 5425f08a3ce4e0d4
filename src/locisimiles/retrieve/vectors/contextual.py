"""Contextual words: each word of a query is matched with the nearest word of each source."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.candidates import Candidates, best, tie_order
from locisimiles.checks import check_at_least, check_positive
from locisimiles.index import PreparedDocument
from locisimiles.index.finding import best_of_texts, without
from locisimiles.models.batches import bounded_runs, distinct_texts
from locisimiles.models.embedding_cache import EmbeddingCache, default_cache_folder
from locisimiles.models.loading import choose_encoder
from locisimiles.parameters import Parameters
from locisimiles.progress import silent
from locisimiles.retrieve.vectors.contextual_words import ContextVectors, WordEncoder
from locisimiles.retrieve.vectors.nearest import queries_at_a_time
from locisimiles.retrieve.vectors.whitening import centring, whitening

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from os import PathLike

    from numpy.typing import NDArray

    from locisimiles.corpus import Document
    from locisimiles.models.encoders import TextEncoder
    from locisimiles.progress import Progress
    from locisimiles.retrieve.vectors.whitening import LinearMap

__all__ = ["Contextual", "ContextualIndex"]

_FITTED_ON = 2048  # texts
_QUERY_WORDS = 512  # compared at a time with the words of a few hundred sources


@dataclass(frozen=True, slots=True)
class Contextual(Parameters):
    r"""Rank source segments by the words that stand in them in a similar context.

    The vector of a word is the mean of its tokens, and a word of the query contributes the cosine
    of its nearest word in the source:

    .. math:: \frac{\sum_{w \in q} \omega_w \max_{v \in s} \max(\cos(w, v), 0)^p}
              {\sum_{w \in q} \omega_w}

    where :math:`\omega` is the rarity of the word's lemma; after Gong et al. (2025), who look for
    the nearest neighbours of single words.

    Parameters
    ----------
    model
        A folder, a name on the Hub, or any `TextEncoder`.
    layers
        The layers whose mean is a token's vector; -1 is the last.
    centre
        Subtract the mean of the source's words: vectors of one encoder have much in common.
    dimensions
        The number of directions of largest variance to keep (PCA), which saves memory and time;
        None keeps all. A word takes two bytes for each.
    power
        The exponent that prefers one near word to several less near ones (p).
    rarity
        Whether rare words count more; otherwise all count the same.
    stopwords
        Whether stop words count too.
    cache
        The folder that caches vectors; None disables the cache.
    revision, max_length, device
        Options of a model loaded by name.
    """

    model: str | PathLike[str] | TextEncoder
    layers: tuple[int, ...] = (-1,)
    centre: bool = True
    dimensions: int | None = None
    power: float = 1.0
    rarity: bool = True
    stopwords: bool = False
    cache: str | PathLike[str] | None = field(default_factory=default_cache_folder)
    revision: str | None = None
    max_length: int | None = None
    device: str = "auto"

    def __post_init__(self) -> None:
        check_positive(power=self.power)
        check_at_least(1, dimensions=self.dimensions)

    def parameters(self) -> Mapping[str, object]:
        """Return the parameters, for the manifest of a run."""
        return {
            "name": "contextual",
            **self.encoder().describe(),
            "centre": self.centre,
            "dimensions": self.dimensions,
            "power": self.power,
            "rarity": self.rarity,
            "stopwords": self.stopwords,
        }

    def encoder(self) -> TextEncoder:
        """Return the encoder, loading it on first use."""
        return choose_encoder(
            self.model,
            revision=self.revision,
            prompts="none",  # words have no prompts
            max_length=self.max_length,
            layers=self.layers,
            device=self.device,
        )

    def index(self, source: Document, *, progress: Progress = silent) -> ContextualIndex:
        """Prepare source segments for searching."""
        encoder = WordEncoder(
            self.encoder(), EmbeddingCache(self.cache), self.stopwords, self.rarity
        )
        texts, row_of_source = distinct_texts(source.texts)
        mapped = self._fit(encoder, texts)
        return ContextualIndex(
            encoder=encoder,
            mapped=mapped,
            blocks=list(encoder.blocks(texts, "source", mapped, progress)),
            texts=len(texts),
            row_of_source=row_of_source,
            ties=tie_order(source.ids),
            power=self.power,
        )

    def _fit(self, encoder: WordEncoder, texts: Sequence[str]) -> LinearMap:
        """Fit the map of all vectors on a sample of the source."""
        chosen = np.unique(np.linspace(0, len(texts) - 1, _FITTED_ON).round().astype(int))
        sample, _ = encoder.raw([texts[row] for row in chosen if texts], "source")
        if self.dimensions is not None:
            return whitening(sample, self.dimensions, scale=False)
        return centring(sample if self.centre else sample[:0])


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ContextualIndex:
    """Source segments as vectors of words, returned by `Contextual.index`.

    `blocks` hold the words of the distinct source texts; `row_of_source` and `ties` are the text
    and the place in the tie order of each segment.
    """

    encoder: WordEncoder
    mapped: LinearMap
    blocks: Sequence[ContextVectors]
    texts: int
    row_of_source: NDArray[np.int64]
    ties: NDArray[np.int64]
    power: float

    def search(self, queries: Document, k: int, *, progress: Progress = silent) -> Candidates:
        """Return the best `k` source segments for each query segment."""
        check_at_least(1, k=k)
        distinct, rows = distinct_texts(queries.texts)
        found = best_of_texts(
            PreparedDocument.of(queries),
            rows.tolist(),
            self._scored(distinct, progress),
            lambda scores, excluded: best(without(scores, excluded), k, self.ties),
        )
        return Candidates.join(found)

    def _scored(self, texts: Sequence[str], progress: Progress) -> Iterator[NDArray[np.float32]]:
        done = 0
        for block in self.encoder.blocks(texts, "query", self.mapped, silent):
            most = queries_at_a_time(self.texts)
            for run in bounded_runs(np.diff(block.bounds), _QUERY_WORDS, most):
                progress("searching", done, len(texts))
                for scores in self._scores(block, run.start, run.stop):
                    yield scores[self.row_of_source]
                done += run.stop - run.start
        progress("searching", len(texts), len(texts))

    def _scores(self, queries: ContextVectors, begin: int, end: int) -> NDArray[np.float32]:
        """Return the scores of some queries (rows) for all distinct source texts (columns)."""
        own = slice(int(queries.bounds[begin]), int(queries.bounds[end]))
        bounds = queries.bounds[begin : end + 1] - queries.bounds[begin]
        scores = np.zeros((end - begin, self.texts), np.float32)
        asking = np.flatnonzero(np.diff(bounds))
        if not len(asking):
            return scores
        words = queries.vectors[own].astype(np.float32)
        weight = queries.weight[own]
        total = np.add.reduceat(weight, bounds[asking])[:, None]
        column = 0
        for block in self.blocks:
            columns = column + np.flatnonzero(np.diff(block.bounds))
            column += len(block.bounds) - 1
            if len(columns):
                near = self._nearest(words, block) * weight[:, None]
                scores[np.ix_(asking, columns)] = np.add.reduceat(near, bounds[asking]) / total
        return scores

    def _nearest(self, words: NDArray[np.float32], block: ContextVectors) -> NDArray[np.float32]:
        """Return for each word the score of its nearest word in each source that has words."""
        begins = block.bounds[:-1][np.diff(block.bounds) > 0]
        # Source words as rows: NumPy reduces runs of rows much faster than runs of columns.
        cosines = block.vectors.astype(np.float32) @ words.T
        near = np.maximum(np.maximum.reduceat(cosines, begins, axis=0), 0).T
        if self.power != 1:
            near = near**self.power
        return np.ascontiguousarray(near, np.float32)
