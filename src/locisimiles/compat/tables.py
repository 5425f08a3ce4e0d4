"""Data frames, where the paper's package has them; pandas is imported when it is needed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from locisimiles.errors import ParameterError
from locisimiles.results.frames import import_library

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["data_frame", "is_data_frame", "records_of"]


def data_frame(records: Sequence[Mapping[str, Any]], columns: Sequence[str] | None = None) -> Any:
    """Return a pandas data frame."""
    return import_library("pandas").DataFrame(records, columns=columns)


def is_data_frame(value: object) -> bool:
    """Tell whether this is a data frame, without importing pandas."""
    return hasattr(value, "columns") and hasattr(value, "to_dict")


def records_of(frame: Any, columns: Sequence[str]) -> list[dict[str, Any]]:
    """Return the rows of a data frame, which must have these columns."""
    missing = [name for name in columns if name not in frame.columns]
    if missing:
        raise ParameterError("compat.missing_columns", columns=", ".join(missing))
    records: list[dict[str, Any]] = frame.to_dict(orient="records")
    return records
