"""The sizes of a benchmark, beside those that the paper prints of the published one."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.benchmark.report.paper import paper_author, paper_rows
from locisimiles.benchmark.sets.references import Label
from locisimiles.benchmark.sets.words import words_of

if TYPE_CHECKING:
    from locisimiles.benchmark.sets.dataset import Benchmark
    from locisimiles.corpus import Document

__all__ = [
    "AuthorPairSize",
    "CorpusSize",
    "FoldSize",
    "author_pair_sizes",
    "corpus_sizes",
    "fold_sizes",
    "paper_author_pair_sizes",
    "paper_corpus_sizes",
    "paper_fold_sizes",
]

_TOTALS = frozenset(["Total", "Mean", "Total / Avg."])


@dataclass(frozen=True, slots=True)
class CorpusSize:
    """How much text of an author there is.

    Attributes
    ----------
    side
        ``query`` or ``source``.
    author
        Empty for the total of a side.
    segments
        The number of segments.
    mean_tokens, min_tokens, max_tokens, std_tokens
        Of the number of words per segment. The paper does not define its tokens; they are 1.4 to
        1.9 times as many as words, so they are probably parts of words and punctuation.
    """

    side: str
    author: str
    segments: int
    mean_tokens: float
    min_tokens: int
    max_tokens: int
    std_tokens: float


@dataclass(frozen=True, slots=True)
class AuthorPairSize:
    """The number of references from one author to another, by type."""

    query_author: str
    source_author: str
    cit: int
    cf: int


@dataclass(frozen=True, slots=True)
class FoldSize:
    """The size of a fold.

    Attributes
    ----------
    fold
        The number of the fold.
    citing, cited
        The numbers of distinct query and source segments of its references.
    references
        The number of references.
    """

    fold: int
    citing: int
    cited: int
    references: int


def corpus_sizes(benchmark: Benchmark) -> list[tuple[CorpusSize, CorpusSize | None]]:
    """Return the sizes of both corpora, by author and falling size, then the total.

    The second of each pair is the paper's; None if the paper does not have the author.

    Examples
    --------
    >>> from locisimiles import Document, Segment
    >>> from locisimiles.benchmark.sets.dataset import Benchmark
    >>> from locisimiles.benchmark.sets.references import References
    >>> one = Document.from_segments([Segment("a", "arma uirumque", author="Virgil")])
    >>> sizes = corpus_sizes(Benchmark(one, one, References.from_columns([0], [0], [1])))
    >>> [(own.side, own.author, own.mean_tokens) for own, _ in sizes]
    [('query', 'Virgil', 2.0), ('query', '', 2.0), ('source', 'Virgil', 2.0), ('source', '', 2.0)]
    """
    paper = {(row.side, row.author): row for row in paper_corpus_sizes()}
    ours = (*_side_sizes("query", benchmark.query), *_side_sizes("source", benchmark.source))
    return [(own, paper.get((own.side, own.author))) for own in ours]


def _side_sizes(side: str, document: Document) -> list[CorpusSize]:
    lengths = np.array([len(words_of(text)) for text in document.texts])
    authors = np.array(document.authors)
    by_size = sorted(Counter(document.authors).items(), key=lambda item: (-item[1], item[0]))
    # Segments without an author count in the total, which has no author either.
    parts = [(author, lengths[authors == author]) for author, _ in by_size if author]
    return [
        CorpusSize(
            side=side,
            author=author,
            segments=len(part),
            mean_tokens=float(part.mean()),
            min_tokens=int(part.min()),
            max_tokens=int(part.max()),
            std_tokens=float(part.std()),
        )
        for author, part in [*parts, ("", lengths)]
    ]


def author_pair_sizes(benchmark: Benchmark) -> list[tuple[AuthorPairSize, AuthorPairSize | None]]:
    """Return the number of references from each author to each, by name.

    The second of each pair is the paper's; None if the paper does not have it. Pairs of authors
    that only the paper has are included.
    """
    paper = {(row.query_author, row.source_author): row for row in paper_author_pair_sizes()}
    counts: Counter[tuple[str, str, int]] = Counter()
    references = benchmark.references
    columns = (references.query.tolist(), references.source.tolist(), references.label.tolist())
    for query, source, label in zip(*columns, strict=True):
        counts[benchmark.query.authors[query], benchmark.source.authors[source], label] += 1
    pairs = {(query, source) for query, source, _ in counts} | set(paper)
    return [
        (
            AuthorPairSize(*pair, cit=counts[*pair, Label.CIT], cf=counts[*pair, Label.CF]),
            paper.get(pair),
        )
        for pair in sorted(pairs)
    ]


def fold_sizes(benchmark: Benchmark) -> list[tuple[FoldSize, FoldSize | None]]:
    """Return the size of each fold, and the paper's if it has the fold."""
    paper = {row.fold: row for row in paper_fold_sizes()}
    sizes = []
    for fold in benchmark.folds:
        references = benchmark.references.select(benchmark.references.fold == fold)
        cited = len(np.unique(references.source))
        own = FoldSize(fold, len(references.queries), cited, len(references))
        sizes.append((own, paper.get(fold)))
    return sizes


def paper_corpus_sizes() -> list[CorpusSize]:
    """Return the paper's corpus table; the total of each side has an empty author.

    Examples
    --------
    >>> [row.segments for row in paper_corpus_sizes() if not row.author]
    [85254, 90546]
    """
    sizes = []
    side = "query"
    for row in paper_rows("corpus"):
        total = row["author"] in _TOTALS
        sizes.append(
            CorpusSize(
                side=side,
                author="" if total else paper_author(row["author"]),
                segments=row["segments"],
                mean_tokens=row["avg_tokens"],
                min_tokens=row["min"],
                max_tokens=row["max"],
                std_tokens=row["std"],
            )
        )
        side = "source" if total else side  # the queries' total closes their part of the table
    return sizes


def paper_author_pair_sizes() -> list[AuthorPairSize]:
    """Return the paper's numbers of references from each author to each.

    Examples
    --------
    >>> paper_author_pair_sizes()[0]
    AuthorPairSize(query_author='Jerome', source_author='Cicero', cit=91, cf=21)
    """
    return [
        AuthorPairSize(
            query_author=paper_author(row["query"]),
            source_author=paper_author(row["source"]),
            cit=row["cit_n"],
            cf=row["cf_n"],
        )
        for row in paper_rows("author_pairs")
        if row["query"] not in _TOTALS
    ]


def paper_fold_sizes() -> list[FoldSize]:
    """Return the sizes of the paper's folds.

    Examples
    --------
    >>> paper_fold_sizes()[0].cited
    269
    """
    return [
        FoldSize(int(row["fold"]), row["citing"], row["cited"], row["positive"])
        for row in paper_rows("fold_sizes")
        if row["fold"] not in _TOTALS
    ]
