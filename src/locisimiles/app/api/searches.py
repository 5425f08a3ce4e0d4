"""Searches, and the methods they may use."""

from __future__ import annotations

from fastapi import APIRouter, HTTPException

from locisimiles.app.api.dependencies import OpenProject, SharedContext
from locisimiles.app.api.models import SearchRequest, SearchResponse
from locisimiles.app.search.status import search_status
from locisimiles.messages import Message
from locisimiles.retrieve.methods import METHODS

__all__ = ["router"]

router = APIRouter(tags=["searches"])


@router.get("/methods")
def list_methods() -> list[dict[str, str]]:
    """List the methods that find candidates."""
    return [
        {"name": m.name, "description": m.description, "needs": m.needs, "speed": m.speed}
        for m in METHODS.values()
    ]


@router.post("/projects/{project}/search", status_code=202)
def start_search(
    context: SharedContext, project: OpenProject, wanted: SearchRequest
) -> SearchResponse:
    """Start a search of the texts as they are; earlier searches and judgements stay."""
    context.jobs.start(project, wanted.parameters())
    return show_search(project)


@router.get("/projects/{project}/search")
def show_search(project: OpenProject) -> SearchResponse:
    """Show the state of the last search."""
    status = search_status(project)
    if status is None:
        raise HTTPException(404, str(Message("app.no_results")))
    return SearchResponse.of(status)


@router.delete("/projects/{project}/search")
def cancel_search(context: SharedContext, project: OpenProject) -> SearchResponse:
    """Stop the search; its results so far are kept."""
    context.jobs.cancel(project)
    return show_search(project)


@router.post("/projects/{project}/search/resume", status_code=202)
def resume_search(context: SharedContext, project: OpenProject) -> SearchResponse:
    """Resume a search that was stopped."""
    if not context.jobs.resume(project):
        raise HTTPException(409, str(Message("app.nothing_to_resume")))
    return show_search(project)
