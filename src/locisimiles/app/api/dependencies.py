"""What endpoints depend on: the context, the user's projects, one of them, the reader."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, HTTPException, Path, Query, Request

from locisimiles.app.context import AppContext
from locisimiles.app.projects.collection import ProjectCollection
from locisimiles.app.projects.project import Project
from locisimiles.errors import InputError

__all__ = [
    "CONTEXT",
    "MEDIA",
    "FileName",
    "FormatName",
    "OpenProject",
    "OwnProjects",
    "ReaderName",
    "SharedContext",
    "reader_of",
]

CONTEXT = "locisimiles_context"
MEDIA = {
    "csv": "text/csv; charset=utf-8",
    "tsv": "text/tab-separated-values; charset=utf-8",
    "json": "application/json",
    "jsonld": "application/ld+json",
    "xml": "application/tei+xml",
}
"""The media types of files, by the suffix; all others are bytes."""


def _context(request: Request) -> AppContext:
    context: AppContext = getattr(request.app.state, CONTEXT)
    return context


def user_of(request: Request) -> str:
    """Return the user whose token the request has; empty where there is only one user."""
    return str(getattr(request.state, "user", ""))


def reader_of(request: Request, name: str) -> str:
    """Return the name for verdicts: on a server always that of the user."""
    return user_of(request) or name.strip()


def _projects(request: Request) -> ProjectCollection:
    return _context(request).projects(user_of(request))


def _project(
    request: Request, project: Annotated[str, Path(description="Id of a project.")]
) -> Project:
    try:
        return _projects(request).open(project)
    except InputError as error:
        raise HTTPException(404, str(error)) from error


FormatName = Annotated[str, Path(max_length=20, description="Suffix without its dot.")]
FileName = Annotated[str, Path(max_length=300)]
ReaderName = Annotated[str, Query(max_length=100)]
SharedContext = Annotated[AppContext, Depends(_context)]
OwnProjects = Annotated[ProjectCollection, Depends(_projects)]
OpenProject = Annotated[Project, Depends(_project)]
