"""An ordered, immutable collection of segments."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, overload

from locisimiles.checks import checked_row
from locisimiles.corpus.checking import check_segment, kind_of
from locisimiles.corpus.columns import Columns, format_marks, parse_marks
from locisimiles.corpus.options import ReadOptions
from locisimiles.corpus.report import ReadReport
from locisimiles.corpus.segment import Segment
from locisimiles.errors import ParameterError, SegmentIdError
from locisimiles.files.hashing import framed, sha256_of
from locisimiles.files.raw import printable
from locisimiles.progress import silent

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from locisimiles.progress import Progress

__all__ = ["Document", "check_documents"]


class Document:
    """An ordered, immutable collection of segments.

    Parameters
    ----------
    *inputs
        Files, folders, zip files, ``"-"`` for standard input, or names of texts in the library.
        Several become one document, in the given order.
    format
        The format of all inputs, for instance ``csv`` or ``tei``; see `corpus.formats.FORMATS`. By
        default it is detected from name and content.
    options
        Encoding, and how running text is cut into segments.
    progress
        Called after each file.

    Raises
    ------
    InputError
        If an input cannot be read; the message names file and row.

    Examples
    --------
    >>> from locisimiles.examples import example_path
    >>> document = Document(example_path("query.csv"))
    >>> document["hier. epist. 130.5.5.3"].text[:20]
    'haesit uox faucibus '
    >>> document[0] == document[document.ids[0]]
    True
    """

    __slots__ = (
        "_authors", "_ids", "_loci", "_marks", "_meta", "_positions", "_report", "_texts", "_works",
    )  # fmt: skip

    def __init__(
        self,
        *inputs: str | os.PathLike[str],
        format: str | None = None,  # noqa: A002 - the user's word for it
        options: ReadOptions | None = None,
        progress: Progress = silent,
    ) -> None:
        from locisimiles.corpus.reading import read_columns  # parsers are slow to import

        if not inputs:
            raise ParameterError("corpus.no_inputs")
        report = ReadReport()
        options = options or ReadOptions()
        columns = read_columns(
            inputs, kind=format, options=options, report=report, progress=progress
        )
        self._fill(columns, report)

    @classmethod
    def from_segments(cls, segments: Iterable[Segment]) -> Document:
        """Create a document from segments in memory.

        Examples
        --------
        >>> document = Document.from_segments([Segment("a", "arma"), Segment("b", "uirumque")])
        >>> document.ids
        ('a', 'b')
        """
        columns = Columns()
        for segment in segments:
            check_segment(segment)
            columns.add(
                segment.id,
                segment.text,
                author=segment.author,
                work=segment.work,
                locus=segment.locus,
                marks=format_marks(segment.loci),
                meta=segment.meta,
            )
        return cls._from_columns(columns, ReadReport())

    @classmethod
    def from_texts(
        cls,
        texts: Iterable[str] | Mapping[str, str],
        ids: Iterable[str] | None = None,
        *,
        author: str = "",
        work: str = "",
    ) -> Document:
        """Create a document from texts, each a segment as it stands.

        Parameters
        ----------
        texts
            The texts, or texts by id.
        ids
            Their ids; by default 1, 2, 3 …
        author, work
            Whose they are.

        Examples
        --------
        >>> Document.from_texts(["arma uirumque cano", "Troiae qui primus"]).ids
        ('1', '2')
        >>> Document.from_texts({"aen. 1.1": "arma uirumque cano"}, author="Virgil")
        <Document: 1 segments by Virgil>
        """
        from locisimiles.corpus.in_memory import columns_of_texts  # parsers are slow to import

        return cls._from_columns(
            columns_of_texts(texts, ids, author=author, work=work), ReadReport()
        )

    @classmethod
    def from_pandas(
        cls,
        frame: Any,  # noqa: ANN401
        *,
        id: str = "",  # noqa: A002 - the name of the column
        text: str = "",
        author: str = "",
        work: str = "",
        locus: str = "",
    ) -> Document:
        """Create a document from a data frame of pandas (or of Polars): a row is a segment.

        Columns are found by name, as in a file: ``seg_id`` or ``id``, ``text``, ``author``,
        ``work``, ``locus``; others become metadata. Without a column of ids, the index has them.
        Rows without text are skipped; `report` says which.

        Parameters
        ----------
        frame
            The data frame.
        id, text, author, work, locus
            The names of columns that are called otherwise.

        Raises
        ------
        InputError
            If there is no text, or an id is missing or repeated.

        Examples
        --------
        >>> import pandas
        >>> frame = pandas.DataFrame({"ref": ["1.1", "1.2"], "text": ["arma", "Italiam"]})
        >>> Document.from_pandas(frame, id="ref").ids
        ('1.1', '1.2')
        """
        from locisimiles.corpus.in_memory import columns_of_frame

        report = ReadReport()
        named = {"seg_id": id, "text": text, "author": author, "work": work, "locus": locus}
        return cls._from_columns(columns_of_frame(frame, named, report), report)

    @classmethod
    def from_spacy(
        cls,
        documents: Any,  # noqa: ANN401
        name: str = "",
        *,
        author: str = "",
        work: str = "",
    ) -> Document:
        """Create a document from one or several documents of spaCy: a sentence is a segment.

        Parameters
        ----------
        documents
            A ``Doc``, or several, with sentences.
        name
            What ids begin with; after it comes the number of the sentence, or those of document and
            sentence.
        author, work
            Whose they are.

        Raises
        ------
        ParameterError
            If nothing says where sentences begin.
        """
        from locisimiles.corpus.in_memory import columns_of_sentences

        return cls._from_columns(
            columns_of_sentences(documents, name, author=author, work=work), ReadReport()
        )

    @classmethod
    def of_columns(cls, columns: Columns) -> Document:
        """Create a document of the columns of a table."""
        return cls._from_columns(columns, ReadReport())

    @classmethod
    def _from_columns(cls, columns: Columns, report: ReadReport) -> Document:
        document = cls.__new__(cls)
        document._fill(columns, report)  # noqa: SLF001 - our own
        return document

    def _fill(self, columns: Columns, report: ReadReport) -> None:
        self._ids: Sequence[str] = tuple(columns.ids)
        self._texts: Sequence[str] = tuple(columns.texts)
        self._authors: Sequence[str] = tuple(columns.authors)
        self._works: Sequence[str] = tuple(columns.works)
        self._loci: Sequence[str] = tuple(columns.loci)
        self._marks: Sequence[str] = tuple(columns.marks)
        self._meta: dict[str, Sequence[str]] = {
            name: tuple(column) for name, column in columns.meta.items()
        }
        self._report = report
        self._positions: Mapping[str, int] = {
            segment_id: position for position, segment_id in enumerate(self._ids)
        }
        if len(self._positions) != len(self._ids):
            twice = next(i for i, count in Counter(self._ids).items() if count > 1)
            raise SegmentIdError("corpus.duplicate_id", id=printable(twice))

    @property
    def ids(self) -> Sequence[str]:
        """The ids, in order."""
        return self._ids

    @property
    def texts(self) -> Sequence[str]:
        """The texts, in order."""
        return self._texts

    @property
    def authors(self) -> Sequence[str]:
        """The author of each segment, in order."""
        return self._authors

    @property
    def works(self) -> Sequence[str]:
        """The work of each segment, in order."""
        return self._works

    @property
    def loci(self) -> Sequence[str]:
        """The locus of each segment, in order."""
        return self._loci

    @property
    def marks(self) -> Sequence[str]:
        """Where in each text its loci begin, as `corpus.columns.format_marks` writes it."""
        return self._marks

    @property
    def meta(self) -> Mapping[str, Sequence[str]]:
        """Further columns of the input, by name."""
        return MappingProxyType(self._meta)

    @property
    def report(self) -> ReadReport:
        """What was skipped or guessed while the inputs were read."""
        return self._report

    def index(self, segment_id: str) -> int:
        """Return the position of the segment with this id, or raise a KeyError."""
        position = self._positions.get(segment_id) if isinstance(segment_id, str) else None
        if position is None:
            raise KeyError(f"no segment has the id {segment_id!r}")
        return position

    def select(self, positions: Iterable[int]) -> Document:
        """Return a document with the segments at these positions, in this order.

        Examples
        --------
        >>> document = Document.from_segments([Segment("a", "arma"), Segment("b", "uirumque")])
        >>> document.select([1]).ids
        ('b',)
        """
        return Document.from_segments(self[position] for position in positions)

    def fingerprint(self) -> str:
        """Return the SHA-256 of ids and texts, which identifies the document in manifests.

        Examples
        --------
        >>> Document.from_segments([Segment("a", "arma")]).fingerprint()[:12]
        '68bf083f2054'
        """
        return sha256_of(framed(chain.from_iterable(zip(self._ids, self._texts, strict=True))))

    def __len__(self) -> int:
        return len(self._ids)

    def __iter__(self) -> Iterator[Segment]:
        return (self._segment(position) for position in range(len(self)))

    @overload
    def __getitem__(self, key: int | str) -> Segment: ...
    @overload
    def __getitem__(self, key: slice) -> Document: ...
    def __getitem__(self, key: int | str | slice) -> Segment | Document:
        if isinstance(key, slice):
            return self.select(range(*key.indices(len(self))))
        if isinstance(key, str):
            return self._segment(self.index(key))
        return self._segment(checked_row(key, len(self), "segments"))

    def __contains__(self, segment: object) -> bool:
        if isinstance(segment, Segment):
            return segment.id in self._positions and self[segment.id] == segment
        return isinstance(segment, str) and segment in self._positions

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Document):
            return NotImplemented
        return len(self) == len(other) and all(a == b for a, b in zip(self, other, strict=True))

    def __hash__(self) -> int:
        return hash(self._ids)

    def __repr__(self) -> str:
        authors = [author for author in dict.fromkeys(self._authors) if author]
        by = f" by {', '.join(authors)}" if authors else ""
        return f"<Document: {len(self):,} segments{by}>"

    def _segment(self, position: int) -> Segment:
        meta = {name: column[position] for name, column in self._meta.items() if column[position]}
        return Segment(
            id=self._ids[position],
            text=self._texts[position],
            author=self._authors[position],
            work=self._works[position],
            locus=self._loci[position],
            loci=parse_marks(self._marks[position]),
            meta=meta,
        )


def check_documents(**documents: object) -> None:
    """Raise a ParameterError for what is no document.

    Examples
    --------
    >>> check_documents(query=["arma uirumque cano"])
    Traceback (most recent call last):
    ...
    locisimiles.errors.ParameterError: query must be a Document (got list); make one with
    Document(FILE), Document.from_texts(LIST) or Document.from_pandas(FRAME)
    """
    for name, value in documents.items():
        if not isinstance(value, Document):
            raise ParameterError("corpus.not_a_document", name=name, kind=kind_of(value))
