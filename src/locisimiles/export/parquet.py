"""Parquet, for data frames; the manifest is in the metadata of the file."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, BinaryIO

from locisimiles.export.json_files import compact_json
from locisimiles.files.tables import import_pyarrow
from locisimiles.results.columns import MANIFEST_KEY

if TYPE_CHECKING:
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
    rows = iter(results)
    # Stored, the schema would hide metadata that are added at the end from those who read a table.
    with parquet.ParquetWriter(stream, schema, compression="zstd", store_schema=False) as writer:
        while batch := list(islice(rows, _ROWS_PER_GROUP)):
            writer.write_table(arrow.Table.from_pylist(batch, schema=schema))
        # It is complete only with the last block, and Parquet has its metadata at the end.
        writer.add_key_value_metadata({MANIFEST_KEY.encode(): compact_json(dict(results.manifest))})
