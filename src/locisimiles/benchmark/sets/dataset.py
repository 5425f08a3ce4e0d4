"""A benchmark: query segments, source segments, and the known references between them.

On disk it is a folder with

``query.csv``, ``source.csv``
    The segments, one a row: ``seg_id``, ``author``, ``work``, ``locus``, ``text``. Only id and
    text are required; further columns are kept.
``labels.csv``
    The references, one a row: ``query_id``, ``source_id``, ``label`` (``cit`` or ``cf``),
    ``fold``, ``provenance``, and ``grade`` if they are graded. Only the two ids are required:
    without labels all are ``cit``, without folds the set has none.
``manifest.json``
    Name, counts, SHA-256 of the three tables, and how the set was made. It may be missing.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.benchmark.sets.folds import query_folds
from locisimiles.benchmark.sets.labels import NO_FOLD, read_pairs, references_between
from locisimiles.benchmark.sets.references import Label
from locisimiles.corpus import Document
from locisimiles.errors import InputError, MalformedInputError, OutputError, ParameterError
from locisimiles.export import write_table
from locisimiles.files.hashing import file_sha256
from locisimiles.files.tables import read_table
from locisimiles.files.writing import atomic
from locisimiles.progress import silent

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator, Mapping, Sequence

    from locisimiles.benchmark.sets.references import References
    from locisimiles.progress import Progress

__all__ = ["Benchmark", "changed_files"]

_FORMAT = 1
_QUERY, _SOURCE, _LABELS, _MANIFEST = "query.csv", "source.csv", "labels.csv", "manifest.json"
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
        What tables and files call the set.
    manifest
        How the set was made.
    provenance
        Where each reference was taken from; empty strings where nobody said.

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

    def __post_init__(self) -> None:
        if not self.provenance:
            object.__setattr__(self, "provenance", ("",) * len(self.references))
        if len(self.provenance) != len(self.references):
            raise ParameterError("there must be one provenance for each reference, or none")
        for positions, document, side in (
            (self.references.query, self.query, "query"),
            (self.references.source, self.source, "source"),
        ):
            if len(positions) and not 0 <= positions.min() <= positions.max() < len(document):
                raise ParameterError(f"a reference points beyond the {side} segments")

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
        """Return the set with folds of our own, in place of any it has.

        All references of a query are in one fold, and the folds have as nearly the same number of
        references as that allows. They depend on the ids and the seed, not on the order of rows.

        Parameters
        ----------
        n
            How many folds.
        seed
            Another seed gives other folds.

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
        for name in (_QUERY, _SOURCE, _LABELS):
            if not (folder / name).is_file():
                raise InputError(
                    f"there is no file {name}",
                    file=str(folder),
                    hint="a benchmark is a folder with query.csv, source.csv and labels.csv",
                )
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
        )

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Write the benchmark to a folder, which is made if it is not there.

        The same set gives the same bytes.

        Raises
        ------
        OutputError
            If it cannot be written.
        """
        folder = Path(folder)
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise OutputError(f"{folder} cannot be made: {error.strerror}") from error
        _write_csv(folder / _QUERY, *_segment_table(self.query))
        _write_csv(folder / _SOURCE, *_segment_table(self.source))
        _write_csv(folder / _LABELS, *self._label_table())
        manifest = {
            **self.manifest,
            "format": _FORMAT,
            "name": self.name,
            "counts": self.counts(),
            "sha256": {name: file_sha256(folder / name) for name in (_QUERY, _SOURCE, _LABELS)},
        }
        with atomic(folder / _MANIFEST) as stream:
            json.dump(manifest, stream, ensure_ascii=False, indent=1, sort_keys=True)
            stream.write("\n")

    def counts(self) -> dict[str, object]:
        """Return how many segments and references of each kind there are."""
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
    """Return the tables of a benchmark that are not those its manifest describes.

    A set without a manifest has none.
    """
    folder = Path(folder)
    known = _read_manifest(folder / _MANIFEST).get("sha256")
    hashes = known if isinstance(known, dict) else {}
    return [
        name
        for name in (_QUERY, _SOURCE, _LABELS)
        if name in hashes
        and (not (folder / name).is_file() or file_sha256(folder / name) != hashes[name])
    ]


def _segment_table(document: Document) -> tuple[Sequence[str], Iterator[Sequence[object]]]:
    columns = (document.ids, document.authors, document.works, document.loci, document.texts)
    further = sorted(set(document.meta) - {""})
    header = (*_SEGMENT_COLUMNS, *further)
    return header, zip(*columns, *(document.meta[name] for name in further), strict=True)


def _write_csv(path: Path, header: Sequence[str], rows: Iterator[Sequence[object]]) -> None:
    with atomic(path) as stream:
        write_table(stream, header, rows, delimiter=",")


def _read_manifest(path: Path) -> dict[str, object]:
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError) as error:
        raise MalformedInputError(
            f"this is no JSON file ({error})", file=str(path), hint="mend or remove it"
        ) from error
    if not isinstance(manifest, dict):
        raise MalformedInputError(
            "this is no JSON object", file=str(path), hint="mend or remove it"
        )
    return manifest
