"""How fast late interaction is on a benchmark set, and how much its first stage finds.

    python benchmarks/late_speed.py SET [--model FOLDER]

Encoding is measured separately, since it depends on the encoder. ``--model stand-in`` needs none:
each word is one piece, with the shipped vector of its lemma, mixed with its sentence and with
noise, so that the same lemma in two contexts has a cosine of about 0.7. Recall compares first stage
and exact scoring with exact scoring of everything, for a sample of the queries. Writes
``benchmarks/results/late_speed.json``.
"""

from __future__ import annotations

import tempfile
import time
import zlib
from collections import defaultdict
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from harness import parser, peak_megabytes, save_results
from locisimiles.benchmark.sets.dataset import Benchmark
from locisimiles.late.scoring import VIEWS
from locisimiles.late.search import Late
from locisimiles.latin import choose_lemmatizer, tokenize_all
from locisimiles.models.encoders import PieceVectors
from locisimiles.models.vectors import shipped_vectors

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from locisimiles import Document
    from locisimiles.candidates import Candidates
    from locisimiles.late.index import LateIndex
    from locisimiles.models.encoders import PiecewiseEncoder

CUTOFFS = (10, 100, 1000)
PAIRS_OF_A_QUERY = 4000


class StandIn:
    """Word vectors with the statistics of an encoder's pieces."""

    piece_dimensions = 128

    def __init__(self) -> None:
        self._numbers: defaultdict[str, int] = defaultdict(count().__next__)

    def describe(self) -> dict[str, object]:
        return {"model": "stand-in"}

    def encode_pieces(self, texts: Sequence[str], **_: object) -> PieceVectors:
        table = tokenize_all(texts)
        lemmas = choose_lemmatizer("fast")(list(table.vocabulary))
        known = shipped_vectors().unit(lemmas)
        axes = np.random.default_rng(0).normal(size=(known.shape[1], self.piece_dimensions))
        vectors = known @ axes
        for row in np.flatnonzero(~known.any(axis=1)).tolist():
            vectors[row] = self._drawn(lemmas[row])
        vectors = unit(vectors)
        counts = np.array([not word.isdigit() for word in table.vocabulary], bool)[table.word]
        bounds = np.concatenate([[0], np.cumsum(counts)])[table.bounds]
        words = vectors[table.word[counts]]
        for begin, end, text in zip(bounds, bounds[1:], texts, strict=False):
            own = words[begin:end]
            if len(own):
                noise = np.random.default_rng(zlib.crc32(text.encode())).normal(size=own.shape)
                context = unit(own.mean(axis=0, keepdims=True))
                own += 0.35 * context + noise * (0.55 / self.piece_dimensions**0.5)
        rows = unit(words).astype(np.float32)
        numbers = np.array([self._numbers[lemma] for lemma in lemmas], np.int32)
        places = table.start[counts], table.end[counts]
        return PieceVectors(rows, *places, bounds, numbers[table.word[counts]])

    def _drawn(self, lemma: str) -> np.ndarray:
        random = np.random.default_rng(zlib.crc32(lemma.encode()))
        return random.normal(size=self.piece_dimensions)


class Timed:
    """An encoder that counts the seconds it takes."""

    def __init__(self, encoder: PiecewiseEncoder) -> None:
        self._encoder = encoder
        self.piece_dimensions = encoder.piece_dimensions
        self.seconds = 0.0

    def describe(self) -> Mapping[str, object]:
        return self._encoder.describe()

    def encode_pieces(self, texts: Sequence[str], **_: object) -> PieceVectors:
        began = time.perf_counter()
        pieces = self._encoder.encode_pieces(texts)
        self.seconds += time.perf_counter() - began
        return pieces


def unit(vectors: np.ndarray) -> np.ndarray:
    rows: np.ndarray = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return rows


