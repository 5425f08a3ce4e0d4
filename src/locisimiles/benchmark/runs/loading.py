"""Read the runs that `locisimiles.benchmark.runs.execution` wrote."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from locisimiles.benchmark.runs.query_values import read_query_values
from locisimiles.benchmark.runs.rows import PROTOCOLS, read_rows
from locisimiles.errors import InputError
from locisimiles.files.json_files import read_json_object

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
        The description of the set.
    rows
        The figures of all methods, by protocol and method.
    values
        The values of single queries.
    manifests
        What the figures depend on, by protocol and method.
    """

    benchmark: Mapping[str, Any]
    rows: tuple[ResultRow, ...]
    values: tuple[QueryValues, ...]
    manifests: Mapping[tuple[str, str], Mapping[str, Any]]

    @classmethod
    def read(cls, folder: str | os.PathLike[str]) -> Runs:
        """Read the finished runs in a folder; raise an InputError if there are none."""
        folder = Path(folder)
        path = folder / "benchmark.json"
        if not path.is_file():
            raise InputError("benchmark.no_runs", file=str(folder))
        rows: list[ResultRow] = []
        values: list[QueryValues] = []
        manifests: dict[tuple[str, str], Mapping[str, Any]] = {}
        for protocol in PROTOCOLS:
            for manifest in sorted(folder.glob(f"{protocol}/*/manifest.json")):
                results = manifest.parent / "results.json"
                rows += read_rows(results)
                if (results.parent / "queries" / results.name).is_file():
                    values += read_query_values(results)
                manifests[protocol, manifest.parent.name] = read_json_object(manifest)
        if not manifests:
            raise InputError("benchmark.no_finished_run", file=str(folder))
        return cls(read_json_object(path), tuple(rows), tuple(values), manifests)

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
        """Return the methods that were measured by a protocol, by name."""
        return tuple(method for done, method in self.manifests if done == protocol)

    def row(self, method: str, protocol: str, group: str, metric: str) -> ResultRow | None:
        """Return a figure; None if it was not measured."""
        return self._by_name.get((method, protocol, group, metric))

    def at_depths(
        self, method: str, protocol: str, group: str, metric: str
    ) -> list[tuple[int, ResultRow]]:
        """Return the figures of a metric at all depths, such as ``R@1``, ``R@5`` …, by depth."""
        found = [
            (int(row.metric.rpartition("@")[2]), row)
            for row in self.rows
            if (row.method, row.protocol, row.group) == (method, protocol, group)
            and row.metric.startswith(f"{metric}@")
        ]
        return sorted(found, key=lambda item: item[0])

    def author_pairs(self, method: str) -> list[tuple[str, str]]:
        """Return the pairs of citing and cited authors that a method was measured on, in order."""
        names = [
            row.metric.removeprefix("F1 (").removesuffix(")")
            for row in self.rows
            if (row.method, row.protocol, row.group) == (method, "author-pairs", "pooled")
            and row.metric.startswith("F1 (")
        ]
        pairs = (name.partition(", ") for name in names)
        return [(query, source) for query, _, source in pairs]

    def query_values(
        self, method: str, protocol: str, group: str, metric: str
    ) -> QueryValues | None:
        """Return the values of single queries behind a figure; None if there are none."""
        return self._values_by_name.get((method, protocol, group, metric))

    @cached_property
    def _by_name(self) -> dict[tuple[str, str, str, str], ResultRow]:
        return {(row.method, row.protocol, row.group, row.metric): row for row in self.rows}

    @cached_property
    def _values_by_name(self) -> dict[tuple[str, str, str, str], QueryValues]:
        return {(v.method, v.protocol, v.group, v.metric): v for v in self.values}
