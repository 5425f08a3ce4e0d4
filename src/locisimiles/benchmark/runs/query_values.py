"""The values of single queries behind result rows.

``results/queries/NAME.json`` belongs to ``results/NAME.json``. It is a JSON object with the ids of
queries (``queries``), their folds (``folds``), and a list ``values`` with an entry for each row:
``method``, ``protocol``, ``group``, ``metric``, and ``values``, a number per query, or null if the
query does not count.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from locisimiles.errors import MalformedInputError, ParameterError
from locisimiles.files.json_files import json_number, list_in, read_json
from locisimiles.files.writing import atomic, make_folder

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from locisimiles.benchmark.metrics.measurement import Measurement

__all__ = [
    "QueryValues",
    "paired",
    "query_values_of",
    "read_query_values",
    "write_query_values",
]

_NAMES = ("method", "protocol", "group", "metric")


@dataclass(frozen=True, slots=True, eq=False)
class QueryValues:
    """The values of single queries behind a result row.

    Attributes
    ----------
    method, protocol, group, metric
        As in the row.
    query, fold
        The ids of the queries that count, and their folds. In protocols with fold documents a
        segment may be in several folds.
    value
        Their values.
    """

    method: str
    protocol: str
    group: str
    metric: str
    query: tuple[str, ...]
    fold: tuple[int, ...]
    value: NDArray[np.float64]


def query_values_of(
    measurements: Iterable[Measurement], ids: Sequence[str], *, method: str, protocol: str
) -> list[QueryValues]:
    """Return the values of queries of each measurement that has any.

    `ids` are the ids of the query document.
    """
    return [
        QueryValues(
            method=method,
            protocol=protocol,
            group=measurement.group,
            metric=measurement.metric,
            query=tuple(ids[position] for position in measurement.query),
            fold=tuple(measurement.query_fold.tolist()),
            value=measurement.query_value,
        )
        for measurement in measurements
        if len(measurement.query)
    ]


def paired(
    first: QueryValues, second: QueryValues, *, missing: float | None = None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the values of two methods, query by query.

    Parameters
    ----------
    first, second
        The same metric of two methods.
    missing
        The value of a query that counts for one method only, as in the strict reading. By default
        that is an error.

    Raises
    ------
    ParameterError
        If the methods were not measured on the same queries.

    Examples
    --------
    >>> one = QueryValues("a", "retrieval", "cit", "MRR", ("q", "r"), (0, 1), np.array([1.0, 0.5]))
    >>> two = QueryValues("b", "retrieval", "cit", "MRR", ("r", "q"), (1, 0), np.array([0.2, 0.4]))
    >>> paired(one, two)
    (array([1. , 0.5]), array([0.4, 0.2]))
    """
    columns = [
        dict(zip(zip(values.query, values.fold, strict=True), values.value.tolist(), strict=True))
        for values in (first, second)
    ]
    keys = sorted(columns[0].keys() | columns[1].keys())
    if missing is None and (len(keys) != len(columns[0]) or len(keys) != len(columns[1])):
        raise ParameterError(
            "benchmark.different_queries", first=first.method, second=second.method
        )
    one, two = (np.array([column.get(key, missing) for key in keys], float) for column in columns)
    return one, two


def write_query_values(path: str | os.PathLike[str], values: Sequence[QueryValues]) -> Path:
    """Write the values of queries beside a results file; return the file written."""
    beside = _beside(Path(path))
    make_folder(beside.parent)
    with atomic(beside) as stream:
        stream.writelines(_lines(values))
    return beside


def read_query_values(path: str | os.PathLike[str]) -> list[QueryValues]:
    """Read the values of queries beside a results file."""
    beside = _beside(Path(path))
    content = read_json(beside)
    queries, folds = list_in(content, "queries", beside), list_in(content, "folds", beside)
    result = []
    for number, entry in enumerate(list_in(content, "values", beside), start=1):
        try:
            result.append(_column(entry, queries, folds))
        except (KeyError, TypeError, ValueError) as error:
            raise MalformedInputError(
                "benchmark.bad_query_values", file=str(beside), row=number
            ) from error
    return result


def _column(entry: Mapping[str, Any], queries: list[Any], folds: list[Any]) -> QueryValues:
    column = np.array(entry["values"], np.float64)  # null becomes NaN
    if column.shape != (len(queries),) or len(folds) != len(queries):
        raise ValueError
    kept = np.flatnonzero(~np.isnan(column))
    method, protocol, group, metric = (str(entry[name]) for name in _NAMES)
    return QueryValues(
        method=method,
        protocol=protocol,
        group=group,
        metric=metric,
        query=tuple(str(queries[at]) for at in kept),
        fold=tuple(int(folds[at]) for at in kept),
        value=column[kept],
    )


def _beside(path: Path) -> Path:
    return path.parent / "queries" / path.name


def _lines(values: Sequence[QueryValues]) -> Iterator[str]:
    keys = sorted({key for entry in values for key in zip(entry.fold, entry.query, strict=True)})
    place = {key: at for at, key in enumerate(keys)}
    yield f'{{"queries": {_json([query for _, query in keys])},\n'
    yield f'"folds": {_json([fold for fold, _ in keys])},\n'
    yield '"values": [\n'
    for number, entry in enumerate(values):
        column: list[float | None] = [None] * len(keys)
        for fold, query, value in zip(entry.fold, entry.query, entry.value.tolist(), strict=True):
            column[place[fold, query]] = json_number(value)
        names = {name: getattr(entry, name) for name in _NAMES}
        end = "" if number == len(values) - 1 else ","
        yield _json({**names, "values": column}) + f"{end}\n"
    yield "]}\n"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
