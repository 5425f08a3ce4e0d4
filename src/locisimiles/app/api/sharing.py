"""What all endpoints need: whose projects, which one, who reads."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, HTTPException, Path, Request

from locisimiles.app.context import AppContext
from locisimiles.app.projects.collection import Projects
from locisimiles.app.projects.project import Project
from locisimiles.errors import InputError

__all__ = ["CONTEXT", "OwnProjects", "SharedContext", "TheProject", "reader_of"]

CONTEXT = "locisimiles_context"


def _context(request: Request) -> AppContext:
    context: AppContext = getattr(request.app.state, CONTEXT)
    return context


def user_of(request: Request) -> str:
    """Return who asks, as the token says; empty where there is only one user."""
    return str(getattr(request.state, "user", ""))


def reader_of(request: Request, name: str) -> str:
    """Return in whose name verdicts are given: on a server always the user's own."""
    return user_of(request) or name


def _projects(request: Request) -> Projects:
    return _context(request).projects(user_of(request))


def _project(
    request: Request, project: Annotated[str, Path(description="The id of a project.")]
) -> Project:
    try:
        return _projects(request).open(project)
    except InputError as error:
        raise HTTPException(404, "there is no such project") from error


SharedContext = Annotated[AppContext, Depends(_context)]
OwnProjects = Annotated[Projects, Depends(_projects)]
TheProject = Annotated[Project, Depends(_project)]