def recall(found: Candidates, expected: Candidates, queries: int, k: int) -> float:
    """Return the share of the first `k` expected that are among the first `k` found."""
    shares = [
        np.isin(expected.of_query(query)[0][:k], found.of_query(query)[0][:k]).mean()
        for query in range(queries)
        if len(expected.of_query(query)[0])
    ]
    return round(float(np.mean(shares)), 4)


def measure(benchmark: Benchmark, model: str, sample: int, folder: Path) -> dict[str, object]:
    encoder = Timed(StandIn() if model == "stand-in" else Late(model).encoder())
    queries = benchmark.query.select(np.unique(benchmark.references.query).tolist())
    late = Late(encoder, cache=folder)
    facts: dict[str, object] = {
        "set": benchmark.name,
        "model": model,
        "sources": len(benchmark.source),
        "queries": len(queries),
        "settings": {"depth": late.depth, "probes": late.probes, "window": late.window},
    }

    @contextmanager
    def timed(name: str) -> Iterator[None]:
        began, used = time.perf_counter(), time.process_time()
        yield
        facts[f"{name}_s"] = round(time.perf_counter() - began, 1)
        facts[f"{name}_cpu_s"] = round(time.process_time() - used, 1)
        print(f"{name:>16}  {facts[f'{name}_s']} s", flush=True)

    with timed("index"):
        index = late.index(benchmark.source)
    facts["encoding_s"] = round(encoder.seconds, 1)
    with timed("index_again"):
        index = late.index(benchmark.source)
    facts["pieces"] = int(index.pieces.lengths.sum())
    facts["memory_mb"] = round(index.nbytes / 1e6)
    facts["disk_mb"] = round(sum(file.stat().st_size for file in folder.iterdir()) / 1e6)
    with timed("search"):
        found = index.search(queries, max(CUTOFFS))
    with timed("search_again"):
        found = index.search(queries, max(CUTOFFS))
    pairs = sampled_pairs(found, len(queries), len(benchmark.source))
    with timed("score"):
        index.score(queries, *pairs)
    facts["pairs_scored"] = len(pairs[0])
    facts["views"] = list(VIEWS)
    facts["peak_mb"] = round(peak_megabytes())
    facts["recall"] = recalls(benchmark.source, queries, late, index, sample)
    return facts


def sampled_pairs(found: Candidates, queries: int, sources: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the candidates of each query, supplemented by other sources."""
    random = np.random.default_rng(0)
    own = []
    for query in range(queries):
        first = found.of_query(query)[0]
        others = random.choice(sources, min(PAIRS_OF_A_QUERY, sources), replace=False)
        own.append(np.concatenate([first, others])[: min(PAIRS_OF_A_QUERY, sources)])
    return np.repeat(np.arange(queries), [len(each) for each in own]), np.concatenate(own)


def recalls(
    source: Document, queries: Document, late: Late, index: LateIndex, sample: int
) -> dict[str, object]:
    places = np.unique(np.linspace(0, len(queries) - 1, sample).round().astype(int))
    some = queries.select(places.tolist())
    exact = Late(late.model, cache=late.cache, exact=True).index(source)
    began = time.perf_counter()
    expected = exact.search(some, max(CUTOFFS))
    took = time.perf_counter() - began
    found = index.search(some, max(CUTOFFS))
    return {
        "queries": len(some),
        "exact_s": round(took, 1),
        **{f"at_{k}": recall(found, expected, len(some), k) for k in CUTOFFS},
    }


def main() -> None:
    options = parser(__doc__)
    options.add_argument("set", type=Path, help="a folder with a benchmark")
    options.add_argument("--model", default="latin", help="a model, or stand-in")
    options.add_argument("--sample", type=int, default=60, help="queries that are scored exactly")
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        facts = measure(Benchmark.load(given.set), given.model, given.sample, Path(folder))
    for name, value in facts.items():
        print(f"{name:>16}  {value}")
    save_results("late_speed", facts)


if __name__ == "__main__":
    main()
