"""A leaderboard: one JSON file that anyone can add results to.

It is a JSON object with ``format`` (1) and ``entries``, a list of objects with

``method``
    The name of the method.
``description``, ``submitted_by``, ``link``
    What it does, who measured it, and where to read more; link may be empty.
``benchmark``
    Name and SHA-256 of query segments, source segments and references, as in ``benchmark.json`` of
    a run: figures of different sets are never compared.
``trained``
    Whether it was trained on the other folds of the set.
``rows``
    Its figures: objects with ``protocol``, ``group``, ``metric``, ``mean``, ``std``, ``n``,
    ``command``, as in `locisimiles.benchmark.runs.rows`.

Entries are ordered by set, method and submitter, so that diffs stay small.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from locisimiles.benchmark.runs.rows import ResultRow, parse_row
from locisimiles.errors import MalformedInputError, ParameterError
from locisimiles.files.json_files import list_in, read_json_object, write_json

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Mapping

    from locisimiles.benchmark.runs.loading import Runs

__all__ = ["Entry", "Leaderboard", "entries_of"]

_FORMAT = 1
_SIDES = ("query", "source", "references")
_SHA256_DIGITS = 64
_KEPT_PREFIXES = ("R@", "MRR", "MAP", "nDCG", "P", "F1", "macro-F1", "strict", "Brier", "ECE")


@dataclass(frozen=True, slots=True)
class Entry:
    """The figures of one method on one set, by one submitter; see above."""

    method: str
    description: str
    submitted_by: str
    link: str
    benchmark: Mapping[str, Any]
    trained: bool
    rows: tuple[ResultRow, ...]

    @property
    def key(self) -> tuple[str, str, str]:
        """Set, method and submitter, which identify an entry."""
        return json.dumps(self.benchmark, sort_keys=True), self.method, self.submitted_by


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """Entries, in order.

    Examples
    --------
    >>> Leaderboard().merged([]).entries
    ()
    """

    entries: tuple[Entry, ...] = ()

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Leaderboard:
        """Read a leaderboard, and check every entry.

        Raises
        ------
        InputError
            If it is not one; the message names the file and the number of the entry.
        """
        path = Path(path)
        content = read_json_object(path)
        entries = list_in(content, "entries", path)
        if content.get("format") != _FORMAT:
            raise MalformedInputError("benchmark.unknown_format", file=str(path), format=_FORMAT)
        read = [_entry(found, path, number) for number, found in enumerate(entries, start=1)]
        return cls().merged(read)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the leaderboard.

        Raises
        ------
        OutputError
            If it cannot be written.
        """
        entries = [_as_object(entry) for entry in self.entries]
        write_json(Path(path), {"format": _FORMAT, "entries": entries})

    def merged(self, others: Iterable[Entry], *, replace: bool = False) -> Leaderboard:
        """Return a leaderboard with further entries; those it has already are not added again.

        Parameters
        ----------
        others
            The entries to add.
        replace
            Whether an entry replaces another with the same set, method and submitter.

        Raises
        ------
        ParameterError
            If two entries with the same set, method and submitter differ, without `replace`.
        """
        by_key = {entry.key: entry for entry in self.entries}
        for entry in others:
            there = by_key.get(entry.key)
            if there is not None and there != entry and not replace:
                raise ParameterError(
                    "benchmark.other_entry", method=entry.method, submitter=entry.submitted_by
                )
            by_key[entry.key] = entry
        return Leaderboard(tuple(by_key[key] for key in sorted(by_key)))

    def standings(self, protocol: str, group: str, metric: str) -> list[tuple[Entry, ResultRow]]:
        """Return the entries that have a figure, best first."""
        found = [
            (entry, row)
            for entry in self.entries
            for row in entry.rows
            if (row.protocol, row.group, row.metric) == (protocol, group, metric)
            and row.mean is not None
        ]
        return sorted(found, key=lambda pair: (-(pair[1].mean or 0.0), pair[0].key))


def entries_of(
    runs: Runs, *, submitted_by: str, link: str = "", descriptions: Mapping[str, str] | None = None
) -> list[Entry]:
    """Return an entry for each method of the runs, with its main figures.

    Parameters
    ----------
    runs
        The runs.
    submitted_by
        The name of the submitter.
    link
        Where to read more.
    descriptions
        What the methods do, by name.
    """
    if not submitted_by.strip():
        raise ParameterError("benchmark.no_submitter")
    entries = []
    for method in sorted({method for _, method in runs.manifests}):
        rows = tuple(row for row in runs.rows if row.method == method and _is_main(row))
        trained = any(
            bool(manifest.get("trained"))
            for (_, name), manifest in runs.manifests.items()
            if name == method
        )
        entries.append(
            Entry(
                method=method,
                description=(descriptions or {}).get(method, ""),
                submitted_by=submitted_by,
                link=link,
                benchmark={name: runs.benchmark[name] for name in ("name", "sha256")},
                trained=trained,
                rows=rows,
            )
        )
    return entries


def _is_main(row: ResultRow) -> bool:
    """Tell whether a figure goes on the leaderboard; those by depth and author are too many."""
    return row.protocol in {"retrieval", "classification", "calibration"} and row.metric.startswith(
        _KEPT_PREFIXES
    )


def _as_object(entry: Entry) -> dict[str, object]:
    content = asdict(entry)
    for row in content["rows"]:
        del row["method"]
    return content


def _entry(found: object, path: Path, number: int) -> Entry:
    if not isinstance(found, dict):
        raise MalformedInputError("files.not_json_object", file=str(path), row=number)
    for name, is_valid in _CHECKS.items():
        if not is_valid(found.get(name)):
            raise MalformedInputError("benchmark.bad_value", file=str(path), row=number, field=name)
    rows = (
        {**row, "method": found["method"]} if isinstance(row, dict) else row
        for row in found["rows"]
    )
    return Entry(
        **{name: found[name] for name in _CHECKS if name != "rows"},
        rows=tuple(parse_row(row, path, number) for row in rows),
    )


def _is_text(found: object) -> bool:
    return isinstance(found, str)


def _is_name(found: object) -> bool:
    return isinstance(found, str) and bool(found.strip())


def _is_benchmark(found: object) -> bool:
    if not isinstance(found, dict) or set(found) != {"name", "sha256"}:
        return False
    hashes = found["sha256"]
    return (
        isinstance(found["name"], str)
        and isinstance(hashes, dict)
        and set(hashes) == set(_SIDES)
        and all(isinstance(h, str) and len(h) == _SHA256_DIGITS for h in hashes.values())
    )


_CHECKS: Mapping[str, Callable[[object], bool]] = {
    "method": _is_name,
    "description": _is_text,
    "submitted_by": _is_name,
    "link": _is_text,
    "benchmark": _is_benchmark,
    "trained": lambda found: isinstance(found, bool),
    "rows": lambda found: isinstance(found, list) and bool(found),
}
