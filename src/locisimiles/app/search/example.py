"""The example project, with a search of its texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from locisimiles.app.projects.inputs import use_example
from locisimiles.app.projects.project import SIDES
from locisimiles.app.search.parameters import SearchParameters
from locisimiles.app.search.status import search_status

if TYPE_CHECKING:
    from locisimiles.app.projects.collection import ProjectCollection
    from locisimiles.app.projects.project import Project
    from locisimiles.app.search.jobs import Jobs

__all__ = ["searched_example"]

_SETTING = "example"


def searched_example(projects: ProjectCollection, jobs: Jobs, title: str) -> Project:
    """Return the example project of a user, and start its search unless that was done.

    It is made once; one whose texts were changed is no longer an example.
    """
    project = _known(projects)
    if project is None:
        project = projects.create(title)
        use_example(project)
        project.set_setting(_SETTING, _texts(project))
    status = search_status(project)
    if status is None or not (status.is_busy or status.state == "done"):
        jobs.start(project, SearchParameters())
    return project


def _known(projects: ProjectCollection) -> Project | None:
    opened = (projects.open(entry.id) for entry in projects.all())
    return next((one for one in opened if _is_example(one)), None)


def _is_example(project: Project) -> bool:
    made = project.setting(_SETTING)
    return bool(made) and made == _texts(project)


def _texts(project: Project) -> str:
    """Return the names of the texts, and how many segments they have."""
    texts = project.texts
    return " ".join(
        f"{one.name}:{texts.count(side)}"
        for side in SIDES
        for one in texts.inputs(side, contents=False)
    )
