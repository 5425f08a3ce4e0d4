"""A small benchmark for tests of commands."""

from locisimiles.benchmark.sets.dataset import Benchmark
from locisimiles.benchmark.sets.references import References
from locisimiles.corpus import Document, Segment

_WORDS = "arma uirumque cano Troiae primus oris litora fato profugus multum iactatus alto".split()


def small_document(prefix, author, word):
    """Return twelve segments of two neighbouring words and a word that all share."""
    return Document.from_segments(
        Segment(f"{prefix}{n}", f"{_WORDS[n]} {_WORDS[(n + 1) % 12]} {word}", author=author)
        for n in range(12)
    )


def small_set():
    """Return a benchmark with six references in three folds."""
    query, source = small_document("q", "Jerome", "dixit"), small_document("s", "Virgil", "uenit")
    references = References.from_columns(range(6), range(6), [1, 2] * 3, fold=[0, 0, 1, 1, 2, 2])
    return Benchmark(query, source, references, name="small")
