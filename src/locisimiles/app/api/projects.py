"""Projects, their texts, their searches."""

from __future__ import annotations

from dataclasses import asdict

from fastapi import APIRouter, HTTPException, Request, Response
from starlette.concurrency import run_in_threadpool

from locisimiles.app.api.models import (
    NewProject,
    ProjectShown,
    SearchAsked,
    SearchShown,
    SegmentShown,
    TextsShown,
)
from locisimiles.app.api.sharing import OwnProjects, SharedContext, TheProject
from locisimiles.app.projects.project import Project, Side
from locisimiles.app.projects.texts import add_file, add_library_text, remove_input, use_example
from locisimiles.app.results.table import Found
from locisimiles.app.search.status import Searches
from locisimiles.retrieve.methods import METHODS

__all__ = ["router"]

router = APIRouter(tags=["projects"])


@router.get("/methods")
def list_methods() -> list[dict[str, str]]:
    """Say how candidates can be found."""
    return [
        {"name": m.name, "description": m.description, "needs": m.needs, "speed": m.speed}
        for m in METHODS.values()
    ]


@router.get("/projects")
def list_projects(projects: OwnProjects) -> list[ProjectShown]:
    """List the projects, the one that was used last first."""
    return [ProjectShown(id=entry.id, title=entry.title) for entry in projects.all()]


@router.post("/projects", status_code=201)
def create_project(projects: OwnProjects, new: NewProject) -> ProjectShown:
    """Make a project."""
    project = projects.create(new.title)
    if new.example:
        use_example(project)
    return _shown(project)


@router.get("/projects/{project}")
def show_project(project: TheProject) -> ProjectShown:
    """Say what a project holds."""
    return _shown(project)


@router.delete("/projects/{project}", status_code=204)
def delete_project(context: SharedContext, projects: OwnProjects, project: TheProject) -> Response:
    """Remove a project with all that is in it."""
    context.jobs.cancel(project)
    projects.delete(project.id)
    return Response(status_code=204)


@router.get("/projects/{project}/texts/{side}")
def show_texts(project: TheProject, side: Side, first: int = 0, count: int = 100) -> TextsShown:
    """Show how the texts of one side are cut, and what was odd about them."""
    return TextsShown(
        inputs=[one.name for one in project.inputs(side, contents=False)],
        remarks=project.remarks(side),
        total=project.count_segments(side),
        segments=[
            SegmentShown(**asdict(one)) for one in project.segments(side, first, min(count, 1000))
        ],
    )


@router.put("/projects/{project}/texts/{side}/{name}")
async def upload_text(project: TheProject, side: Side, name: str, request: Request) -> TextsShown:
    """Add a file, whose bytes are the body; one of the same name is replaced."""
    content = await request.body()
    await run_in_threadpool(add_file, project, side, name, content)
    return await run_in_threadpool(show_texts, project, side)


@router.delete("/projects/{project}/texts/{side}/{name}")
def remove_text(project: TheProject, side: Side, name: str) -> TextsShown:
    """Take a file or a text of the library away."""
    remove_input(project, side, name)
    return show_texts(project, side)


@router.put("/projects/{project}/library/{side}/{name}")
def use_library_text(project: TheProject, side: Side, name: str) -> TextsShown:
    """Add a text of the library that is on this machine."""
    add_library_text(project, side, name)
    return show_texts(project, side)


@router.post("/projects/{project}/search", status_code=202)
def start_search(context: SharedContext, project: TheProject, asked: SearchAsked) -> SearchShown:
    """Start a search, which takes the place of the last one; judgements stay."""
    context.jobs.start(project, asked.parameters())
    return show_search(project)


@router.get("/projects/{project}/search")
def show_search(project: TheProject) -> SearchShown:
    """Say how far the last search is."""
    status = Searches(project).last()
    if status is None:
        raise HTTPException(404, "nothing was searched yet")
    return SearchShown.of(status)


@router.delete("/projects/{project}/search")
def cancel_search(context: SharedContext, project: TheProject) -> SearchShown:
    """Stop the search; what it found is kept."""
    context.jobs.cancel(project)
    return show_search(project)


@router.post("/projects/{project}/search/resume", status_code=202)
def resume_search(context: SharedContext, project: TheProject) -> SearchShown:
    """Go on with a search that was stopped."""
    if not context.jobs.resume(project):
        raise HTTPException(409, "there is nothing to go on with")
    return show_search(project)


def _shown(project: Project) -> ProjectShown:
    return ProjectShown(
        id=project.id,
        title=project.title,
        query_segments=project.count_segments("query"),
        source_segments=project.count_segments("source"),
        results=Found(project).count(),
    )
