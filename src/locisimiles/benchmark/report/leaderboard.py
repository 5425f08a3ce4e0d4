"""A leaderboard: one JSON file that anybody can add results to.

It is a JSON object with ``format`` (1) and ``entries``, a list of objects with

``method``
    What it is called.
``description``, ``submitted_by``, ``link``
    What it does, who measured it, and where more can be read; link may be empty.
``benchmark``
    Name and SHA-256 of query segments, source segments and references, as ``benchmark.json`` of a
    run has them: figures of different sets are never compared.
``trained``
    Whether it was trained on the other folds of the set.
``rows``
    Its figures: objects with ``protocol``, ``group``, ``metric``, ``mean``, ``std``, ``n``,
    ``command``, as in `locisimiles.benchmark.runs.rows`.

Entries are ordered by set, method and submitter, so that additions show well in a diff.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from locisimiles.benchmark.runs.rows import ResultRow
from locisimiles.errors import MalformedInputError, ParameterError
from locisimiles.files.json_files import list_in, read_json
from locisimiles.files.writing import atomic

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Mapping

    from locisimiles.benchmark.runs.loading import Runs

__all__ = ["Entry", "Leaderboard", "entries_of"]

_FORMAT = 1
_TEXTS = ("method", "description", "submitted_by", "link")
_ROW_FIELDS = ("protocol", "group", "metric", "mean", "std", "n", "command")
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
        """Set, method and submitter: what there can be one entry of."""
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
        content = read_json(path)
        entries = list_in(content, "entries", path)
        if not isinstance(content, dict) or content.get("format") != _FORMAT:
            raise MalformedInputError(f"the format is not {_FORMAT}", file=str(path))
        read = [_entry(found, path, number) for number, found in enumerate(entries, start=1)]
        return cls().merged(read)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the leaderboard.

        Raises
        ------
        OutputError
            If it cannot be written.
        """
        content = {"format": _FORMAT, "entries": [_as_object(entry) for entry in self.entries]}
        with atomic(Path(path)) as stream:
            json.dump(content, stream, ensure_ascii=False, indent=1)
            stream.write("\n")

    def merged(self, others: Iterable[Entry], *, replace: bool = False) -> Leaderboard:
        """Return a leaderboard with further entries; what is there already is not doubled.

        Parameters
        ----------
        others
            The entries to add.
        replace
            Whether an entry takes the place of another with the same set, method and submitter.

        Raises
        ------
        ParameterError
            If two entries with the same set, method and submitter differ, and nothing is replaced.
        """
        by_key = {entry.key: entry for entry in self.entries}
        for entry in others:
            there = by_key.get(entry.key)
            if there is not None and there != entry and not replace:
                raise ParameterError(
                    f"there is another entry of {entry.method!r} by {entry.submitted_by!r}",
                    hint="give the method another name, or replace the entry",
                )
            by_key[entry.key] = entry
        return Leaderboard(tuple(by_key[key] for key in sorted(by_key)))

    def standings(self, protocol: str, group: str, metric: str) -> list[tuple[Entry, ResultRow]]:
        """Return the entries that have a figure, the best first."""
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
    """Make an entry of each method of the runs, with its main figures.

    Parameters
    ----------
    runs
        What was measured.
    submitted_by
        Who measured it.
    link
        Where more can be read.
    descriptions
        What the methods do, by name.
    """
    if not submitted_by.strip():
        raise ParameterError("nobody is named as submitter", hint="say who measured it")
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
    """Tell whether a figure belongs on a leaderboard: those of depths and authors are too many."""
    return row.protocol in {"retrieval", "classification", "calibration"} and row.metric.startswith(
        _KEPT_PREFIXES
    )


def _as_object(entry: Entry) -> dict[str, object]:
    return {
        **{name: getattr(entry, name) for name in _TEXTS},
        "benchmark": dict(entry.benchmark),
        "trained": entry.trained,
        "rows": [{name: asdict(row)[name] for name in _ROW_FIELDS} for row in entry.rows],
    }


def _entry(found: object, path: Path, number: int) -> Entry:
    def wrong(problem: str) -> MalformedInputError:
        return MalformedInputError(problem, file=str(path), row=number)

    if not isinstance(found, dict):
        raise wrong("this entry is no JSON object")
    for name in _TEXTS:
        text = found.get(name)
        if not isinstance(text, str) or (name in {"method", "submitted_by"} and not text.strip()):
            raise wrong(f"the entry has no {name}")
    if not isinstance(found.get("trained"), bool):
        raise wrong("the entry does not say whether it was trained (true or false)")
    if not _is_benchmark(found.get("benchmark")):
        raise wrong("the entry does not name its set (name and three SHA-256)")
    rows = found.get("rows")
    if not isinstance(rows, list) or not rows:
        raise wrong("the entry has no rows")
    return Entry(
        **{name: found[name] for name in _TEXTS},
        benchmark=found["benchmark"],
        trained=found["trained"],
        rows=tuple(_row(row, found["method"], wrong) for row in rows),
    )


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


def _row(found: object, method: str, wrong: Callable[[str], MalformedInputError]) -> ResultRow:
    if not isinstance(found, dict) or set(found) != set(_ROW_FIELDS):
        raise wrong(f"a row has other fields than {', '.join(_ROW_FIELDS)}")
    try:
        row = ResultRow(method=method, **found)
    except ParameterError as error:
        raise wrong(str(error)) from error
    if not row.is_sound():
        raise wrong("a value of a row is of the wrong kind")
    return row
