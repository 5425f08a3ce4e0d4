"""Read what `locisimiles.benchmark.runs.execution` wrote."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from locisimiles.benchmark.runs.query_values import read_query_values
from locisimiles.benchmark.runs.rows import PROTOCOLS, read_rows
from locisimiles.errors import InputError, MalformedInputError
from locisimiles.files.json_files import read_json

if TYPE_CHECKING:
    import os
    from collections.abc import Collection, Mapping

    from locisimiles.benchmark.runs.query_values import QueryValues
    from locisimiles.benchmark.runs.rows import ResultRow

__all__ = ["Runs"]


@dataclass(frozen=True)
class Runs:
    """The finished runs of a folder.

    Attributes
    ----------
    benchmark
        Which set they are of.
    rows
        The figures of all methods and protocols, by protocol and method.
    values
        The values of single queries.
    manifests
        What the figures of each protocol and method depend on.
    """

    benchmark: Mapping[str, Any]
    rows: tuple[ResultRow, ...]
    values: tuple[QueryValues, ...]
    manifests: Mapping[tuple[str, str], Mapping[str, Any]]

    @classmethod
    def read(cls, folder: str | os.PathLike[str]) -> Runs:
        """Read a folder of runs; what is not finished is left out.

        Raises
        ------
        InputError
            If there are no runs, or a file is malformed.
        """
        folder = Path(folder)
        path = folder / "benchmark.json"
        if not path.is_file():
            raise InputError(
                "there are no runs here",
                file=str(folder),
                hint="name the folder that 'locisimiles benchmark run' wrote",
            )
        rows: list[ResultRow] = []
        values: list[QueryValues] = []
        manifests: dict[tuple[str, str], Mapping[str, Any]] = {}
        for protocol in PROTOCOLS:
            for manifest in sorted(folder.glob(f"{protocol}/*/manifest.json")):
                results = manifest.parent / "results.json"
                rows += read_rows(results)
                if (results.parent / "queries" / results.name).is_file():
                    values += read_query_values(results)
                manifests[protocol, manifest.parent.name] = _object(manifest)
        if not manifests:
            raise InputError(
                "no run is finished here", file=str(folder), hint="run the benchmark again"
            )
        return cls(_object(path), tuple(rows), tuple(values), manifests)

    def only(self, methods: Collection[str], protocols: Collection[str]) -> Runs:
        """Return the runs of some methods and protocols."""
        return Runs(
            self.benchmark,
            tuple(r for r in self.rows if r.method in methods and r.protocol in protocols),
            tuple(v for v in self.values if v.method in methods and v.protocol in protocols),
            {
                (protocol, method): manifest
                for (protocol, method), manifest in self.manifests.items()
                if protocol in protocols and method in methods
            },
        )

    def methods(self, protocol: str) -> tuple[str, ...]:
        """Return the methods that a protocol was finished for, by name."""
        return tuple(method for done, method in self.manifests if done == protocol)

    def row(self, method: str, protocol: str, group: str, metric: str) -> ResultRow | None:
        """Return a figure; None if it was not measured."""
        return self._by_name.get((method, protocol, group, metric))

    def query_values(
        self, method: str, protocol: str, group: str, metric: str
    ) -> QueryValues | None:
        """Return the values of queries behind a figure; None if there are none."""
        return self._values_by_name.get((method, protocol, group, metric))

    @cached_property
    def _by_name(self) -> dict[tuple[str, str, str, str], ResultRow]:
        return {(row.method, row.protocol, row.group, row.metric): row for row in self.rows}

    @cached_property
    def _values_by_name(self) -> dict[tuple[str, str, str, str], QueryValues]:
        return {(v.method, v.protocol, v.group, v.metric): v for v in self.values}


def _object(path: Path) -> Mapping[str, Any]:
    content = read_json(path)
    if not isinstance(content, dict):
        raise MalformedInputError("this is no JSON object", file=str(path))
    return content
