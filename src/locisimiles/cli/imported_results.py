"""Results of a job, brought into a project of the app."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

from locisimiles.app.projects.collection import ProjectCollection
from locisimiles.app.search.importing import import_pairs
from locisimiles.app.search.stored_searches import StoredSearches
from locisimiles.app.storage import open_storage
from locisimiles.errors import InputError, ParameterError
from locisimiles.jobs import Job, merging_pipeline, write_compact
from locisimiles.jobs.searcher import open_index

if TYPE_CHECKING:
    from locisimiles.app.projects.project import Project
    from locisimiles.progress import Progress

__all__ = ["Imported", "import_into"]


class Imported(NamedTuple):
    """What was imported: the project, the number of the search, and how many pairs it has."""

    project: str
    search: int
    pairs: int


def import_into(
    name: str,
    file: Path | None,
    job: Path | None,
    *,
    title: str,
    folder: Path | None,
    user: str,
    progress: Progress,
) -> Imported:
    """Import results into a project, which gets the texts of the job if it is new."""
    if file is None and job is None:
        raise ParameterError("cli.no_results_to_import")
    opened = None if job is None else Job.open(job)
    projects = ProjectCollection(open_storage(folder), user)
    project = _project(projects, name, opened)
    if file is not None:
        return _imported(project, file, title or file.stem, progress)
    assert opened is not None  # noqa: S101 - checked above
    with TemporaryDirectory(prefix="locisimiles-") as place:
        merged = Path(place) / f"{opened.folder.resolve().name}.parquet"
        write_compact(opened, merging_pipeline(opened), merged, progress=progress)
        return _imported(project, merged, title or merged.stem, progress)


def _imported(project: Project, file: Path, title: str, progress: Progress) -> Imported:
    number = import_pairs(project, file, name=title, progress=progress)
    found = next(one for one in StoredSearches(project).all() if one.number == number)
    return Imported(project.id, number, found.pairs)


def _project(projects: ProjectCollection, name: str, job: Job | None) -> Project:
    known = {entry.id for entry in projects.all()}
    if name in known:
        return projects.open(name)
    if job is None:
        raise InputError("app.unknown_project", id=name)
    project = projects.create(name)
    project.set_texts("query", (), job.query())
    project.set_texts("source", (), open_index(job))
    return project
