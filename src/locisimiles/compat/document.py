"""Documents as the paper's package has them: segments by id, added, cleaned and cut in place."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from locisimiles.compat.tables import data_frame, records_of
from locisimiles.corpus import Document as OurDocument
from locisimiles.corpus import ReadOptions
from locisimiles.errors import EmptyInputError, InputError, MissingColumnError, ParameterError
from locisimiles.files.writing import atomic

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

__all__ = ["ID", "Document", "TextSegment"]

ID = str | int
_TABLES = {".csv", ".tsv"}
_MEMORY = "<memory>"
_SENTENCE_END = re.compile(r"(?<=[.!?;])\s+")
_QUOTES = str.maketrans("“”„«»‘’‚‛`´", "\"\"\"\"\"''''''")
_DASHES = str.maketrans(dict.fromkeys("–—‒―−‑", "-"))


class TextSegment:
    """A passage with its id, its place in the document, and metadata."""

    def __init__(
        self,
        text: str,
        seg_id: ID,
        *,
        row_id: int | None = None,
        meta: dict[str, Any] | None = None,
    ) -> None:
        self.text = text
        self.id = seg_id
        self.row_id = row_id
        self.meta: dict[str, Any] = meta or {}

    def __repr__(self) -> str:
        return f"TextSegment(id={self.id!r}, row_id={self.row_id}, len={len(self.text)})"


class Document:
    """Segments by id, in order.

    Parameters
    ----------
    path
        A table with the columns ``seg_id`` and ``text``; any other file holds a segment per line.
        A file that does not exist is an empty document, to which segments can be added.
    author, meta
        Of the whole document.
    segment_delimiter
        What separates segments in a file that is no table.

    Examples
    --------
    >>> document = Document("mine.csv", author="Vergil")
    >>> document.add_segment("Arma uirumque cano", "verg. aen. 1.1")
    >>> document.ids(), document.get_text("verg. aen. 1.1")
    (['verg. aen. 1.1'], 'Arma uirumque cano')
    """

    def __init__(
        self,
        path: str | Path,
        *,
        author: str | None = None,
        meta: dict[str, Any] | None = None,
        segment_delimiter: str = "\n",
    ) -> None:
        self.path = Path(path)
        self.author = author
        self.meta: dict[str, Any] = meta or {}
        self._segments: dict[ID, TextSegment] = {}
        if self.path.exists():
            for number, (segment_id, text) in enumerate(_read(self.path, segment_delimiter)):
                self.add_segment(text, number if segment_id is None else segment_id, row_id=number)

    def __len__(self) -> int:
        return len(self._segments)

    def __iter__(self) -> Iterator[TextSegment]:
        return iter(sorted(self._segments.values(), key=lambda one: one.row_id or 0))

    def __getitem__(self, seg_id: ID) -> TextSegment:
        return self._segments[seg_id]

    def __repr__(self) -> str:
        return (
            f"Document({self.path.name!r}, segments={len(self)}, author={self.author!r}, "
            f"meta={self.meta})"
        )

    @property
    def segments(self) -> dict[ID, TextSegment]:
        """The segments by id."""
        return self._segments

    def ids(self) -> list[ID]:
        """Return the ids, in order."""
        return [segment.id for segment in self]

    def get_text(self, seg_id: ID) -> str:
        """Return the text of a segment."""
        return self._segments[seg_id].text

    def head(self, n: int = 5) -> list[TextSegment]:
        """Return the first segments."""
        return list(self)[: max(n, 0)]

    def add_segment(
        self,
        text: str,
        seg_id: ID,
        *,
        row_id: int | None = None,
        meta: dict[str, Any] | None = None,
    ) -> None:
        """Append a segment."""
        if seg_id in self._segments:
            raise ParameterError("compat.segment_exists", id=str(seg_id))
        place = len(self._segments) if row_id is None else row_id
        self._segments[seg_id] = TextSegment(text, seg_id, row_id=place, meta=meta)

    def remove_segment(self, seg_id: ID) -> None:
        """Delete a segment, if there is one of this id."""
        self._segments.pop(seg_id, None)

    def statistics(self) -> dict[str, Any]:
        """Return the number of segments, letters and words."""
        letters = [len(segment.text) for segment in self]
        words = [len(segment.text.split()) for segment in self]
        count = len(letters)
        return {
            "num_segments": count,
            "total_chars": sum(letters),
            "total_words": sum(words),
            "avg_chars_per_segment": round(sum(letters) / count, 2) if count else 0.0,
            "avg_words_per_segment": round(sum(words) / count, 2) if count else 0.0,
            "min_segment_chars": min(letters, default=0),
            "max_segment_chars": max(letters, default=0),
        }

    def clean(
        self,
        *,
        normalize_unicode: bool = True,
        normalize_quotes: bool = True,
        normalize_dashes: bool = True,
        collapse_whitespace: bool = True,
        strip_whitespace: bool = True,
        drop_empty: bool = True,
    ) -> Self:
        """Make quotation marks, dashes and spaces uniform, in place."""
        steps: list[tuple[bool, Callable[[str], str]]] = [
            (normalize_unicode, lambda text: unicodedata.normalize("NFC", text)),
            (normalize_quotes, lambda text: text.translate(_QUOTES)),
            (normalize_dashes, lambda text: text.translate(_DASHES)),
            (collapse_whitespace, lambda text: re.sub(r"\s+", " ", text)),
            (strip_whitespace, str.strip),
        ]
        kept = []
        for segment in self:
            for wanted, step in steps:
                segment.text = step(segment.text) if wanted else segment.text
            if segment.text or not drop_empty:
                kept.append(segment)
        return self._keep(kept)

    def sentencize(
        self,
        *,
        splitter: Callable[[str], list[str]] | None = None,
        id_separator: str = ".",
    ) -> Self:
        """Make each sentence a segment, in place; one may begin in a segment and end in another.

        Parameters
        ----------
        splitter
            Cuts a text into sentences; by default after ``. ! ? ;``. Our own reading of texts knows
            praenomina and abbreviations: see `locisimiles.Document`.
        id_separator
            What stands between the id of the segment where a sentence begins and its number.
        """
        whole = " ".join(segment.text for segment in self)
        sentences = (splitter or _split)(whole)
        starts, segments = self._starts()
        found: list[TextSegment] = []
        numbers: dict[ID, int] = {}
        at, origin = 0, 0
        for sentence in sentences:
            begin = whole.find(sentence, at)
            if begin < 0:
                raise ParameterError("compat.sentence_not_in_text", sentence=sentence)
            at = begin + len(sentence)
            while origin + 1 < len(starts) and starts[origin + 1] <= begin:
                origin += 1
            old = segments[origin]
            numbers[old.id] = number = numbers.get(old.id, 0) + 1
            meta = {**old.meta, "original_seg_id": old.id, "sentence_index": number}
            found.append(TextSegment(sentence, f"{old.id}{id_separator}{number}", meta=meta))
        return self._keep(found) if found else self

    def _starts(self) -> tuple[list[int], list[TextSegment]]:
        starts, segments, at = [], list(self), 0
        for segment in segments:
            starts.append(at)
            at += len(segment.text) + 1
        return starts, segments

    def _keep(self, segments: list[TextSegment]) -> Self:
        for number, segment in enumerate(segments):
            segment.row_id = number
        self._segments = {segment.id: segment for segment in segments}
        return self

    def to_dict(self) -> dict[str, Any]:
        """Return the document as plain values, for `from_dict`."""
        whole = {"path": str(self.path), "author": self.author, "meta": dict(self.meta)}
        return {**whole, "segments": self._records()}

    def to_dataframe(self) -> Any:
        """Return a pandas data frame: ``seg_id``, ``text``, ``row_id``, ``meta``."""
        return data_frame(self._records(), ["seg_id", "text", "row_id", "meta"])

    def _records(self) -> list[dict[str, Any]]:
        return [
            {"seg_id": one.id, "text": one.text, "row_id": one.row_id, "meta": dict(one.meta)}
            for one in self
        ]

    @classmethod
    def from_dict(
        cls,
        data: Mapping[str, Any],
        *,
        path: str | Path | None = None,
        author: str | None = None,
        meta: dict[str, Any] | None = None,
    ) -> Self:
        """Create a document from what `to_dict` returned."""
        if "segments" not in data:
            raise ParameterError("compat.no_segments")
        document = cls._empty(
            path or data.get("path", _MEMORY),
            data.get("author") if author is None else author,
            data.get("meta") if meta is None else meta,
        )
        return document._filled(data["segments"])

    @classmethod
    def from_dataframe(
        cls,
        df: Any,
        *,
        path: str | Path = _MEMORY,
        author: str | None = None,
        meta: dict[str, Any] | None = None,
    ) -> Self:
        """Create a document from a data frame with ``seg_id`` and ``text``."""
        return cls._empty(path, author, meta)._filled(records_of(df, ("seg_id", "text")))

    @classmethod
    def _empty(cls, path: str | Path, author: str | None, meta: dict[str, Any] | None) -> Self:
        document = cls.__new__(cls)
        document.path, document.author, document.meta = Path(path), author, dict(meta or {})
        document._segments = {}
        return document

    def _filled(self, records: Iterable[Mapping[str, Any]]) -> Self:
        placed = sorted(records, key=lambda one: (one.get("row_id") is None, one.get("row_id", 0)))
        for number, record in enumerate(placed):
            meta, place = record.get("meta"), record.get("row_id")
            self.add_segment(
                record["text"],
                record["seg_id"],
                row_id=number if place is None else int(place),
                meta=dict(meta) if isinstance(meta, dict) else None,
            )
        return self

    def save_plain(self, path: str | Path, *, delimiter: str = "\n") -> Path:
        """Write the texts."""
        with atomic(_in_folder(path)) as stream:
            stream.write(delimiter.join(segment.text for segment in self))
        return Path(path)

    def save_csv(self, path: str | Path) -> Path:
        """Write a table with ``seg_id`` and ``text``."""
        table = io.StringIO(newline="")
        csv.writer(table).writerows(
            [["seg_id", "text"], *([segment.id, segment.text] for segment in self)]
        )
        with atomic(_in_folder(path)) as stream:
            stream.write(table.getvalue())
        return Path(path)


def _in_folder(path: str | Path) -> Path:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    return Path(path)


def _split(text: str) -> list[str]:
    return [part.strip() for part in _SENTENCE_END.split(text) if part.strip()]


def _read(path: Path, delimiter: str) -> list[tuple[ID | None, str]]:
    """Return ids and texts of a file; a text that is no table has no ids."""
    if path.suffix.lower() in _TABLES:
        try:
            read = OurDocument(path, format="csv", options=ReadOptions())
        except MissingColumnError as error:  # theirs is a ValueError
            raise ParameterError("compat.no_columns", path=str(path)) from error
        except EmptyInputError:
            return []
        return list(zip(read.ids, read.texts, strict=True))
    try:
        parts = path.read_text(encoding="utf-8").split(delimiter)
    except (OSError, UnicodeDecodeError) as error:
        raise InputError("compat.unreadable", file=str(path), reason=str(error)) from error
    return [(None, text) for text in parts if text.strip()]
