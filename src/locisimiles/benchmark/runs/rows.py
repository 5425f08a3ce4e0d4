"""Results as rows of a JSON file.

A results file is a JSON object with a list ``rows``, whose entries have the fields of `ResultRow`.
The values of single queries are beside it, see `locisimiles.benchmark.runs.query_values`.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from locisimiles.benchmark.runs.query_values import write_query_values
from locisimiles.checks import check_choice
from locisimiles.errors import MalformedInputError
from locisimiles.files.json_files import json_number, list_in, read_json, write_json

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Mapping, Sequence

    from locisimiles.benchmark.metrics.measurement import Measurement
    from locisimiles.benchmark.runs.query_values import QueryValues

__all__ = [
    "PROTOCOLS",
    "MethodKind",
    "ResultRow",
    "parse_row",
    "read_rows",
    "rows_of",
    "write_rows",
]

MethodKind = Literal["retriever", "classifier"]

PROTOCOLS: Mapping[str, MethodKind] = {
    "retrieval": "retriever",
    "classification": "classifier",
    "retrieve-and-rerank": "classifier",
    "author-pairs": "classifier",
    "overlap": "classifier",
    "calibration": "classifier",
}
"""The kind of method that each protocol measures."""

_NUMBER = (int, float, type(None))
_KINDS: Mapping[str, type | tuple[type, ...]] = {"mean": _NUMBER, "std": _NUMBER, "n": int}


@dataclass(frozen=True, slots=True)
class ResultRow:
    """One figure of one method.

    Attributes
    ----------
    method
        The name of the method.
    protocol
        One of `PROTOCOLS`.
    group
        ``cit``, ``cf`` or ``pooled``; for ``overlap`` also ``none`` and ``all``.
    metric
        ``R@10``, ``MRR``, ``F1`` …
    mean, std
        Mean and standard deviation over folds; None if undefined.
    n
        The number of queries behind the figure (pairs, for ``overlap``).
    command
        The command that reproduces the row.

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


def rows_of(
    measurements: Iterable[Measurement], *, method: str, protocol: str, command: str
) -> list[ResultRow]:
    """Return measurements as rows."""
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

    Return the files written.
    """
    path = Path(path)
    write_json(path, {"rows": [asdict(row) for row in rows]})
    return [path, write_query_values(path, values)] if values else [path]


def read_rows(path: str | os.PathLike[str]) -> list[ResultRow]:
    """Read the rows of a results file; an InputError names the invalid row."""
    path = Path(path)
    entries = list_in(read_json(path), "rows", path)
    return [parse_row(entry, path, number) for number, entry in enumerate(entries, start=1)]


def parse_row(entry: object, path: Path, number: int) -> ResultRow:
    """Return the row that a JSON object describes, or raise a MalformedInputError.

    `path` and `number` say where the object stands.
    """
    names = [field.name for field in fields(ResultRow)]
    if not isinstance(entry, dict) or sorted(entry) != sorted(names):
        raise MalformedInputError(
            "benchmark.bad_row", file=str(path), row=number, fields=", ".join(names)
        )
    wrong = [name for name in names if not isinstance(entry[name], _KINDS.get(name, str))]
    if wrong or entry["protocol"] not in PROTOCOLS:
        raise MalformedInputError(
            "benchmark.bad_value", file=str(path), row=number, field=(*wrong, "protocol")[0]
        )
    return ResultRow(**entry)
