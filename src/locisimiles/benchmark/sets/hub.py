"""Load the benchmark as its authors publish it on the Hugging Face Hub, or a copy of it.

The paper announces the source corpus, the query texts and the annotated references, in one or
several datasets, and does not name their files or columns. So tables (CSV, TSV, JSON Lines,
Parquet) are recognised by their content:

* a table with two segment ids per row (``query_id`` and ``source_id``, or as in the published
  labels ``position_query`` and ``position_corpus``) holds references,
* a table with an id (``seg_id``, ``id``, ``segment_id`` or ``position``) and a ``text`` holds
  segments. Its side is the one on which references name its ids; if none does, its name must
  contain ``query``, or ``source`` or ``corpus``, or its ids must begin as those of an author of
  that side.

Several tables of a kind (splits, shards, one per author) are joined. Angle brackets around ids are
removed.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from locisimiles.benchmark.sets.authors import QUERY_AUTHORS, SOURCE_AUTHORS
from locisimiles.benchmark.sets.dataset import Benchmark
from locisimiles.benchmark.sets.gold import author_of_id
from locisimiles.benchmark.sets.labels import (
    QUERY_COLUMNS,
    SOURCE_COLUMNS,
    bare_id,
    check_ids,
    distinct_pairs,
    read_pairs,
    references_between,
)
from locisimiles.corpus import Document, Segment
from locisimiles.errors import DownloadError, InputError, SegmentIdError
from locisimiles.files.tables import TABLE_SUFFIXES, read_table
from locisimiles.installation import install_command

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from locisimiles.benchmark.sets.labels import LabelledPair
    from locisimiles.files.tables import Table, TableRow

__all__ = ["load_hub_dataset"]

_ID_COLUMNS = ("seg_id", "id", "segment_id", "position")
_TEXT_COLUMNS = ("text",)


def load_hub_dataset(name: str | Sequence[str], revision: str | None = None) -> Benchmark:
    """Load a published benchmark from the Hub.

    Parameters
    ----------
    name
        The dataset (``owner/name``) or a folder with a copy; several if they make up the benchmark
        together.
    revision
        A branch, tag or commit, so that the set does not change; ignored for folders.

    Raises
    ------
    DownloadError
        If it cannot be fetched: no such dataset, no network, or no ``huggingface_hub``.
    InputError
        If it is not a benchmark; the message names file and row.
    """
    names = [name] if isinstance(name, str) else list(name)
    folders = [Path(one) if Path(one).is_dir() else _download(one, revision) for one in names]
    # Manifests are shared, so they do not say where on this machine a copy is.
    titles = [Path(one).resolve().name if Path(one).is_dir() else one for one in names]
    benchmark = _load_tables(folders, name=titles[0])
    return replace(benchmark, manifest={"hub": {"datasets": titles, "revision": revision or ""}})


def _download(name: str, revision: str | None) -> Path:
    try:
        import huggingface_hub  # type: ignore[import-not-found,unused-ignore]
    except ImportError as error:
        raise DownloadError(
            "benchmark.hub_not_installed",
            name=name,
            install=install_command(library="huggingface_hub"),
        ) from error
    try:
        folder = huggingface_hub.snapshot_download(
            name,
            repo_type="dataset",
            revision=revision,
            allow_patterns=[f"*{suffix}" for suffix in TABLE_SUFFIXES],
        )
    except Exception as error:
        # The HTTP library that huggingface_hub uses has its own exceptions, and has changed once.
        if not isinstance(error, OSError | ValueError) and "http" not in type(error).__module__:
            raise
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise DownloadError("benchmark.not_fetched", name=name, reason=reason) from error
    return Path(folder)


def _load_tables(folders: Sequence[Path], *, name: str) -> Benchmark:
    """Load a benchmark from the tables in some folders and below them."""
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
            "benchmark.no_reference_table",
            file=where,
            query=QUERY_COLUMNS[0],
            source=SOURCE_COLUMNS[0],
        )
    of_table = {table.file: read_pairs(table, published=True) for table in labels}
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
    # The first criterion on which the two sides differ decides.
    for for_query, for_source in (
        (sum(i in queries for i in ids), sum(i in sources for i in ids)),
        ("query" in file_name, "source" in file_name or "corpus" in file_name),
        (not authors.isdisjoint(QUERY_AUTHORS), not authors.isdisjoint(SOURCE_AUTHORS)),
    ):
        if for_query != for_source:
            return "query" if for_query > for_source else "source"
    raise InputError("benchmark.unknown_side", file=table.file)


def _document(tables: Sequence[Table], side: str, where: str) -> Document:
    if not tables:
        raise InputError("benchmark.no_segment_table", file=where, side=side)
    segments: dict[str, Segment] = {}
    for table in tables:
        column = table.require(_ID_COLUMNS)
        for row in table.rows:
            segment = _segment(row, column)
            if not segment.id:
                raise SegmentIdError("corpus.empty_id", file=table.file, row=row.number)
            if segments.setdefault(segment.id, segment) != segment:
                raise SegmentIdError(
                    "corpus.duplicate_id", file=table.file, row=row.number, id=segment.id
                )
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
