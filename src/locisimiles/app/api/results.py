"""What a search found: pages, pairs, links, files."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, HTTPException, Query, Request, Response

from locisimiles.app.api.models import ResultQuery, ResultsShown, SelectionQuery
from locisimiles.app.api.sharing import TheProject, reader_of
from locisimiles.app.results.explanations import explained
from locisimiles.app.results.exporting import export_selection
from locisimiles.app.results.table import Found
from locisimiles.errors import InputError

__all__ = ["router"]

router = APIRouter(tags=["results"])

_MEDIA = {
    "csv": "text/csv; charset=utf-8",
    "tsv": "text/tab-separated-values; charset=utf-8",
    "json": "application/json",
    "jsonld": "application/ld+json",
    "xml": "application/tei+xml",
}


@router.get("/projects/{project}/results")
def list_results(
    request: Request, project: TheProject, wanted: Annotated[ResultQuery, Query()]
) -> ResultsShown:
    """List pairs of a selection, page by page."""
    page = Found(project, reader_of(request, wanted.reader)).page(
        wanted.selection(),
        order=wanted.order,
        backwards=wanted.backwards,
        offset=wanted.offset,
        limit=wanted.limit,
        texts=wanted.texts,
    )
    return ResultsShown(total=page.total, rows=page.rows)


@router.get("/projects/{project}/results/{row}")
def show_result(
    request: Request, project: TheProject, row: int, reader: str = ""
) -> dict[str, object]:
    """Show a pair with its texts, the words that answer each other, and why it was found."""
    try:
        pair = Found(project, reader_of(request, reader)).pair(row)
    except InputError as error:
        raise HTTPException(404, str(error)) from error
    return pair._replace(explanation=explained(pair.explanation))._asdict()


@router.get("/projects/{project}/links")
def list_links(
    request: Request, project: TheProject, wanted: Annotated[SelectionQuery, Query()]
) -> list[dict[str, object]]:
    """Count which works cite which in a selection."""
    return Found(project, reader_of(request, wanted.reader)).links(wanted.selection())


@router.get("/projects/{project}/export/{format_name}")
def export_results(
    request: Request,
    project: TheProject,
    format_name: str,
    wanted: Annotated[SelectionQuery, Query()],
) -> Response:
    """Write a selection as a file: csv, tsv, json, jsonl, xlsx, parquet, html, xml, and others."""
    reader = reader_of(request, wanted.reader)
    content = export_selection(project, f".{format_name}", wanted.selection(), reader=reader)
    return Response(
        content,
        # A report is a page of its own, but not one of this app.
        media_type=_MEDIA.get(format_name, "application/octet-stream"),
        headers={"Content-Disposition": f'attachment; filename="{project.id}.{format_name}"'},
    )
