"""Projects and their texts."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response
from starlette.concurrency import run_in_threadpool

from locisimiles.app.api.dependencies import (
    FileName,
    OpenProject,
    OwnProjects,
    SharedContext,
)
from locisimiles.app.api.models import ProjectRequest, ProjectResponse, TextsResponse
from locisimiles.app.projects.facts import TextFacts, read_year
from locisimiles.app.projects.inputs import add_file, remove_input, use_example
from locisimiles.app.projects.project import Project, Side
from locisimiles.app.results import ResultTable

__all__ = ["router"]

router = APIRouter(tags=["projects"])

_MOST_SEGMENTS = 1000


def _entered_facts(author: str = "", work: str = "", year: str = "") -> TextFacts:
    return TextFacts(author, work, read_year(year))


EnteredFacts = Annotated[TextFacts, Depends(_entered_facts)]


@router.get("/projects")
def list_projects(projects: OwnProjects) -> list[ProjectResponse]:
    """List the projects, the last one used first."""
    return [ProjectResponse(id=entry.id, title=entry.title) for entry in projects.all()]


@router.post("/projects", status_code=201)
def create_project(projects: OwnProjects, new: ProjectRequest) -> ProjectResponse:
    """Create a project."""
    project = projects.create(new.title)
    if new.example:
        use_example(project)
    return _shown(project)


@router.get("/projects/{project}")
def show_project(project: OpenProject) -> ProjectResponse:
    """Show the size of a project."""
    return _shown(project)


@router.delete("/projects/{project}", status_code=204)
def delete_project(context: SharedContext, projects: OwnProjects, project: OpenProject) -> Response:
    """Delete a project."""
    context.jobs.cancel(project)
    projects.delete(project.id)
    return Response(status_code=204)


@router.get("/projects/{project}/texts/{side}")
def show_texts(
    project: OpenProject,
    side: Side,
    first: Annotated[int, Query(ge=0)] = 0,
    count: Annotated[int, Query(ge=0)] = 100,
) -> TextsResponse:
    """Show the inputs and segments of one side, and remarks about them."""
    return TextsResponse(
        inputs=[one.name for one in project.texts.inputs(side, contents=False)],
        remarks=[str(remark) for remark in project.texts.remarks(side)],
        total=project.texts.count(side),
        segments=project.texts.segments(side, first, min(count, _MOST_SEGMENTS)),
    )


@router.put("/projects/{project}/texts/{side}/{name}")
async def upload_text(
    project: OpenProject, side: Side, name: FileName, request: Request, facts: EnteredFacts
) -> TextsResponse:
    """Add a file, or replace one of the same name; the body is its content.

    Author, work and year are those of the whole file.
    """
    content = await request.body()
    await run_in_threadpool(add_file, project, side, name, content, facts or None)
    return await run_in_threadpool(show_texts, project, side)


@router.delete("/projects/{project}/texts/{side}/{name}")
def remove_text(project: OpenProject, side: Side, name: FileName) -> TextsResponse:
    """Remove a file or a text of the library."""
    remove_input(project, side, name)
    return show_texts(project, side)


def _shown(project: Project) -> ProjectResponse:
    return ProjectResponse(
        id=project.id,
        title=project.title,
        query_segments=project.texts.count("query"),
        source_segments=project.texts.count("source"),
        results=ResultTable(project.database).count(),
    )
