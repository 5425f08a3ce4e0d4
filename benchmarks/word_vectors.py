r"""Retrieval with word vectors: recall on the benchmark, and speed beside exhaustive comparison.

    python benchmarks/word_vectors.py SET --word2vec VECTORS.npz --fasttext VECTORS.npz

SET is a benchmark that ``locisimiles benchmark build`` wrote; the vectors are learnt with

    locisimiles train vectors tesserae.txt.xz … -o VECTORS.npz

Rows are: the search of Burns et al. (mean of two cosines, the best pair); ours with default
settings; ours with settings chosen, for each fold, as the best on the other four; and the same
searches without vectors, where a word is similar only to itself. Speed is compared in one process
with all query pairs × all distinct source pairs, without pruning. Writes
``benchmarks/results/word_vectors.json``.
"""

from __future__ import annotations

import resource
import time
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from harness import parser, print_table, save_results
from locisimiles.benchmark.metrics.measurement import find
from locisimiles.benchmark.protocols import evaluate_retrieval
from locisimiles.benchmark.sets.dataset import Benchmark
from locisimiles.candidates import Candidates
from locisimiles.index import TextPart
from locisimiles.models.vector_files import read_vectors
from locisimiles.models.vectors import WordVectors
from locisimiles.retrieve.lexical.terms import weighted_terms
from locisimiles.retrieve.vectors.bigrams import query_pairs
from locisimiles.retrieve.vectors.word_vectors import WordVectorSearch, content_words

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from locisimiles.benchmark.metrics.measurement import Measurement
    from locisimiles.corpus import Document

GROUPS = ("cit", "cf", "pooled")
RANKS = (10, 100, 1000)
PAPER = {"word2vec": (12.2, 26.4, 52.9), "fasttext": (13.1, 28.0, 51.7)}
BURNS: dict[str, Any] = {"best_pairs": 1, "weighting": "equal", "sharpness": 1}
GRID: list[dict[str, Any]] = [
    {"weighting": weighting, "sharpness": sharpness, "best_pairs": best_pairs}
    for weighting, sharpness, best_pairs in product(("equal", "rarity"), (1, 3), (1, 3))
]
PLAIN_QUERIES = 3

Measured = tuple["Measurement", ...]


class Runs:
    """Searches on the benchmark."""

    def __init__(self, benchmark: Benchmark) -> None:
        self.benchmark = benchmark
        self.queries = benchmark.query.select(benchmark.references.queries.tolist())

    def measure(
        self, vectors: WordVectors, settings: dict[str, Any]
    ) -> tuple[Measured, dict[str, float]]:
        start = time.process_time()
        index = WordVectorSearch(vectors, **settings).index(self.benchmark.source)
        indexed = time.process_time()
        found = index.search(self.queries, max(RANKS))
        seconds = {
            "indexing": round(indexed - start, 2),
            "searching": round(time.process_time() - indexed, 2),
        }
        rows = self.benchmark.references.queries[found.query].astype(np.int32)
        ranked = Candidates(rows, found.source, found.score)
        return evaluate_retrieval(ranked, self.benchmark.references), seconds


def recalls(measured: Measured) -> dict[str, list[float]]:
    return {
        group: [round(100 * find(measured, group, f"R@{k}").mean, 2) for k in RANKS]
        for group in GROUPS
    }


def chosen_on_other_folds(runs: list[Measured]) -> tuple[dict[str, list[float]], list[int]]:
    """Return the recalls if each fold has the settings that are best on the others."""
    pooled = np.array([find(measured, "pooled", "R@100").fold_value for measured in runs])
    others = pooled.sum(axis=1, keepdims=True) - pooled
    choice = others.argmax(axis=0).tolist()

    def mean(group: str, k: int) -> float:
        values = [
            find(runs[of], group, f"R@{k}").fold_value[fold] for fold, of in enumerate(choice)
        ]
        return round(100 * float(np.mean(values)), 2)

    return {group: [mean(group, k) for k in RANKS] for group in GROUPS}, choice


