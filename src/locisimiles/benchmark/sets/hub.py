"""Load the benchmark as its authors publish it on the Hugging Face Hub, or a copy of it.

The paper announces the source corpus, the query texts and the annotated references, in one or
several datasets, and does not name their files or columns. So tables (CSV, TSV, JSON Lines,
Parquet) are told apart by what is in them:

* a table with the ids of two segments a row (``query_id`` and ``source_id``, or as in the published
  labels ``position_query`` and ``position_corpus``) holds references,
* a table with an id (``seg_id``, ``id``, ``segment_id`` or ``position``) and a ``text`` holds
  segments, of the side on which references name its ids; if none does, its name must contain
  ``query``, or ``source`` or ``corpus``, or its ids begin as those of an author of that side do.

Several tables of a kind (splits, shards, one for each author) are put together. Angle brackets
around ids are left out.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from locisimiles.benchmark.sets.authors import QUERY_AUTHORS, SOURCE_AUTHORS
from locisimiles.benchmark.sets.dataset import Benchmark
from locisimiles.benchmark.sets.gold import author_of_id, bare_id
from locisimiles.benchmark.sets.labels import (
    QUERY_COLUMNS,
    SOURCE_COLUMNS,
    check_ids,
    distinct_pairs,
    read_pairs,
    references_between,
)
from locisimiles.corpus import Document, Segment
from locisimiles.errors import DownloadError, InputError, SegmentIdError
from locisimiles.files.tables import TABLE_SUFFIXES, read_table

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from locisimiles.benchmark.sets.labels import LabelledPair
    from locisimiles.files.tables import Table, TableRow

__all__ = ["load_hub_dataset", "load_tables"]

_ID_COLUMNS = ("seg_id", "id", "segment_id", "position")
_TEXT_COLUMNS = ("text",)


def load_hub_dataset(name: str | Sequence[str], revision: str | None = None) -> Benchmark:
    """Load a published benchmark from the Hub.

    Parameters
    ----------
    name
        The dataset (``owner/name``), or several that make up the benchmark together; folders with
        copies of them do as well.
    revision
        A branch, tag or commit, for a set that does not change under our hands. Of no meaning for
        folders.

    Raises
    ------
    DownloadError
        If it cannot be had: no such dataset, no network, or no ``huggingface_hub`` installed.
    InputError
        If what came is no benchmark; the message names file and row.
    """
    names = [name] if isinstance(name, str) else list(name)
    folders = [Path(one) if Path(one).is_dir() else _download(one, revision) for one in names]
    # Where on this machine a copy lies is nobody's business; manifests travel.
    titles = [Path(one).resolve().name if Path(one).is_dir() else one for one in names]
    benchmark = load_tables(folders, name=titles[0])
    return replace(benchmark, manifest={"hub": {"datasets": titles, "revision": revision or ""}})


def _download(name: str, revision: str | None) -> Path:
    try:
        import huggingface_hub  # type: ignore[import-not-found,unused-ignore]
    except ImportError as error:
        raise DownloadError(
            f"the dataset {name} can only be fetched with the package huggingface_hub",
            hint="pip install huggingface_hub, or name a folder with a copy of the dataset",
        ) from error
    failures: tuple[type[Exception], ...] = (OSError, ValueError, *_connection_errors())
    try:
        folder = huggingface_hub.snapshot_download(
            name,
            repo_type="dataset",
            revision=revision,
            allow_patterns=[f"*{suffix}" for suffix in TABLE_SUFFIXES],
        )
    except failures as error:
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise DownloadError(
            f"the dataset {name} could not be fetched ({reason})",
            hint="look at name and network, or name a folder with a copy of the dataset",
        ) from error
    return Path(folder)


def _connection_errors() -> tuple[type[Exception], ...]:
    """Return what newer versions of huggingface_hub let through when there is no network."""
    try:
        from httpx import HTTPError  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        return ()
    return (HTTPError,)


def load_tables(folders: Iterable[Path], *, name: str) -> Benchmark:
    """Load a benchmark from the tables in some folders and below them.

    Raises
    ------
    InputError
        If there are no references, or no segments of one side, among them.
    """
    folders = list(folders)
    paths = sorted(
        path
        for folder in folders
        for path in folder.rglob("*")
        if path.suffix.lower() in TABLE_SUFFIXES and path.is_file()
    )
    tables = [read_table(path) for path in paths]
    labels = [table for table in tables if _has_pairs(table)]
    corpora = [table for table in tables if not _has_pairs(table) and _has_segments(table)]
    where = ", ".join(map(str, folders))
    if not labels:
        raise InputError(
            "there is no table of references",
            file=where,
            hint=f"it must have the columns {QUERY_COLUMNS[0]!r} and {SOURCE_COLUMNS[0]!r}",
        )
    of_table = {table.file: _bare_pairs(table) for table in labels}
    pairs = distinct_pairs([pair for found in of_table.values() for pair in found], file=where)
    sides = _by_side(corpora, pairs)
    query, source = (_document(sides[side], side, where) for side in ("query", "source"))
    for file, found in of_table.items():
        check_ids(found, query, source, file=file)
    references, provenance = references_between(pairs, query, source, file=where)
    return Benchmark(query, source, references, name=name, provenance=provenance)


def _has_pairs(table: Table) -> bool:
    return bool(table.column(QUERY_COLUMNS) and table.column(SOURCE_COLUMNS))


def _has_segments(table: Table) -> bool:
    return bool(table.column(_ID_COLUMNS) and table.column(_TEXT_COLUMNS))


def _bare_pairs(table: Table) -> list[LabelledPair]:
    return [
        replace(pair, query_id=bare_id(pair.query_id), source_id=bare_id(pair.source_id))
        for pair in read_pairs(table)
    ]


def _by_side(corpora: Iterable[Table], pairs: Iterable[LabelledPair]) -> dict[str, list[Table]]:
    queries = {pair.query_id for pair in pairs}
    sources = {pair.source_id for pair in pairs}
    sides: dict[str, list[Table]] = {"query": [], "source": []}
    for table in corpora:
        sides[_side_of(table, queries, sources)].append(table)
    return sides


def _side_of(table: Table, queries: Collection[str], sources: Collection[str]) -> str:
    column = table.require(_ID_COLUMNS)
    ids = [bare_id(row.cells.get(column, "")) for row in table.rows]
    file_name = Path(table.file).name.lower()
    authors = {author_of_id(segment_id) for segment_id in ids}
    # The first of these tests on which the two sides differ decides.
    for for_query, for_source in (
        (sum(i in queries for i in ids), sum(i in sources for i in ids)),
        ("query" in file_name, "source" in file_name or "corpus" in file_name),
        (not authors.isdisjoint(QUERY_AUTHORS), not authors.isdisjoint(SOURCE_AUTHORS)),
    ):
        if for_query != for_source:
            return "query" if for_query > for_source else "source"
    raise InputError(
        "we cannot tell whether these are query or source segments",
        file=table.file,
        hint="put 'query' or 'source' into the name of the file",
    )


def _document(tables: Sequence[Table], side: str, where: str) -> Document:
    if not tables:
        raise InputError(
            f"there is no table of {side} segments",
            file=where,
            hint="it must have the columns 'seg_id' and 'text', and the ids that the labels name",
        )
    segments: dict[str, Segment] = {}
    for table in tables:
        column = table.require(_ID_COLUMNS)
        for row in table.rows:
            segment = _segment(row, column)
            if not segment.id or segments.get(segment.id, segment) != segment:
                problem = (
                    f"the id {segment.id!r} was used before" if segment.id else "the id is empty"
                )
                raise SegmentIdError(
                    problem, file=table.file, row=row.number, hint="ids must be unique"
                )
            segments[segment.id] = segment
    return Document.from_segments(segment for segment in segments.values() if segment.text)


def _segment(row: TableRow, id_column: str) -> Segment:
    cells = row.cells
    segment_id = bare_id(cells.get(id_column, ""))
    return Segment(
        id=segment_id,
        text=cells.get("text", ""),
        author=cells.get("author", "") or author_of_id(segment_id),
        work=cells.get("work", ""),
        locus=cells.get("locus", ""),
    )
