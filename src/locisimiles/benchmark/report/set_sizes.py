"""Counts of a benchmark, beside those the paper prints of the published one."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.benchmark.report.paper import paper_author_pairs, paper_corpus, paper_folds
from locisimiles.benchmark.sets.references import Label
from locisimiles.benchmark.sets.words import words_of

if TYPE_CHECKING:
    from locisimiles.benchmark.report.paper import PaperCorpusRow, PaperFold
    from locisimiles.benchmark.sets.dataset import Benchmark
    from locisimiles.corpus import Document

__all__ = [
    "AuthorPairRow",
    "CorpusRow",
    "FoldRow",
    "author_pair_table",
    "corpus_table",
    "fold_table",
]


@dataclass(frozen=True, slots=True)
class CorpusRow:
    """How much text of an author there is.

    Attributes
    ----------
    side
        ``query`` or ``source``.
    author
        Empty for the total of a side.
    mean_tokens, min_tokens, max_tokens, std_tokens
        Of the number of words a segment has.
    paper
        The paper's figures. It does not say what its tokens are; they are 1.4 to 1.9 times as many
        as words, and so are probably parts of words and punctuation.
    """

    side: str
    author: str
    segments: int
    mean_tokens: float
    min_tokens: int
    max_tokens: int
    std_tokens: float
    paper: PaperCorpusRow | None


@dataclass(frozen=True, slots=True)
class AuthorPairRow:
    """How many references there are from one author to another, here and in the paper."""

    query_author: str
    source_author: str
    cit: int
    cf: int
    paper_cit: int | None
    paper_cf: int | None


@dataclass(frozen=True, slots=True)
class FoldRow:
    """How many queries, sources and references a fold has.

    Attributes
    ----------
    citing, cited
        Distinct query and source segments of its references.
    """

    fold: int
    citing: int
    cited: int
    references: int
    paper: PaperFold | None


def corpus_table(benchmark: Benchmark) -> tuple[CorpusRow, ...]:
    """Return the paper's corpus table for a benchmark: authors by falling size, then the total.

    Examples
    --------
    >>> from locisimiles import Document, Segment
    >>> from locisimiles.benchmark.sets.dataset import Benchmark
    >>> from locisimiles.benchmark.sets.references import References
    >>> one = Document.from_segments([Segment("a", "arma uirumque", author="Virgil")])
    >>> table = corpus_table(Benchmark(one, one, References.from_columns([0], [0], [1])))
    >>> [(row.side, row.author, row.mean_tokens) for row in table]
    [('query', 'Virgil', 2.0), ('query', '', 2.0), ('source', 'Virgil', 2.0), ('source', '', 2.0)]
    """
    return (*_side_table("query", benchmark.query), *_side_table("source", benchmark.source))


def _side_table(side: str, document: Document) -> list[CorpusRow]:
    paper = {row.author: row for row in paper_corpus() if row.side == side}
    lengths = np.array([len(words_of(text)) for text in document.texts])
    authors = np.array(document.authors)
    by_size = sorted(Counter(document.authors).items(), key=lambda item: (-item[1], item[0]))
    # Segments without an author are part of the total, which has no author either.
    parts = [(author, lengths[authors == author]) for author, _ in by_size if author]
    return [
        CorpusRow(
            side=side,
            author=author,
            segments=len(part),
            mean_tokens=float(part.mean()),
            min_tokens=int(part.min()),
            max_tokens=int(part.max()),
            std_tokens=float(part.std()),
            paper=paper.get(author),
        )
        for author, part in [*parts, ("", lengths)]
    ]


def author_pair_table(benchmark: Benchmark) -> tuple[AuthorPairRow, ...]:
    """Return how many references there are from each author to each, ordered by their names.

    Pairs of authors that only the paper has are there too, with counts of 0.
    """
    paper = {(row.query_author, row.source_author): row for row in paper_author_pairs()}
    counts: Counter[tuple[str, str, int]] = Counter()
    references = benchmark.references
    columns = (references.query.tolist(), references.source.tolist(), references.label.tolist())
    for query, source, label in zip(*columns, strict=True):
        counts[benchmark.query.authors[query], benchmark.source.authors[source], label] += 1
    pairs = {(query, source) for query, source, _ in counts}
    return tuple(
        AuthorPairRow(
            query_author=query,
            source_author=source,
            cit=counts[query, source, Label.CIT],
            cf=counts[query, source, Label.CF],
            paper_cit=paper[query, source].cit if (query, source) in paper else None,
            paper_cf=paper[query, source].cf if (query, source) in paper else None,
        )
        for query, source in sorted(pairs | set(paper))
    )


def fold_table(benchmark: Benchmark) -> tuple[FoldRow, ...]:
    """Return the size of each fold."""
    paper = {row.fold: row for row in paper_folds()}
    rows = []
    for fold in benchmark.folds:
        references = benchmark.references.select(benchmark.references.fold == fold)
        rows.append(
            FoldRow(
                fold=fold,
                citing=len(references.queries),
                cited=len(np.unique(references.source)),
                references=len(references),
                paper=paper.get(fold),
            )
        )
    return tuple(rows)
