"""Results as rows that anyone can read.

A results file is a JSON object with a list ``rows``, whose entries have the fields of `ResultRow`.
The values of single queries stand beside it, see `locisimiles.benchmark.runs.query_values`.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from locisimiles.benchmark.runs.query_values import write_query_values
from locisimiles.checks import check_choice
from locisimiles.errors import MalformedInputError, ParameterError
from locisimiles.files.json_files import json_number, list_in, read_json
from locisimiles.files.writing import atomic

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Mapping, Sequence

    from locisimiles.benchmark.metrics.measurement import Measurement
    from locisimiles.benchmark.runs.query_values import QueryValues

__all__ = ["PROTOCOLS", "MethodKind", "ResultRow", "read_rows", "rows_of", "write_rows"]

MethodKind = Literal["retriever", "classifier"]

PROTOCOLS: Mapping[str, MethodKind] = {
    "retrieval": "retriever",
    "classification": "classifier",
    "retrieve-and-rerank": "classifier",
    "author-pairs": "classifier",
    "overlap": "classifier",
    "calibration": "classifier",
}
"""The protocols, and the kind of method that each measures."""


@dataclass(frozen=True, slots=True)
class ResultRow:
    """One figure of one method.

    Attributes
    ----------
    method
        What was measured; ``default`` is what the product does unless told otherwise.
    protocol
        One of `PROTOCOLS`.
    group
        ``cit``, ``cf`` or ``pooled``; for ``overlap`` also ``none`` and ``all``.
    metric
        ``R@10``, ``MRR``, ``F1`` …
    mean, std
        Mean and standard deviation over folds; None where there is none.
    n
        How many queries the figure rests on (pairs, for ``overlap``).
    command
        What gives this row again.

    Examples
    --------
    >>> ResultRow("bm25", "retrieval", "cit", "R@10", 0.68, 0.04, 706, "make bench").metric
    'R@10'
    """

    method: str
    protocol: str
    group: str
    metric: str
    mean: float | None
    std: float | None
    n: int
    command: str

    def __post_init__(self) -> None:
        check_choice(PROTOCOLS, protocol=self.protocol)

    def is_sound(self) -> bool:
        """Tell whether all values are of the right kind, as those from a file may not be."""
        texts = (self.method, self.protocol, self.group, self.metric, self.command)
        numbers = (self.mean, self.std)
        return (
            all(isinstance(text, str) for text in texts)
            and all(value is None or isinstance(value, int | float) for value in numbers)
            and isinstance(self.n, int)
        )


def rows_of(
    measurements: Iterable[Measurement], *, method: str, protocol: str, command: str
) -> list[ResultRow]:
    """Make rows of measurements."""
    return [
        ResultRow(
            method=method,
            protocol=protocol,
            group=measurement.group,
            metric=measurement.metric,
            mean=json_number(measurement.mean),
            std=json_number(measurement.std),
            n=measurement.n,
            command=command,
        )
        for measurement in measurements
    ]


def write_rows(
    path: str | os.PathLike[str], rows: Iterable[ResultRow], values: Sequence[QueryValues] = ()
) -> list[Path]:
    """Write a results file and, if there are any, the values of queries beside it.

    Returns
    -------
    list of Path
        The files that were written.

    Raises
    ------
    OutputError
        If they cannot be written.
    """
    path = Path(path)
    with atomic(path) as stream:
        json.dump({"rows": [asdict(row) for row in rows]}, stream, ensure_ascii=False, indent=1)
        stream.write("\n")
    return [path, write_query_values(path, values)] if values else [path]


def read_rows(path: str | os.PathLike[str]) -> list[ResultRow]:
    """Read the rows of a results file.

    Raises
    ------
    InputError
        If it is not one; the message names the file and the row that is wrong.
    """
    path = Path(path)
    names = [field.name for field in fields(ResultRow)]
    rows = []
    for number, entry in enumerate(list_in(read_json(path), "rows", path), start=1):
        if not isinstance(entry, dict) or sorted(entry) != sorted(names):
            raise MalformedInputError(
                "this is no result", file=str(path), row=number, hint=f"give {', '.join(names)}"
            )
        try:
            row = ResultRow(**entry)
        except ParameterError as error:
            raise MalformedInputError(str(error), file=str(path), row=number) from error
        if not row.is_sound():
            raise MalformedInputError("a value is of the wrong kind", file=str(path), row=number)
        rows.append(row)
    return rows
