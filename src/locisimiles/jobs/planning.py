"""Plan a job: write down what is searched in what, and how."""

from __future__ import annotations

import shutil
from dataclasses import replace
from typing import TYPE_CHECKING

from locisimiles.checks import check_at_least
from locisimiles.errors import OutputError, ParameterError
from locisimiles.files.writing import make_folder
from locisimiles.index import Index, is_index
from locisimiles.index.changes import build_index
from locisimiles.index.manifest import Manifest
from locisimiles.index.parts import made_with, works_of
from locisimiles.jobs.plan import Job, index_sha256, is_job
from locisimiles.jobs.stored_query import StoredQuery, write_query_file
from locisimiles.late import IndexEncoder
from locisimiles.pipeline import BLOCK
from locisimiles.progress import silent
from locisimiles.retrieve.methods import late_search

if TYPE_CHECKING:
    from pathlib import Path

    from locisimiles.corpus import Document
    from locisimiles.jobs.settings import SearchSettings
    from locisimiles.pipeline import Pipeline
    from locisimiles.progress import Progress

__all__ = ["plan_job"]

_INDEX, _DRAFT = "index", ".query.arrays"


def plan_job(
    folder: Path,
    query: Document,
    source: Document,
    settings: SearchSettings,
    *,
    block_size: int = BLOCK,
    overwrite: bool = False,
    progress: Progress = silent,
) -> Job:
    """Plan a job in a folder, and return it. The same plan may be made again.

    Parameters
    ----------
    folder
        The folder of the job, new or empty.
    query
        The later text.
    source
        The earlier texts: an `Index`, which stays where it is and must not be changed until the job
        is done, or texts, of which an index is built in the folder.
    settings
        How to search.
    block_size
        The number of query segments of a block, which is lost if a machine fails; results do not
        depend on it.
    overwrite
        Replace another plan. Blocks that both have in common stay done; the others are deleted.
    progress
        Called to report progress.

    Raises
    ------
    OutputError
        If the folder has another plan or other files, or cannot be written.
    ParameterError
        If the index lacks the vectors that the method needs.
    """
    check_at_least(1, block_size=block_size)
    settings = settings.resolved()
    pipeline = settings.wide_pipeline()
    make_folder(folder)
    if not is_job(folder) and any(map(_is_foreign, folder.iterdir())):
        raise OutputError("jobs.not_empty", folder=str(folder))
    if isinstance(source, Index):
        index = source
        check_vectors(pipeline, index)
    else:
        index = _own_index(folder, source, pipeline, overwrite=overwrite, progress=progress)
    search = pipeline.manifest(len(query), query.fingerprint(), len(index), index.fingerprint())
    place = index.folder.resolve()
    drafted = folder / _DRAFT
    write_query_file(drafted, query)
    stored = StoredQuery(drafted)
    job = Job(
        folder=folder,
        settings=settings,
        index=_INDEX if place == (folder / _INDEX).resolve() else str(place),
        index_sha256=index_sha256(index.manifest),
        query_sha256=stored.file_sha256,
        segments=len(query),
        block_size=block_size,
        search=search,
        blocks=(),
    )
    job = replace(job, blocks=job.block_ids(stored))
    if not job.is_planned():
        if is_job(folder) and not overwrite:
            drafted.unlink()
            raise OutputError("jobs.exists", folder=str(folder))
        drafted.replace(job.query_path)
        job.write()
    make_folder(job.blocks_folder)
    _delete_others(job)
    return job


def check_vectors(pipeline: Pipeline, index: Index) -> None:
    """Raise a ParameterError if each process would have to encode all sources of an index."""
    late = late_search(pipeline.retriever)
    if late is not None and not late.finds_vectors(index):
        raise ParameterError("jobs.no_vectors", folder=str(index.folder))


def _own_index(
    folder: Path, source: Document, pipeline: Pipeline, *, overwrite: bool, progress: Progress
) -> Index:
    """Build an index of texts in the folder of a job, or open it if it was built before."""
    late = late_search(pipeline.retriever)
    encoder = None if late is None else IndexEncoder(late.encoder())
    path = folder / _INDEX
    if is_index(path):
        made = made_with(encoder)
        wanted = {work.key(made) for work in works_of(source)}
        if {part.key for part in Manifest.read(path).parts} == wanted:
            return Index.open(path)
        if not overwrite:
            raise OutputError("jobs.exists", folder=str(folder))
        shutil.rmtree(path)
    build_index(path, source, encoder, progress=progress)
    return Index.open(path)


def _delete_others(job: Job) -> None:
    """Delete what belongs to another plan, or is left of a planning that was interrupted."""
    kept = {job.query_path, *map(job.block_path, range(len(job.blocks)))}
    found = [*job.folder.glob("query-*.arrays"), *job.blocks_folder.glob("*.parquet")]
    for path in (*found, job.folder / _DRAFT):
        if path not in kept:
            path.unlink(missing_ok=True)


def _is_foreign(path: Path) -> bool:
    """Tell whether a file is none that an interrupted planning may have left."""
    return not path.name.startswith(".") and path.name != _INDEX
