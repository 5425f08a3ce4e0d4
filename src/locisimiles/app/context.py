"""What all parts of a running app share."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from locisimiles.app.projects.collection import Projects
from locisimiles.app.search.jobs import Jobs
from locisimiles.errors import LocisimilesError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from locisimiles.app.projects.project import Project
    from locisimiles.app.storage.database import Storage

__all__ = ["AppContext"]


@dataclass(frozen=True, slots=True)
class AppContext:
    """Where projects are, who may use them, and what runs.

    Attributes
    ----------
    folder
        Where projects are kept.
    tokens
        The user of each token; None where only this machine may ask.
    jobs
        The searches that run.
    storage
        Where projects are kept instead of the folder.
    """

    folder: Path
    tokens: Mapping[str, str] | None = None
    jobs: Jobs = field(default_factory=Jobs)
    storage: Storage | None = None

    def projects(self, user: str = "") -> Projects:
        """Return the projects of a user."""
        return Projects(self.storage or self.folder, user)

    def resume_interrupted(self) -> int:
        """Go on with the searches that were under way when the app ended; return how many."""
        return self.jobs.resume_interrupted(self._all_projects())

    def _all_projects(self) -> Iterator[Project]:
        for user in sorted(set(self.tokens.values())) if self.tokens else [""]:
            projects = self.projects(user)
            for entry in projects.all():
                with suppress(LocisimilesError):  # somebody may have deleted it meanwhile
                    yield projects.open(entry.id)
