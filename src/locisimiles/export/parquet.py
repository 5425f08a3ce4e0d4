"""Parquet, for data frames; the manifest is in the metadata of the schema."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, BinaryIO

from locisimiles.export.columns import NUMBER_COLUMNS, column_names, result_rows
from locisimiles.export.json_files import compact_json
from locisimiles.files.tables import import_pyarrow

if TYPE_CHECKING:
    from locisimiles.results import Results

__all__ = ["MANIFEST_KEY", "write_parquet"]

MANIFEST_KEY = b"locisimiles.manifest"
_ROWS_PER_GROUP = 10_000


def write_parquet(results: Results, stream: BinaryIO) -> None:
    """Write results as a Parquet table."""
    arrow, parquet = import_pyarrow()
    names = column_names(results)
    numbers = NUMBER_COLUMNS - set(results.further)  # others' columns are text
    types = {name: arrow.string() for name in names} | {name: arrow.float64() for name in numbers}
    if "rank" in numbers:
        types["rank"] = arrow.int32()
    manifest = compact_json(dict(results.manifest)).encode()
    schema = arrow.schema([(name, types[name]) for name in names], {MANIFEST_KEY: manifest})
    rows = result_rows(results)
    with parquet.ParquetWriter(stream, schema, compression="zstd") as writer:
        while batch := list(islice(rows, _ROWS_PER_GROUP)):
            writer.write_table(arrow.Table.from_pylist(batch, schema=schema))
