"""Parquet, for data frames; the manifest is kept in the metadata of the schema."""

from __future__ import annotations

import json
from importlib import import_module
from itertools import islice
from typing import TYPE_CHECKING, Any, BinaryIO

from locisimiles.errors import MissingDependencyError
from locisimiles.export.columns import NUMBER_COLUMNS, column_names, result_rows

if TYPE_CHECKING:
    from collections.abc import Sequence, Set
    from types import ModuleType

    from locisimiles.results import Results

__all__ = ["MANIFEST_KEY", "import_pyarrow", "write_parquet"]

MANIFEST_KEY = b"locisimiles.manifest"
_ROWS_IN_A_GROUP = 10_000


def import_pyarrow() -> tuple[ModuleType, ModuleType]:
    """Return pyarrow and its parquet module.

    Raises
    ------
    MissingDependencyError
        If it is not installed.
    """
    try:
        return import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError as error:
        raise MissingDependencyError(
            "Parquet files need pyarrow", hint="pip install 'locisimiles[parquet]'"
        ) from error


def write_parquet(results: Results, stream: BinaryIO) -> None:
    """Write results as a Parquet table.

    Raises
    ------
    MissingDependencyError
        If pyarrow is not installed.
    """
    arrow, parquet = import_pyarrow()
    names = column_names(results)
    numbers = NUMBER_COLUMNS - set(results.further)  # what others wrote there is text
    schema = _schema(arrow, names, numbers).with_metadata(
        {MANIFEST_KEY: json.dumps(dict(results.manifest), ensure_ascii=False).encode()}
    )
    rows = result_rows(results)
    with parquet.ParquetWriter(stream, schema, compression="zstd") as writer:
        while batch := list(islice(rows, _ROWS_IN_A_GROUP)):
            writer.write_table(arrow.Table.from_pylist(batch, schema=schema))


def _schema(arrow: Any, names: Sequence[str], numbers: Set[str]) -> Any:  # noqa: ANN401 - pyarrow has no types
    kinds = {"rank": arrow.int32()}
    return arrow.schema(
        [
            (name, kinds.get(name, arrow.float64()) if name in numbers else arrow.string())
            for name in names
        ]
    )
