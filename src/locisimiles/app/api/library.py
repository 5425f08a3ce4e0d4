"""The library: listed, filtered, downloaded, and added to projects."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from locisimiles.app.api.dependencies import FileName, OpenProject, SharedContext
from locisimiles.app.api.library_models import (
    AdditionResponse,
    LibraryNames,
    LibraryQuery,
    LibraryWork,
)
from locisimiles.app.api.models import TextsResponse
from locisimiles.app.api.projects import show_texts
from locisimiles.app.projects.inputs import add_library_texts
from locisimiles.app.projects.library_list import list_works
from locisimiles.app.projects.project import Side

__all__ = ["router"]

router = APIRouter(tags=["library"])


@router.get("/library")
def list_library(query: Annotated[LibraryQuery, Query()]) -> list[LibraryWork]:
    """List works of the library, by author."""
    return [LibraryWork.of(work) for work in list_works(query.wanted())]


@router.put("/projects/{project}/library/{side}/{name}")
def use_library_text(project: OpenProject, side: Side, name: FileName) -> TextsResponse:
    """Add installed texts of the library: an author, a work, or an edition."""
    add_library_texts(project, side, [name])
    return show_texts(project, side)


@router.post("/projects/{project}/library/{side}", status_code=202)
def download_and_use(
    context: SharedContext, project: OpenProject, side: Side, wanted: LibraryNames
) -> AdditionResponse:
    """Add texts of the library; those that are not installed are downloaded first."""
    return AdditionResponse.of(context.additions.start(project, side, wanted.names))


@router.get("/projects/{project}/library/{side}")
def show_additions(
    context: SharedContext, project: OpenProject, side: Side
) -> list[AdditionResponse]:
    """Show how far texts are that are being added, and what went wrong."""
    return [AdditionResponse.of(one) for one in context.additions.of(project, side)]


@router.delete("/projects/{project}/library/{side}")
def stop_additions(
    context: SharedContext, project: OpenProject, side: Side
) -> list[AdditionResponse]:
    """Stop downloading, and forget what is over; texts that are installed stay."""
    stopped = context.additions.of(project, side)
    for addition in stopped:
        addition.stop()
        context.additions.dismiss(project, addition)
    return [AdditionResponse.of(one) for one in stopped]
