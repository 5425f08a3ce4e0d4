"""Dense retrieval: a bi-encoder gives each segment one vector, and near ones are candidates."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.candidates import Candidates, Found, best, tie_order
from locisimiles.checks import check_at_least
from locisimiles.models.embedding_cache import EmbeddingCache, default_cache_folder
from locisimiles.models.encoders import distinct_texts
from locisimiles.models.families import check_pooling, choose_prompts
from locisimiles.models.loading import choose_encoder
from locisimiles.progress import silent
from locisimiles.retrieve.vectors.nearest import IVF, ExactSearch, queries_at_a_time
from locisimiles.retrieve.vectors.whitening import LinearMap, whitening

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from os import PathLike

    from numpy.typing import NDArray

    from locisimiles.corpus import Document
    from locisimiles.models.encoders import TextEncoder
    from locisimiles.models.families import Kind, Pooling, Prompts
    from locisimiles.progress import Progress
    from locisimiles.retrieve.vectors.nearest import VectorSearch

__all__ = ["Dense", "DenseIndex"]

_TEXTS_IN_A_FILE = 4096


@dataclass(frozen=True, slots=True)
class Dense:
    r"""Rank source segments by the cosine of their vector with that of the query.

    .. math:: \cos(q, s) = \frac{\mathbf q \cdot \mathbf s}{\|\mathbf q\|\,\|\mathbf s\|}

    Segments at a right angle or further away are no candidates.

    Parameters
    ----------
    model
        A folder, a name on the Hub or a short one (see `locisimiles.models.loading.load_encoder`),
        or any `TextEncoder`.
    pooling, prompts, revision, max_length, device
        How a model that is loaded by name is used; by default as its files or its family say.
    whitening
        Map vectors so that this many directions of the source have the same weight; None does not.
    approximate
        Look at likely sources only; None looks at all.
    cache
        A folder in which vectors are kept; None keeps none.

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
        """Return the encoder, loading it if it was not yet."""
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
        vectors = _CachedVectors(self.encoder(), EmbeddingCache(self.cache))
        texts, row_of_source = distinct_texts(source.texts, shortest_first=False)
        encoded = vectors.of(texts, "source", progress)
        mapped: LinearMap | None = None
        if self.whitening is not None:
            mapped = whitening(encoded, self.whitening)
            encoded = mapped(encoded)
        search = self.approximate.build(encoded) if self.approximate else ExactSearch(encoded)
        return DenseIndex(
            vectors,
            mapped,
            search=search,
            exact=ExactSearch(encoded),
            row_of_source=row_of_source,
            ties=tie_order(source.ids),
        )


class DenseIndex:
    """Source segments as vectors; made by `Dense.index`."""

    def __init__(
        self,
        vectors: _CachedVectors,
        mapped: LinearMap | None,
        *,
        search: VectorSearch,
        exact: VectorSearch,
        row_of_source: NDArray[np.int64],
        ties: NDArray[np.int64],
    ) -> None:
        self._vectors = vectors
        self._mapped = mapped
        self._search = search
        self._exact = exact
        self._row_of_source = row_of_source
        self._ties = ties

    def search(self, queries: Document, k: int, *, progress: Progress = silent) -> Candidates:
        """Return the best `k` source segments for each query segment."""
        check_at_least(1, k=k)
        return Candidates.join(self._found(self._search, queries.texts, k, progress))

    def recall(
        self, queries: Document, k: int = 100, *, sample: int = 200, progress: Progress = silent
    ) -> float:
        """Return how much of what exact search finds this index finds too.

        Parameters
        ----------
        queries
            Query segments like those that will be searched.
        k
            How many candidates of each are compared.
        sample
            How many query segments are tried at most; they are taken at even distances.

        Returns
        -------
        float
            The mean share over the queries for which there is something to find; 1 if there are
            none.
        """
        positions = np.unique(np.linspace(0, len(queries) - 1, sample).round().astype(int))
        texts = [queries.texts[position] for position in positions if len(queries)]
        found = self._found(self._search, texts, k, progress)
        expected = self._found(self._exact, texts, k, progress)
        shares = [
            len(np.intersect1d(ours, theirs)) / len(theirs)
            for (ours, _), (theirs, _) in zip(found, expected, strict=True)
            if len(theirs)
        ]
        return float(np.mean(shares)) if shares else 1.0

    def _found(
        self, search: VectorSearch, texts: Sequence[str], k: int, progress: Progress
    ) -> list[Found]:
        distinct, rows = distinct_texts(texts, shortest_first=False)
        vectors = self._vectors.of(distinct, "query", progress)
        if self._mapped is not None:
            vectors = self._mapped(vectors)
        found = []
        step = queries_at_a_time(len(self._ties))
        for begin in range(0, len(distinct), step):
            progress("searching", begin, len(distinct))
            for scores in search.scores(vectors[begin : begin + step]):
                found.append(best(scores[self._row_of_source], k, self._ties))  # noqa: PERF401
        progress("searching", len(distinct), len(distinct))
        return [found[row] for row in rows.tolist()]


@dataclass(frozen=True, slots=True)
class _CachedVectors:
    """An encoder that remembers."""

    encoder: TextEncoder
    cache: EmbeddingCache

    def of(self, texts: Sequence[str], kind: Kind, progress: Progress) -> NDArray[np.float32]:
        """Return the vectors of texts, in blocks of texts of about the same length."""
        order = sorted(range(len(texts)), key=lambda row: (len(texts[row]), texts[row]))
        blocks = self.cache.blocks(
            {"what": "texts", "kind": kind, **self.encoder.describe()},
            [texts[row] for row in order],
            _TEXTS_IN_A_FILE,
            lambda block: {"vectors": self.encoder.encode(block, kind)},
            progress=progress,
            task=f"encoding {kind}",
        )
        vectors = np.zeros((len(texts), self.encoder.dimensions), np.float32)
        done = 0
        for arrays in blocks:
            rows = order[done : done + len(arrays["vectors"])]
            vectors[rows] = arrays["vectors"]
            done += len(rows)
        return vectors
