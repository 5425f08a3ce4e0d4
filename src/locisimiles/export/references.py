"""Read from a Parquet file what counts as a reference, and leave out the rest on the disk."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from locisimiles.export.reading import read_results
from locisimiles.files.parquet_columns import read_metadata
from locisimiles.files.parquet_sql import VIEW, copy_parquet, query_parquet
from locisimiles.results.reader_cells import are_judged

if TYPE_CHECKING:
    import os

    from locisimiles.results import Results

__all__ = ["read_references"]

_PROBABLE = 0.5
_ROUNDING = 2e-4
"""Tables have rounded probabilities. Who counts references looks at what is left once more."""


def read_references(
    path: str | os.PathLike[str], *, minimum: float | None = None, best: int | None = None
) -> Results:
    """Read results of which only references will be counted, as `networks.reference_rows` says.

    Of a Parquet file, which may have more pairs than fit into memory, the others are left out;
    other files are read as they are, and so are judged ones, since readers overrule numbers.

    Parameters
    ----------
    path
        As for `read_results`.
    minimum
        Minimum probability, or minimum score without a classifier.
    best
        Maximum number of candidates per query segment.
    """
    path = Path(path)
    condition = _condition(path, minimum, best) if path.suffix.lower() == ".parquet" else ""
    if not condition:
        return read_results(path)
    with TemporaryDirectory(prefix="locisimiles-") as folder:
        chosen = Path(folder) / path.name
        rows = f"SELECT * FROM {VIEW} WHERE {condition}"  # noqa: S608 - names and numbers of ours
        copy_parquet([path], rows, chosen, read_metadata(path))
        return read_results(chosen)


def _condition(path: Path, minimum: float | None, best: int | None) -> str:
    """Return what rows must fulfil; empty if that cannot be said."""
    with query_parquet([path], f"SELECT * FROM {VIEW} LIMIT 0") as found:  # noqa: S608
        names = found.names
    if are_judged(names):
        return ""
    judged = {"probability_cit", "probability_cf"} <= set(names)
    if minimum is None and best is None:
        minimum, best = (_PROBABLE, None) if judged else (None, 1)
    conditions = []
    if minimum is not None and (judged or "score" in names):
        value = "probability_cit + probability_cf" if judged else "score"
        conditions.append(f"CAST({value} AS DOUBLE) >= {float(minimum) - _ROUNDING!r}")
    if best is not None and "rank" in names:
        conditions.append(f"CAST(rank AS INTEGER) <= {int(best)}")
    return " AND ".join(conditions)
