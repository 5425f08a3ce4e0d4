"""The projects of a user: created, opened, listed, deleted."""

from __future__ import annotations

import re
import unicodedata
from os import PathLike
from typing import TYPE_CHECKING, NamedTuple

from locisimiles.app.projects.project import Project
from locisimiles.app.storage.sqlite import SqliteStorage
from locisimiles.errors import (
    DatabaseError,
    InputError,
    LocisimilesError,
    OutputError,
    ParameterError,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from locisimiles.app.storage.database import Storage

__all__ = ["ProjectCollection", "ProjectEntry"]

_ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_LONGEST_ID = 60
_MOST_OF_ONE_NAME = 10_000
_MOST_DIGITS = 5  # with the hyphen before them


class ProjectEntry(NamedTuple):
    """A project in a list."""

    id: str
    title: str
    changed: float


class ProjectCollection:
    """The projects of one user, in a folder or a storage.

    Examples
    --------
    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> projects = ProjectCollection(folder.name)
    >>> projects.create("Jerome's letters").id, projects.create("Jerome's letters").id
    ('jerome-s-letters', 'jerome-s-letters-2')
    >>> folder.cleanup()
    """

    def __init__(self, place: str | PathLike[str] | Storage, user: str = "") -> None:
        if user and not _ID.fullmatch(user):
            raise ParameterError("app.user_name", name=user)
        self._user = user
        self._storage: Storage = (
            SqliteStorage(place) if isinstance(place, str | PathLike) else place
        )

    def create(self, title: str) -> Project:
        """Create an empty project, with an id made from its title."""
        title = title.strip() or "Project"
        for number in range(1, _MOST_OF_ONE_NAME):
            project_id = _slug(title) + ("" if number == 1 else f"-{number}")
            database = self._storage.create(self._user, project_id)
            if database is not None:
                project = Project(database)
                project.title = title
                return project
        raise OutputError("app.too_many_projects", title=title)

    def open(self, project_id: str) -> Project:
        """Return a project by its id, or raise an InputError."""
        return Project(self._storage.open(self._user, self.checked_id(project_id)))

    @staticmethod
    def checked_id(project_id: str) -> str:
        """Return the id of a project, or raise an InputError.

        It must not lead out of the folder, nor be longer than the name of a file may be.

        Examples
        --------
        >>> ProjectCollection.checked_id("letters")
        'letters'
        """
        if len(project_id) > _LONGEST_ID + _MOST_DIGITS or not _ID.fullmatch(project_id):
            raise InputError("app.unknown_project", id=project_id[:_LONGEST_ID])
        return project_id

    def delete(self, project_id: str) -> None:
        """Delete a project."""
        self._storage.delete(self._user, self.open(project_id).id)

    def all(self) -> list[ProjectEntry]:
        """Return the projects, the last one used first."""
        return sorted(self._entries(), key=lambda entry: -entry.changed)

    def _entries(self) -> Iterator[ProjectEntry]:
        for project_id, changed in self._storage.all(self._user):
            try:
                yield ProjectEntry(project_id, self.open(project_id).title, changed)
            except DatabaseError:
                raise
            except LocisimilesError:
                continue  # a file of another program must not hide all projects


def _slug(title: str) -> str:
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    slug = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:_LONGEST_ID].strip("-")
    return slug or "project"
