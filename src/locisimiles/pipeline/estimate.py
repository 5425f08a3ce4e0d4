"""What a search will take, measured on a sample of it before it begins."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.index import PreparedDocument
from locisimiles.progress import silent
from locisimiles.retrieve.methods import index_encoder, late_search

if TYPE_CHECKING:
    from collections.abc import Sequence

    from locisimiles.corpus import Document
    from locisimiles.pipeline.search import Pipeline, Searcher

__all__ = ["seconds_to_encode", "seconds_to_search"]

_TEXTS, _QUERIES = 64, 16


def seconds_to_encode(pipeline: Pipeline, source: Document) -> float:
    """Return about how many seconds it takes to encode the sources; 0 if nothing has to be.

    Texts whose vectors are in the cache take less.

    Examples
    --------
    >>> from locisimiles import Pipeline, load_example_source
    >>> seconds_to_encode(Pipeline("bm25"), load_example_source())
    0.0
    """
    late, encoder = late_search(pipeline.retriever), index_encoder(pipeline.retriever)
    if late is None or encoder is None or late.finds_vectors(PreparedDocument.of(source)):
        return 0.0
    chosen = _evenly(len(source), _TEXTS)
    texts = [source.texts[row] for row in chosen]
    encoder.encode(texts[:1], silent)  # loads the encoder
    began = time.perf_counter()
    encoder.encode(texts, silent)
    return (time.perf_counter() - began) * len(source) / len(texts) if texts else 0.0


def seconds_to_search(searcher: Searcher, query: Document) -> float:
    """Return about how many seconds one process takes to search a query in prepared sources.

    Examples
    --------
    >>> from locisimiles import Pipeline, load_example_query, load_example_source
    >>> searcher = Pipeline("bm25").prepare(load_example_source())
    >>> 0 < seconds_to_search(searcher, load_example_query()) < 60
    True
    """
    chosen = _evenly(len(query), _QUERIES)
    if not chosen:
        return 0.0
    searcher.run(query.select(chosen[:1]))  # loads what is needed
    began = time.perf_counter()
    searcher.run(query.select(chosen))
    return (time.perf_counter() - began) * len(query) / len(chosen)


def _evenly(total: int, most: int) -> Sequence[int]:
    """Return the places of a sample from the whole."""
    places: list[int] = np.unique(np.linspace(0, total - 1, min(most, total)).astype(int)).tolist()
    return places
