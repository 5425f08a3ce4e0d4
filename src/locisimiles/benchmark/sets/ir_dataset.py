"""A benchmark in the shape of a dataset of ``ir_datasets``, for tools that take one."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from locisimiles.benchmark.sets.references import Label
from locisimiles.checks import check_choice

if TYPE_CHECKING:
    from collections.abc import Iterator

    from locisimiles.benchmark.sets.dataset import Benchmark
    from locisimiles.corpus import Document

__all__ = ["Doc", "DocStore", "IrDataset", "Qrel", "Query"]


class Doc(NamedTuple):
    """A source segment."""

    doc_id: str
    text: str
    author: str
    work: str
    locus: str

    def default_text(self) -> str:
        """Return what a tool should index."""
        return self.text


class Query(NamedTuple):
    """A query segment."""

    query_id: str
    text: str
    author: str
    work: str
    locus: str

    def default_text(self) -> str:
        """Return what a tool should search for."""
        return self.text


class Qrel(NamedTuple):
    """A known reference; its iteration is its type, ``cit`` or ``cf``."""

    query_id: str
    doc_id: str
    relevance: int
    iteration: str


class DocStore:
    """Looks up source segments by id."""

    def __init__(self, document: Document) -> None:
        self._document = document

    def get(self, doc_id: str) -> Doc:
        """Return one, or raise a KeyError."""
        return _doc(self._document, self._document.index(doc_id))

    def count(self) -> int:
        """Return how many there are."""
        return len(self._document)


class IrDataset:
    """A benchmark in the shape of a dataset of ``ir_datasets``, which need not be installed.

    Parameters
    ----------
    benchmark
        The set.
    fold
        Only the references of one fold and their queries; the sources stay.

    Examples
    --------
    >>> from locisimiles import Document, Segment
    >>> from locisimiles.benchmark import Benchmark, Label, References
    >>> benchmark = Benchmark(
    ...     query=Document.from_segments([Segment("q", "vox haesit")]),
    ...     source=Document.from_segments([Segment("s", "vox faucibus haesit")]),
    ...     references=References.from_columns([0], [0], [Label.CIT]),
    ... )
    >>> dataset = IrDataset(benchmark)
    >>> dataset.docs_count(), [query.query_id for query in dataset.queries_iter()]
    (1, ['q'])
    >>> list(dataset.qrels_iter())
    [Qrel(query_id='q', doc_id='s', relevance=1, iteration='cit')]
    """

    def __init__(self, benchmark: Benchmark, *, fold: int | None = None) -> None:
        self.benchmark, self.fold = benchmark, fold
        self._queries, self._references = list(range(len(benchmark.query))), benchmark.references
        if fold is not None:
            check_choice(map(str, benchmark.folds), fold=str(fold))
            self._references = self._references.select(self._references.fold == fold)
            self._queries = self._references.queries.tolist()

    def has_docs(self) -> bool:
        """Return whether there are sources."""
        return True

    has_queries = has_qrels = has_docs

    def docs_iter(self) -> Iterator[Doc]:
        """Yield the sources."""
        return (_doc(self.benchmark.source, at) for at in range(self.docs_count()))

    def queries_iter(self) -> Iterator[Query]:
        """Yield the queries."""
        return (Query(*_doc(self.benchmark.query, at)) for at in self._queries)

    def qrels_iter(self) -> Iterator[Qrel]:
        """Yield the known references."""
        known, query, source = self._references, self.benchmark.query.ids, self.benchmark.source.ids
        columns = (known.query.tolist(), known.source.tolist(), known.label.tolist())
        for q, s, label, grade in zip(*columns, known.grade.tolist(), strict=True):
            yield Qrel(query[q], source[s], round(grade), Label(label).text)

    def docs_count(self) -> int:
        """Return the number of sources."""
        return len(self.benchmark.source)

    def queries_count(self) -> int:
        """Return the number of queries."""
        return len(self._queries)

    def qrels_count(self) -> int:
        """Return the number of known references."""
        return len(self._references)

    def docs_store(self) -> DocStore:
        """Return what looks up sources by id."""
        return DocStore(self.benchmark.source)

    def docs_cls(self) -> type[Doc]:
        """Return the type of a source."""
        return Doc

    def queries_cls(self) -> type[Query]:
        """Return the type of a query."""
        return Query

    def qrels_cls(self) -> type[Qrel]:
        """Return the type of a reference."""
        return Qrel


def _doc(document: Document, at: int) -> Doc:
    columns = document.ids, document.texts, document.authors, document.works, document.loci
    return Doc(*(column[at] for column in columns))
