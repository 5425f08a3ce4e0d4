"""Searches, and the methods they may use."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, HTTPException, Query, Request, Response

from locisimiles.app.api.dependencies import OpenProject, SharedContext
from locisimiles.app.api.models import (
    PageQuery,
    ResultsResponse,
    SearchEntry,
    SearchName,
    SearchResponse,
    StartRequest,
)
from locisimiles.app.api.results import list_results
from locisimiles.app.search.status import search_status
from locisimiles.app.search.stored_searches import StoredSearches
from locisimiles.messages import Message
from locisimiles.retrieve.methods import METHODS

__all__ = ["router"]

router = APIRouter(tags=["searches"])


def _existing(project: OpenProject, number: int) -> int:
    if not project.has_search(number):
        raise HTTPException(404, str(Message("app.no_search", {"number": str(number)})))
    return number


ExistingSearch = Annotated[int, Depends(_existing)]


@router.get("/methods")
def list_methods() -> list[dict[str, str]]:
    """List the methods that find candidates."""
    return [
        {"name": m.name, "description": m.description, "needs": m.needs, "speed": m.speed}
        for m in METHODS.values()
    ]


@router.post("/projects/{project}/search", status_code=202)
def start_search(
    context: SharedContext, project: OpenProject, wanted: StartRequest
) -> SearchResponse:
    """Start a search of the texts as they are; earlier searches and judgements stay."""
    number = context.jobs.start(project, wanted.parameters(), name=wanted.name, reuse=wanted.reuse)
    return _shown(project, number)


@router.get("/projects/{project}/search")
def show_search(project: OpenProject) -> SearchResponse:
    """Show the state of the search that waits or runs, or else of the newest."""
    return _shown(project)


@router.delete("/projects/{project}/search")
def cancel_search(context: SharedContext, project: OpenProject) -> SearchResponse:
    """Stop the search that waits or runs; its results so far are kept."""
    number = _shown(project).number
    context.jobs.cancel(project)
    return _shown(project, number)


@router.post("/projects/{project}/search/resume", status_code=202)
def resume_newest(context: SharedContext, project: OpenProject) -> SearchResponse:
    """Resume the newest search if it was stopped."""
    if not context.jobs.resume(project):
        raise HTTPException(409, str(Message("app.nothing_to_resume")))
    return _shown(project)


@router.get("/projects/{project}/searches")
def list_searches(project: OpenProject) -> list[SearchEntry]:
    """List all searches, the newest first."""
    return [SearchEntry.of(one) for one in StoredSearches(project).all()]


@router.get("/projects/{project}/searches/{number}")
def show_one_search(project: OpenProject, number: ExistingSearch) -> SearchResponse:
    """Show the state and the parameters of a search."""
    return _shown(project, number)


@router.patch("/projects/{project}/searches/{number}")
def rename_search(project: OpenProject, number: ExistingSearch, given: SearchName) -> SearchEntry:
    """Name a search."""
    searches = StoredSearches(project)
    searches.rename(number, given.name)
    return next(SearchEntry.of(one) for one in searches.all() if one.number == number)


@router.delete("/projects/{project}/searches/{number}", status_code=204)
def delete_search(project: OpenProject, number: ExistingSearch) -> Response:
    """Delete a search that is not under way, and its results; judgements stay."""
    StoredSearches(project).delete(number)
    return Response(status_code=204)


@router.post("/projects/{project}/searches/{number}/resume", status_code=202)
def resume_one_search(
    context: SharedContext, project: OpenProject, number: ExistingSearch
) -> SearchResponse:
    """Resume any search that was stopped, with the texts it began with."""
    if not context.jobs.resume(project, number):
        raise HTTPException(409, str(Message("app.nothing_to_resume")))
    return _shown(project, number)


@router.get("/projects/{project}/searches/{number}/results")
def list_results_of_search(
    request: Request,
    project: OpenProject,
    number: ExistingSearch,
    query: Annotated[PageQuery, Query()],
) -> ResultsResponse:
    """List filtered pairs of a search, page by page."""
    return list_results(request, project, query.model_copy(update={"search": number}))


@router.get("/projects/{project}/searches/{number}/compare/{other}")
def compare_searches(project: OpenProject, number: ExistingSearch, other: int) -> dict[str, int]:
    """Count the pairs that two searches found: both of them, only this one, only the other.

    The results of `number` with ``not_in=other`` are those that only this one found.
    """
    _existing(project, other)
    return StoredSearches(project).compare(number, other)._asdict()


def _shown(project: OpenProject, number: int | None = None) -> SearchResponse:
    status = search_status(project, number)
    if status is None:
        raise HTTPException(404, str(Message("app.no_results")))
    return SearchResponse.of(status)
