"""What all parts of a running app share."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from locisimiles.app.projects.additions import Additions
from locisimiles.app.projects.collection import ProjectCollection
from locisimiles.app.search.jobs import Jobs
from locisimiles.errors import LocisimilesError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from locisimiles.app.projects.project import Project
    from locisimiles.app.storage.database import Storage

__all__ = ["AppContext"]


@dataclass(frozen=True, slots=True)
class AppContext:
    """Projects, users, searches and downloads of a running app."""

    folder: Path
    users: tuple[str, ...] = ("",)  # an empty name is that of the only user of this machine
    jobs: Jobs = field(default_factory=Jobs)
    storage: Storage | None = None  # where projects are, if not in the folder
    additions: Additions = field(default_factory=Additions)

    def projects(self, user: str = "") -> ProjectCollection:
        """Return the projects of a user."""
        return ProjectCollection(self.storage or self.folder, user)

    def close(self) -> None:
        """Stop all searches and downloads, and close the storage."""
        self.additions.close()
        self.jobs.close()
        if self.storage is not None:
            self.storage.close()

    def resume_interrupted(self) -> int:
        """Resume the searches that were running when the app ended; return their number."""
        return self.jobs.resume_interrupted(self._all_projects())

    def _all_projects(self) -> Iterator[Project]:
        for user in sorted(set(self.users)):
            projects = self.projects(user)
            for entry in projects.all():
                with suppress(LocisimilesError):  # it may have been deleted meanwhile
                    yield projects.open(entry.id)
