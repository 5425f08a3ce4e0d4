"""The folder of projects: one file each, and a folder of its own for each user of a server."""

from __future__ import annotations

import os
import re
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from locisimiles.app.project import Project
from locisimiles.errors import InputError, LocisimilesError, OutputError, ParameterError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["ProjectEntry", "Projects", "default_folder"]

_FOLDER_VARIABLE = "LOCISIMILES_PROJECTS"
_SUFFIX = ".sqlite"
_ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_LONGEST_ID = 60
_MOST_OF_ONE_NAME = 10_000


class ProjectEntry(NamedTuple):
    """A project in a list."""

    id: str
    title: str
    changed: float


def default_folder() -> Path:
    """Return where projects are kept: in the user's data folder, or what a variable names."""
    import platformdirs

    chosen = os.environ.get(_FOLDER_VARIABLE)
    return Path(chosen) if chosen else platformdirs.user_data_path("locisimiles") / "projects"


class Projects:
    """The projects of one user.

    Parameters
    ----------
    folder
        Where they are; made if it is missing.
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

    def __init__(self, folder: str | os.PathLike[str], user: str = "") -> None:
        if user and not _ID.fullmatch(user):
            raise ParameterError(
                f"{user!r} cannot be the name of a user", hint="use letters a-z, figures and '-'"
            )
        self.folder = Path(folder) / user
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise OutputError(f"the folder of projects cannot be made: {error.strerror}") from error

    def create(self, title: str) -> Project:
        """Make an empty project."""
        title = title.strip() or "Project"
        for number in range(1, _MOST_OF_ONE_NAME):
            path = self.folder / f"{_slug(title)}{'' if number == 1 else f'-{number}'}{_SUFFIX}"
            try:
                path.touch(exist_ok=False)
            except FileExistsError:
                continue
            except OSError as error:
                raise OutputError(f"the project cannot be made: {error.strerror}") from error
            project = Project(path, create=True)
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
        if not _ID.fullmatch(project_id):  # so that no id climbs out of the folder
            raise InputError("there is no such project", file=project_id[:_LONGEST_ID])
        return Project(self.folder / f"{project_id}{_SUFFIX}")

    def delete(self, project_id: str) -> None:
        """Remove a project with all that is in it."""
        path = self.open(project_id).path
        for beside in ("", "-wal", "-shm"):
            path.with_name(path.name + beside).unlink(missing_ok=True)

    def all(self) -> list[ProjectEntry]:
        """Return the projects, the one that was used last first."""
        return sorted(self._entries(), key=lambda entry: -entry.changed)

    def _entries(self) -> Iterator[ProjectEntry]:
        for path in self.folder.glob(f"*{_SUFFIX}"):
            try:
                yield ProjectEntry(path.stem, Project(path).title, path.stat().st_mtime)
            except (LocisimilesError, OSError):
                continue  # another program's file is no reason to show no project at all


def _slug(title: str) -> str:
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    slug = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:_LONGEST_ID].strip("-")
    return slug or "project"
