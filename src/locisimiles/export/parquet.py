"""Parquet, for data frames; the manifest is in the metadata of the file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, BinaryIO

from locisimiles.export.json_files import compact_json
from locisimiles.files.tables import import_pyarrow
from locisimiles.results.columns import MANIFEST_KEY

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from locisimiles.export.blocks import BlockRows

__all__ = ["write_parquet"]

_ROWS_PER_GROUP = 10_000


def write_parquet(results: BlockRows, stream: BinaryIO) -> None:
    """Write results as a Parquet table, whose groups of rows do not depend on blocks."""
    arrow, parquet = import_pyarrow()
    types = dict.fromkeys(results.names, arrow.string())
    types |= dict.fromkeys(results.numbers, arrow.float64())
    if "rank" in results.numbers:
        types["rank"] = arrow.int32()
    schema = arrow.schema([(name, types[name]) for name in results.names])
    # Stored, the schema would hide metadata that are added at the end from those who read a table.
    with parquet.ParquetWriter(stream, schema, compression="zstd", store_schema=False) as writer:
        tables = (
            arrow.table([cells[name] for name in results.names], schema=schema)
            for cells in results.batches()
        )
        for group in _groups(tables, arrow):
            writer.write_table(group)
        # It is complete only with the last block, and Parquet has its metadata at the end.
        writer.add_key_value_metadata({MANIFEST_KEY.encode(): compact_json(dict(results.manifest))})


def _groups(tables: Iterable[Any], arrow: Any) -> Iterator[Any]:  # noqa: ANN401
    """Yield the rows of tables as tables of equal size; only the last may have fewer."""
    waiting: list[Any] = []
    for table in tables:
        waiting.append(table)
        while sum(map(len, waiting)) >= _ROWS_PER_GROUP:
            joined = arrow.concat_tables(waiting)
            yield joined.slice(0, _ROWS_PER_GROUP).combine_chunks()
            waiting = [joined.slice(_ROWS_PER_GROUP)]
    if any(map(len, waiting)):
        yield arrow.concat_tables(waiting).combine_chunks()
