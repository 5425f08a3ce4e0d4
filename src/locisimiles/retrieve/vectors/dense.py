"""Dense retrieval: a bi-encoder gives each segment a vector; the nearest are candidates."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.candidates import Candidates, Found, best, tie_order
from locisimiles.checks import check_at_least
from locisimiles.index import PreparedDocument
from locisimiles.index.finding import best_of_texts, without
from locisimiles.models.batches import distinct_texts
from locisimiles.models.embedding_cache import EmbeddingCache, default_cache_folder
from locisimiles.models.families import check_pooling, choose_prompts
from locisimiles.models.loading import choose_encoder
from locisimiles.parameters import Parameters
from locisimiles.progress import silent
from locisimiles.retrieve.vectors.nearest import IVF, ExactSearch, queries_at_a_time
from locisimiles.retrieve.vectors.whitening import LinearMap, whitening

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from os import PathLike

    from numpy.typing import NDArray

    from locisimiles.corpus import Document
    from locisimiles.models.embedding_cache import Arrays
    from locisimiles.models.encoders import TextEncoder
    from locisimiles.models.families import Kind, Pooling, Prompts
    from locisimiles.progress import Progress
    from locisimiles.retrieve.vectors.nearest import VectorSearch

__all__ = ["Dense", "DenseIndex"]

_TEXTS_IN_A_BLOCK = 4096


@dataclass(frozen=True, slots=True)
class Dense(Parameters):
    r"""Rank source segments by the cosine of their vector with that of the query.

    .. math:: \cos(q, s) = \frac{\mathbf q \cdot \mathbf s}{\|\mathbf q\|\,\|\mathbf s\|}

    Segments with a cosine of 0 or less are no candidates.

    Parameters
    ----------
    model
        A folder, a name on the Hub or a short one (see `locisimiles.models.loading.load_encoder`),
        or any `TextEncoder`.
    pooling, prompts, revision, max_length, device
        Options of a model loaded by name; by default as its files or its family say.
    whitening
        The number of directions to which vectors are whitened; None disables whitening.
    approximate
        Search only likely sources; None searches all.
    cache
        The folder that caches vectors; None disables the cache.

    Examples
    --------
    >>> Dense("e5-small", whitening=128, cache=None).approximate is None
    True
    """

    model: str | PathLike[str] | TextEncoder
    pooling: Pooling | None = None
    prompts: str | Prompts | None = None
    whitening: int | None = None
    approximate: IVF | None = None
    cache: str | PathLike[str] | None = field(default_factory=default_cache_folder)
    revision: str | None = None
    max_length: int | None = None
    device: str = "auto"

    def __post_init__(self) -> None:
        check_pooling(self.pooling)
        if self.prompts is not None:
            choose_prompts(self.prompts)
        check_at_least(1, whitening=self.whitening)

    def parameters(self) -> Mapping[str, object]:
        """Return the parameters, for the manifest of a run."""
        return {
            "name": "dense",
            **self.encoder().describe(),
            "whitening": self.whitening,
            "approximate": asdict(self.approximate) if self.approximate else None,
        }

    def encoder(self) -> TextEncoder:
        """Return the encoder, loading it on first use."""
        return choose_encoder(
            self.model,
            revision=self.revision,
            pooling=self.pooling,
            prompts=self.prompts,
            max_length=self.max_length,
            device=self.device,
        )

    def index(self, source: Document, *, progress: Progress = silent) -> DenseIndex:
        """Prepare source segments for searching."""
        encoder = _CachedEncoder(self.encoder(), EmbeddingCache(self.cache))
        texts, row_of_source = distinct_texts(source.texts, shortest_first=False)
        encoded = encoder.encode(texts, "source", progress)
        mapped: LinearMap | None = None
        if self.whitening is not None:
            mapped = whitening(encoded, self.whitening)
            encoded = mapped(encoded)
        exact = ExactSearch(encoded)
        return DenseIndex(
            encoder=encoder,
            mapped=mapped,
            nearest=self.approximate.build(encoded) if self.approximate else exact,
            exact=exact,
            row_of_source=row_of_source,
            ties=tie_order(source.ids),
        )


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class DenseIndex:
    """Source segments as vectors, returned by `Dense.index`.

    `row_of_source` and `ties` are the text and the place in the tie order of each segment.
    """

    encoder: _CachedEncoder
    mapped: LinearMap | None
    nearest: VectorSearch
    exact: VectorSearch
    row_of_source: NDArray[np.int64]
    ties: NDArray[np.int64]

    def search(self, queries: Document, k: int, *, progress: Progress = silent) -> Candidates:
        """Return the best `k` source segments for each query segment."""
        check_at_least(1, k=k)
        queries = PreparedDocument.of(queries)
        return Candidates.join(self._found(self.nearest, queries, k, progress))

    def recall(
        self, queries: Document, k: int = 100, *, sample: int = 200, progress: Progress = silent
    ) -> float:
        """Return the share of the candidates of an exact search that this index finds.

        Parameters
        ----------
        queries
            Query segments like those that will be searched.
        k
            The number of candidates of each that are compared.
        sample
            Maximum number of query segments to try, evenly spaced.

        Returns
        -------
        float
            The mean share over the queries that have candidates; 1 if none has.
        """
        positions = np.unique(np.linspace(0, len(queries) - 1, sample).round().astype(int))
        some = PreparedDocument.of(queries).select(positions if len(queries) else [])
        found = self._found(self.nearest, some, k, progress)
        expected = self._found(self.exact, some, k, progress)
        shares = [
            len(np.intersect1d(ours, theirs)) / len(theirs)
            for (ours, _), (theirs, _) in zip(found, expected, strict=True)
            if len(theirs)
        ]
        return float(np.mean(shares)) if shares else 1.0

    def _found(
        self, search: VectorSearch, queries: PreparedDocument, k: int, progress: Progress
    ) -> list[Found]:
        distinct, rows = distinct_texts(queries.texts, shortest_first=False)
        vectors = self.encoder.encode(distinct, "query", progress)
        if self.mapped is not None:
            vectors = self.mapped(vectors)

        def scored() -> Iterator[NDArray[np.float32]]:
            step = queries_at_a_time(len(self.ties))
            for begin in range(0, len(distinct), step):
                progress("searching", begin, len(distinct))
                for scores in search.scores(vectors[begin : begin + step]):
                    yield scores[self.row_of_source]
            progress("searching", len(distinct), len(distinct))

        return best_of_texts(
            queries,
            rows.tolist(),
            scored(),
            lambda scores, excluded: best(without(scores, excluded), k, self.ties),
        )


@dataclass(frozen=True, slots=True)
class _CachedEncoder:
    """An encoder whose vectors are cached."""

    encoder: TextEncoder
    cache: EmbeddingCache

    def encode(self, texts: Sequence[str], kind: Kind, progress: Progress) -> NDArray[np.float32]:
        """Return the vectors of texts; texts of similar length are encoded together."""
        order = sorted(range(len(texts)), key=lambda row: (len(texts[row]), texts[row]))
        ordered = [texts[row] for row in order]

        def compute(block: Sequence[str]) -> Arrays:
            return {"vectors": self.encoder.encode(block, kind)}

        settings = {"what": "texts", "kind": kind, **self.encoder.describe()}
        report = partial(progress, f"encoding {kind}")
        blocks = self.cache.blocks(settings, ordered, _TEXTS_IN_A_BLOCK, compute, report)
        vectors = np.zeros((len(texts), self.encoder.dimensions), np.float32)
        done = 0
        for arrays in blocks:
            rows = order[done : done + len(arrays["vectors"])]
            vectors[rows] = arrays["vectors"]
            done += len(rows)
        return vectors
