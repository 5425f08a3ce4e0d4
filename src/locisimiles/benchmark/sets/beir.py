"""Export a benchmark as a folder that tools for BEIR and MTEB read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.benchmark.sets.references import Label
from locisimiles.export import write_table
from locisimiles.files.writing import atomic, make_folder

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator

    from locisimiles.benchmark.sets.dataset import Benchmark
    from locisimiles.benchmark.sets.references import References
    from locisimiles.corpus import Document

__all__ = ["export_beir"]

_QRELS_HEADER = ("query-id", "corpus-id", "score")


def export_beir(benchmark: Benchmark, folder: str | os.PathLike[str]) -> list[Path]:
    """Write a benchmark in the layout of BEIR.

    ``corpus.jsonl`` and ``queries.jsonl`` hold all segments, with author, work and locus as
    metadata (``title`` stays empty, since most tools put it before the text). ``qrels`` holds
    ``test.tsv`` with all references, ``test_cit.tsv`` and ``test_cf.tsv`` with those of one type,
    and for each fold ``train_fold0.tsv`` and ``test_fold0.tsv``.

    Parameters
    ----------
    benchmark
        The benchmark.
    folder
        The folder to write; created if necessary.

    Returns
    -------
    list of Path
        The files written.

    Raises
    ------
    OutputError
        If a file cannot be written.
    """
    folder = Path(folder)
    make_folder(folder / "qrels")
    written = [folder / "corpus.jsonl", folder / "queries.jsonl"]
    for path, document in zip(written, (benchmark.source, benchmark.query), strict=True):
        with atomic(path) as stream:
            stream.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in _rows(document))
    for name, references in _splits(benchmark.references, benchmark.folds):
        written.append(folder / "qrels" / f"{name}.tsv")
        with atomic(written[-1]) as stream:
            rows = _judgements(references, benchmark)
            write_table(stream, _QRELS_HEADER, rows, delimiter="\t")
    return written


def _rows(document: Document) -> Iterator[dict[str, object]]:
    columns = (document.ids, document.texts, document.authors, document.works, document.loci)
    for segment_id, text, author, work, locus in zip(*columns, strict=True):
        metadata = {"author": author, "work": work, "locus": locus}
        yield {"_id": segment_id, "title": "", "text": text, "metadata": metadata}


def _splits(references: References, folds: tuple[int, ...]) -> Iterator[tuple[str, References]]:
    yield "test", references
    for label in (Label.CIT, Label.CF):
        if (references.label == label).any():
            yield f"test_{label.text}", references.select(references.label == label)
    for fold in folds:
        yield f"train_fold{fold}", references.select(references.fold != fold)
        yield f"test_fold{fold}", references.select(references.fold == fold)


def _judgements(references: References, benchmark: Benchmark) -> Iterator[tuple[str, str, str]]:
    for i in np.lexsort((references.source, references.query)):
        query, source = references.query[i], references.source[i]
        yield benchmark.query.ids[query], benchmark.source.ids[source], f"{references.grade[i]:g}"
