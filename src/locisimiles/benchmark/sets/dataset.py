"""A benchmark: query segments, source segments, and the known references between them.

On disk it is a folder with

``query.csv``, ``source.csv``
    The segments, one per row: ``seg_id``, ``author``, ``work``, ``locus``, ``text``. Only id and
    text are required; further columns are kept.
``labels.csv``
    The references, one per row: ``query_id``, ``source_id``, ``label`` (``cit`` or ``cf``),
    ``fold``, ``provenance``, and ``grade`` if they are graded. Only the two ids are required:
    without labels all are ``cit``, without folds the set has none.
``parallels.csv``
    Optional: ``one``, ``other``, the ids of source segments that stand for each other; references
    are then also measured in the lenient reading (`parallels`).
``manifest.json``
    Optional: name, counts, SHA-256 of the three tables, and how the set was built.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.benchmark.sets.folds import query_folds
from locisimiles.benchmark.sets.labels import NO_FOLD, read_pairs, references_between
from locisimiles.benchmark.sets.parallels import Parallels
from locisimiles.benchmark.sets.references import Label
from locisimiles.checks import check_equal_lengths, check_pairs
from locisimiles.corpus import Document
from locisimiles.errors import InputError
from locisimiles.export import write_table
from locisimiles.files.hashing import file_sha256
from locisimiles.files.json_files import read_json_object, write_json
from locisimiles.files.tables import read_table
from locisimiles.files.writing import atomic, make_folder
from locisimiles.progress import silent

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator, Mapping, Sequence

    from locisimiles.benchmark.sets.references import References
    from locisimiles.progress import Progress

__all__ = ["Benchmark", "changed_files"]

_FORMAT = 1
_QUERY, _SOURCE, _LABELS, _MANIFEST = "query.csv", "source.csv", "labels.csv", "manifest.json"
_TABLES = (_QUERY, _SOURCE, _LABELS)
_PARALLELS = "parallels.csv"
_SEGMENT_COLUMNS = ("seg_id", "author", "work", "locus", "text")
_LABEL_COLUMNS = ("query_id", "source_id", "label", "fold", "provenance")


@dataclass(frozen=True, slots=True, eq=False)
class Benchmark:
    """Query segments, source segments, and the known references between them.

    Attributes
    ----------
    query, source
        All segments of the two sides, with and without references.
    references
        The known references, as positions in `query` and `source`, ordered by them.
    name
        The name in tables and files.
    manifest
        How the set was built.
    provenance
        The provenance of each reference; empty if unknown.
    parallels
        The source segments that stand for each other; None if the set does not say.

    Examples
    --------
    >>> from locisimiles import Segment
    >>> from locisimiles.benchmark.sets.references import References
    >>> benchmark = Benchmark(
    ...     query=Document.from_segments([Segment("q", "vox haesit"), Segment("r", "nil")]),
    ...     source=Document.from_segments([Segment("s", "vox faucibus haesit")]),
    ...     references=References.from_columns([0], [0], [Label.CIT]),
    ... )
    >>> benchmark
    <Benchmark 'benchmark': 2 query segments, 1 source segments, 1 references>
    """

    query: Document
    source: Document
    references: References
    name: str = "benchmark"
    manifest: Mapping[str, object] = field(default_factory=dict)
    provenance: tuple[str, ...] = ()
    parallels: Parallels | None = None

    def __post_init__(self) -> None:
        if not self.provenance:
            object.__setattr__(self, "provenance", ("",) * len(self.references))
        check_equal_lengths(references=self.references, provenance=self.provenance)
        check_pairs(
            self.references.query, self.references.source, len(self.query), len(self.source)
        )

    def __repr__(self) -> str:
        return (
            f"<Benchmark {self.name!r}: {len(self.query):,} query segments, "
            f"{len(self.source):,} source segments, {len(self.references):,} references>"
        )

    @property
    def folds(self) -> tuple[int, ...]:
        """The numbers of the folds, in order; empty if the set has none."""
        return tuple(fold for fold in np.unique(self.references.fold).tolist() if fold != NO_FOLD)

    def with_folds(self, n: int = 5, *, seed: int = 0) -> Benchmark:
        """Return the set with new folds, in place of any it has.

        All references of a query are in one fold; apart from that, folds have about the same number
        of references. They depend on the ids and the seed, not on the order of rows.

        Parameters
        ----------
        n
            The number of folds.
        seed
            Seed of the folds.

        Raises
        ------
        ParameterError
            If there are fewer than two folds, or fewer queries with references than folds.
        """
        fold = query_folds(self.references, self.query.ids, n, seed=seed)
        return replace(
            self,
            references=replace(self.references, fold=fold),
            manifest={**self.manifest, "folds": {"n": n, "seed": seed}},
        )

    @classmethod
    def load(cls, folder: str | os.PathLike[str], *, progress: Progress = silent) -> Benchmark:
        """Read a benchmark from a folder.

        Raises
        ------
        InputError
            If a file is missing or cannot be used; the message names file and row.
        """
        folder = Path(folder)
        for name in _TABLES:
            if not (folder / name).is_file():
                raise InputError("benchmark.missing_table", file=str(folder), name=name)
        manifest = _read_manifest(folder / _MANIFEST)
        progress("loading", 0, 3)
        query = Document(folder / _QUERY, format="csv")
        progress("loading", 1, 3)
        source = Document(folder / _SOURCE, format="csv")
        progress("loading", 2, 3)
        table = read_table(folder / _LABELS)
        references, provenance = references_between(
            read_pairs(table), query, source, file=table.file
        )
        progress("loading", 3, 3)
        written_name = manifest.get("name")
        return cls(
            query,
            source,
            references,
            name=written_name if isinstance(written_name, str) else folder.resolve().name,
            manifest=manifest,
            provenance=provenance,
            parallels=_read_parallels(folder / _PARALLELS, source),
        )

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Write the benchmark to a folder, which is created if necessary.

        The same set gives the same bytes.

        Raises
        ------
        OutputError
            If it cannot be written.
        """
        folder = make_folder(Path(folder))
        _write_csv(folder / _QUERY, *_segment_table(self.query))
        _write_csv(folder / _SOURCE, *_segment_table(self.source))
        _write_csv(folder / _LABELS, *self._label_table())
        tables = [*_TABLES]
        (folder / _PARALLELS).unlink(missing_ok=True)  # of a set that was here before
        if self.parallels:
            ids, pairs = self.source.ids, self.parallels
            rows = zip(pairs.one.tolist(), pairs.other.tolist(), strict=True)
            _write_csv(
                folder / _PARALLELS,
                ("one", "other"),
                ((ids[one], ids[other]) for one, other in rows if one < other),
            )
            tables.append(_PARALLELS)
        manifest = {
            **self.manifest,
            "format": _FORMAT,
            "name": self.name,
            "counts": self.counts(),
            "sha256": {name: file_sha256(folder / name) for name in tables},
        }
        write_json(folder / _MANIFEST, manifest, sort_keys=True)

    def counts(self) -> dict[str, object]:
        """Return the numbers of segments and references of each kind."""
        references = self.references
        per_fold = {str(fold): int((references.fold == fold).sum()) for fold in self.folds}
        return {
            "query_segments": len(self.query),
            "source_segments": len(self.source),
            "query_segments_with_references": len(references.queries),
            "source_segments_with_references": len(np.unique(references.source)),
            "references": len(references),
            "cit": int((references.label == Label.CIT).sum()),
            "cf": int((references.label == Label.CF).sum()),
            "references_per_fold": per_fold,
        }

    def _label_table(self) -> tuple[Sequence[str], Iterator[Sequence[object]]]:
        references = self.references
        graded = bool((references.grade != 1).any())
        header = (*_LABEL_COLUMNS, "grade") if graded else _LABEL_COLUMNS
        rows = (
            (
                self.query.ids[references.query[i]],
                self.source.ids[references.source[i]],
                Label(references.label[i]).text,
                "" if references.fold[i] == NO_FOLD else references.fold[i],
                self.provenance[i],
                *([f"{references.grade[i]:.6g}"] if graded else []),
            )
            for i in np.lexsort((references.source, references.query))
        )
        return header, rows


