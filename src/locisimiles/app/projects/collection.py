"""The projects of a user: made under ids of our own, opened, listed, deleted."""

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

__all__ = ["ProjectEntry", "Projects"]

_ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_LONGEST_ID = 60
_MOST_OF_ONE_NAME = 10_000


class ProjectEntry(NamedTuple):
    """A project in a list."""

    id: str
    title: str
    changed: float


class Projects:
    """The projects of one user.

    Parameters
    ----------
    place
        Where they are: a folder, which is made if it is missing, or another storage.
    user
        Whose; empty where there is only one user.

    Examples
    --------
    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> projects = Projects(folder.name)
    >>> projects.create("Jerome's letters").id, projects.create("Jerome's letters").id
    ('jerome-s-letters', 'jerome-s-letters-2')
    >>> folder.cleanup()
    """

    def __init__(self, place: str | PathLike[str] | Storage, user: str = "") -> None:
        if user and not _ID.fullmatch(user):
            raise ParameterError(
                f"{user!r} cannot be the name of a user", hint="use letters a-z, figures and '-'"
            )
        self._user = user
        self._storage: Storage = (
            SqliteStorage(place) if isinstance(place, str | PathLike) else place
        )

    def create(self, title: str) -> Project:
        """Make an empty project."""
        title = title.strip() or "Project"
        for number in range(1, _MOST_OF_ONE_NAME):
            project_id = _slug(title) + ("" if number == 1 else f"-{number}")
            database = self._storage.create(self._user, project_id)
            if database is not None:
                project = Project(database)
                project.title = title
                return project
        raise OutputError("there are too many projects of this name")

    def open(self, project_id: str) -> Project:
        """Return a project by its id.

        Raises
        ------
        InputError
            If there is none.
        """
        if not _ID.fullmatch(project_id):  # so that no id climbs out of a folder
            raise InputError("there is no such project", file=project_id[:_LONGEST_ID])
        return Project(self._storage.open(self._user, project_id))

    def delete(self, project_id: str) -> None:
        """Remove a project with all that is in it."""
        self._storage.delete(self._user, self.open(project_id).id)

    def all(self) -> list[ProjectEntry]:
        """Return the projects, the one that was used last first."""
        return sorted(self._entries(), key=lambda entry: -entry.changed)

    def _entries(self) -> Iterator[ProjectEntry]:
        for project_id, changed in self._storage.all(self._user):
            try:
                yield ProjectEntry(project_id, self.open(project_id).title, changed)
            except DatabaseError:
                raise
            except LocisimilesError:
                continue  # another program's file is no reason to show no project at all


def _slug(title: str) -> str:
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    slug = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:_LONGEST_ID].strip("-")
    return slug or "project"
