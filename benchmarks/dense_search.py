"""Exact and approximate search over vectors, side by side.

    python benchmarks/dense_search.py

The vectors are random, since the search is measured, not an encoder; and how much approximate
search finds depends on them. So there are two kinds: ``clusters``, 2,000 centres with as much noise
as signal, which is hard (of 100 neighbours only some 45 are of the same cluster), and
``directions``, of which 40 matter, each less than the one before. Recall is that of approximate
search against exact, both at 100. Writes ``benchmarks/results/dense_search.json``.
"""

from __future__ import annotations

import time

import numpy as np

from harness import print_table, save_results
from locisimiles.candidates import best
from locisimiles.retrieve.vectors.nearest import IVF, ExactSearch, queries_at_a_time

SOURCES, QUERIES, DIMENSIONS, K = 90_000, 1_000, 384, 100
PROBES = (8, 15, 30, 60)


def clusters(count: int, seed: int) -> np.ndarray:
    centres = np.random.default_rng(0).normal(size=(2_000, DIMENSIONS))
    random = np.random.default_rng(seed)
    vectors = centres[random.integers(len(centres), size=count)]
    return unit(vectors + random.normal(size=vectors.shape))


def directions(count: int, seed: int) -> np.ndarray:
    random = np.random.default_rng(seed)
    axes = np.linalg.qr(np.random.default_rng(0).normal(size=(DIMENSIONS, 40)))[0].T
    vectors = (random.normal(size=(count, 40)) * 0.9 ** np.arange(40)) @ axes
    return unit(vectors + 0.02 * random.normal(size=vectors.shape))


def unit(vectors: np.ndarray) -> np.ndarray:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    rows: np.ndarray = (vectors / lengths).astype(np.float32)
    return rows


def main() -> None:
    rows: list[dict[str, object]] = []
    for draw in (clusters, directions):
        sources, queries = draw(SOURCES, 1), draw(QUERIES, 2)
        expected: list[np.ndarray] = []
        for probes in (None, *PROBES):
            began = time.perf_counter()
            search = IVF(300, probes).build(sources) if probes else ExactSearch(sources)
            built = time.perf_counter() - began
            found = []
            began = time.perf_counter()
            step = queries_at_a_time(SOURCES)
            for begin in range(0, QUERIES, step):
                for scores in search.scores(queries[begin : begin + step]):
                    found.append(best(scores, K, np.arange(SOURCES))[0])  # noqa: PERF401
            took = time.perf_counter() - began
            expected = expected or found
            shares = [np.isin(e, f).mean() for e, f in zip(expected, found, strict=True)]
            rows.append(
                {
                    "vectors": draw.__name__,
                    "search": f"IVF, {probes} of 300" if probes else "exact",
                    "build_s": round(built, 2),
                    "ms_a_query": round(1000 * took / QUERIES, 2),
                    "recall_at_100": round(float(np.mean(shares)), 4),
                }
            )
    print_table(rows)
    facts = {"sources": SOURCES, "queries": QUERIES, "dimensions": DIMENSIONS, "rows": rows}
    save_results("dense_search", facts)


if __name__ == "__main__":
    main()