def changed_files(folder: str | os.PathLike[str]) -> list[str]:
    """Return the tables of a benchmark that changed since its manifest was written."""
    folder = Path(folder)
    known = _read_manifest(folder / _MANIFEST).get("sha256")
    hashes = known if isinstance(known, dict) else {}
    return [
        name
        for name in (*_TABLES, _PARALLELS)
        if name in hashes
        and (not (folder / name).is_file() or file_sha256(folder / name) != hashes[name])
    ]


def _read_parallels(path: Path, source: Document) -> Parallels | None:
    if not path.exists():
        return None
    table = read_table(path)
    one, other = table.require(("one",)), table.require(("other",))
    for row in table.rows:
        for name in (one, other):
            if row.cells[name] not in source:
                raise InputError(
                    "benchmark.unknown_segment",
                    file=table.file, row=row.number, side="source", id=row.cells[name],
                )  # fmt: skip
    return Parallels.from_pairs(
        [source.index(row.cells[one]) for row in table.rows],
        [source.index(row.cells[other]) for row in table.rows],
    )


def _segment_table(document: Document) -> tuple[Sequence[str], Iterator[Sequence[object]]]:
    columns = (document.ids, document.authors, document.works, document.loci, document.texts)
    further = sorted(set(document.meta) - {""})
    header = (*_SEGMENT_COLUMNS, *further)
    return header, zip(*columns, *(document.meta[name] for name in further), strict=True)


def _write_csv(path: Path, header: Sequence[str], rows: Iterator[Sequence[object]]) -> None:
    with atomic(path) as stream:
        write_table(stream, header, rows, delimiter=",")


def _read_manifest(path: Path) -> dict[str, object]:
    return read_json_object(path) if path.exists() else {}