def plain_search(vectors: WordVectors, queries: Document, source: Document) -> float:
    """Return the seconds of a query if every pair is compared with every pair."""
    to_terms = weighted_terms("lemma")
    words = content_words(to_terms, TextPart.of(source.texts))
    interval = WordVectorSearch(vectors).interval
    vocabulary = sorted({word for own in words for word in own})
    number = {word: place for place, word in enumerate(vocabulary)}
    keys = [
        (number[a], number[b], segment)
        for segment, own in enumerate(words)
        for a, b in query_pairs(own, interval)
    ]
    one, other, segment = np.array(keys).T
    unit = vectors.unit(vocabulary)
    starts = np.flatnonzero(np.diff(segment, prepend=-1))
    start = time.process_time()
    for own in content_words(to_terms, TextPart.of(queries.texts[:PLAIN_QUERIES])):
        best: NDArray[np.float32] = np.zeros(len(starts), np.float32)
        for a, b in query_pairs(own, interval):
            first, second = vectors.unit([a, b]) @ unit.T
            straight, crossed = first[one] + second[other], first[other] + second[one]
            scores = np.maximum(straight, crossed) / 2
            np.maximum(best, np.maximum.reduceat(scores, starts), out=best)
    return (time.process_time() - start) / PLAIN_QUERIES


def rows_of(name: str, vectors: WordVectors, runs: Runs) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for title, settings in (("Burns et al.", BURNS), ("default settings", {})):
        measured, seconds = runs.measure(vectors, settings)
        row = {"row": f"{name}, {title}", **recalls(measured)}
        rows.append({**row, "seconds": seconds, "settings": settings})
    grid = [runs.measure(vectors, settings)[0] for settings in GRID]
    values, choice = chosen_on_other_folds(grid)
    chosen = [GRID[of] for of in choice]
    every = [
        [*settings.values(), *recalls(m)["pooled"]] for settings, m in zip(GRID, grid, strict=True)
    ]
    row = {"row": f"{name}, chosen on other folds", **values, "chosen": chosen, "grid": every}
    rows.append(row)
    return rows


def main() -> None:
    options = parser(__doc__)
    options.add_argument("set", type=Path, help="a built benchmark")
    options.add_argument("--word2vec", type=Path, required=True)
    options.add_argument("--fasttext", type=Path)
    given = options.parse_args()
    runs = Runs(Benchmark.load(given.set))
    nothing = WordVectors.from_matrix(["et"], np.zeros((1, 1), np.float32))
    rows = rows_of("no vectors", nothing, runs)
    for name in PAPER:
        if (path := getattr(given, name)) is not None:
            rows += rows_of(name, read_vectors(path), runs)
    shown = ("row", *GROUPS, "seconds")
    print(f"recall at {RANKS} in %; paper, pooled: {PAPER}")
    print_table({head: row.get(head, "") for head in shown} for row in rows)

    word2vec = read_vectors(given.word2vec)
    plain = plain_search(word2vec, runs.queries, runs.benchmark.source)
    _, seconds = runs.measure(word2vec, BURNS)
    ours = seconds["searching"] / len(runs.queries)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    print(f"\nseconds a query: ours {ours:.4f}, plain {plain:.3f}: {plain / ours:.0f} x")
    print(f"peak memory: {peak:.2f} GB")
    content = {
        "command": "python benchmarks/word_vectors.py SET --word2vec … --fasttext …",
        "queries": len(runs.queries),
        "sources": len(runs.benchmark.source),
        "recall at": RANKS,
        "paper, pooled": PAPER,
        "rows": rows,
        "seconds a query": {"ours": round(ours, 5), "plain": round(plain, 4)},
        "peak GB": round(peak, 2),
    }
    save_results("word_vectors", content)


if __name__ == "__main__":
    main()
