"""Segments from what a program already holds: texts, data frames, spaCy documents."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from locisimiles.checks import check_equal_lengths
from locisimiles.corpus.checking import check_texts, kind_of
from locisimiles.corpus.columns import Columns
from locisimiles.corpus.formats.records import segments_from_rows
from locisimiles.errors import EmptyInputError, ParameterError, SegmentIdError
from locisimiles.files.tables import TableRow, listed_columns

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from locisimiles.corpus.report import ReadReport

__all__ = ["columns_of_frame", "columns_of_sentences", "columns_of_texts"]

_FRAME = "data frame"  # as messages name it


def columns_of_texts(
    texts: Iterable[str] | Mapping[str, str],
    ids: Iterable[str] | None,
    *,
    author: str,
    work: str,
) -> Columns:
    """Return a segment for each text; see `Document.from_texts`."""
    if isinstance(texts, str):
        raise ParameterError("corpus.one_text")
    if isinstance(texts, Mapping):
        if ids is not None:
            raise ParameterError("corpus.ids_twice")
        ids, texts = list(texts), texts.values()
    listed = list(texts)
    named = [str(n + 1) for n in range(len(listed))] if ids is None else list(ids)
    check_equal_lengths(texts=listed, ids=named)
    columns = Columns()
    for segment_id, text in zip(named, listed, strict=True):
        check_texts((text, segment_id))
        if not segment_id.strip():
            raise SegmentIdError("corpus.empty_id")
        columns.add(str(segment_id), str(text), author=author, work=work)  # NumPy has its own
    return columns


def columns_of_frame(frame: Any, named: Mapping[str, str], report: ReadReport) -> Columns:  # noqa: ANN401
    """Return the segments of a data frame; see `Document.from_pandas`."""
    if not hasattr(frame, "columns"):
        raise ParameterError("corpus.not_a_frame", kind=kind_of(frame))
    names = [str(name) for name in frame.columns]
    roles = {given: role for role, given in named.items() if given}
    for given in roles:
        if given not in names:
            raise ParameterError("corpus.no_such_column", name=given, columns=listed_columns(names))
    taken = {*roles.values(), *(_IDS if "seg_id" in roles.values() else ())}
    # A column that was given a role takes the place of the one that is called so.
    chosen = [name for name in names if name in roles or name.strip().lower() not in taken]
    headers = [roles.get(name, name) for name in chosen]
    columns = [list(frame[frame.columns[names.index(name)]]) for name in chosen]
    if not {name.strip().lower() for name in headers} & _IDS and hasattr(frame, "index"):
        headers, columns = ["seg_id", *headers], [list(frame.index), *columns]
    if not columns or not len(columns[0]):
        raise EmptyInputError("corpus.empty_frame")
    return segments_from_rows(headers, _rows(headers, columns), _FRAME, report)


def columns_of_sentences(documents: Any, name: str, *, author: str, work: str) -> Columns:  # noqa: ANN401
    """Return a segment for each sentence; see `Document.from_spacy`."""
    columns = Columns()
    many = [documents] if _is_document(documents) else list(documents)
    for number, one in enumerate(many, start=1):
        if not _is_document(one):
            raise ParameterError("corpus.no_spacy_document", value=type(one).__name__)
        prefix = name if len(many) == 1 else f"{name} {number}".strip()
        for place, text in enumerate(_sentences(one), start=1):
            columns.add(f"{prefix} {place}".strip(), text, author=author, work=work)
    return columns


_IDS = {"seg_id", "id", "segment_id"}
_MISSING = {"nan", "NaT", "<NA>"}  # as pandas writes them; a text "nan" is a string


def _rows(headers: Sequence[str], columns: Sequence[Sequence[object]]) -> Iterator[TableRow]:
    for row, cells in enumerate(zip(*columns, strict=True), start=1):
        written = map(_cell, cells)
        yield TableRow(row, dict(zip(headers, written, strict=True)))


def _cell(value: object) -> str:
    """Return a value as text; missing ones (None, NaN, NaT) are empty."""
    if isinstance(value, str):
        return value
    if value is None or str(value) in _MISSING:
        return ""
    return json.dumps(value, ensure_ascii=False) if isinstance(value, list | dict) else str(value)


def _is_document(value: object) -> bool:
    return hasattr(type(value), "sents") or "sents" in getattr(value, "__dict__", {})


def _sentences(document: Any) -> list[str]:  # noqa: ANN401
    try:
        texts = [sentence.text.strip() for sentence in document.sents]
    except ValueError as error:  # spaCy's E030: nothing says where sentences begin
        raise ParameterError("corpus.no_sentences") from error
    return [text for text in texts if text]
