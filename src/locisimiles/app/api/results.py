"""Results: pages, pairs, links, files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, HTTPException, Query, Request, Response

from locisimiles.app.api.dependencies import (
    MEDIA,
    FormatName,
    OpenProject,
    ReaderName,
    reader_of,
)
from locisimiles.app.api.models import ApparatusQuery, FilterQuery, PageQuery, ResultsResponse
from locisimiles.app.results import ResultTable
from locisimiles.app.results.explanations import explanation_text
from locisimiles.app.results.exporting import export_apparatus, export_file
from locisimiles.app.results.fragments import with_fragments
from locisimiles.app.results.passages import with_citations
from locisimiles.errors import InputError

if TYPE_CHECKING:
    from locisimiles.app.projects.project import Project

__all__ = ["router"]

router = APIRouter(tags=["results"])


@router.get("/projects/{project}/results")
def list_results(
    request: Request, project: OpenProject, query: Annotated[PageQuery, Query()]
) -> ResultsResponse:
    """List filtered pairs, page by page."""
    page = _table(request, project, query).page(
        query.wanted(),
        order=query.order,
        backwards=query.backwards,
        offset=query.offset,
        limit=query.limit,
        texts=query.texts or query.kwic,
    )
    rows = page.rows
    if query.texts or query.kwic:
        rows = [with_citations(row) for row in rows]
    if query.kwic:
        rows = with_fragments(rows, query.words)
    return ResultsResponse(total=page.total, rows=rows)


@router.get("/projects/{project}/results/{row}")
def show_result(
    request: Request, project: OpenProject, row: int, reader: ReaderName = ""
) -> dict[str, object]:
    """Show a pair with its texts, their alignment, and its explanation."""
    try:
        pair = ResultTable(project.database, reader_of(request, reader)).pair(row)
    except InputError as error:
        raise HTTPException(404, str(error)) from error
    return pair._replace(explanation=explanation_text(pair.explanation))._asdict()


@router.get("/projects/{project}/links")
def list_links(
    request: Request, project: OpenProject, query: Annotated[FilterQuery, Query()]
) -> list[dict[str, object]]:
    """Count which works cite which."""
    return _table(request, project, query).links(query.wanted())


@router.get("/projects/{project}/export/{format_name}")
def export_results(
    request: Request,
    project: OpenProject,
    format_name: FormatName,
    query: Annotated[FilterQuery, Query()],
) -> Response:
    """Return results as a file: csv, tsv, json, jsonl, xlsx, parquet, html, xml, and others."""
    reader = reader_of(request, query.reader)
    content = export_file(
        project, f".{format_name}", query.wanted(), reader=reader, search=query.search
    )
    return Response(
        content,
        # An HTML report must not run as a page of this app.
        media_type=MEDIA.get(format_name, "application/octet-stream"),
        headers={"Content-Disposition": f'attachment; filename="{project.id}.{format_name}"'},
    )


@router.get("/projects/{project}/apparatus/{format_name}")
def write_apparatus(
    request: Request,
    project: OpenProject,
    format_name: FormatName,
    query: Annotated[ApparatusQuery, Query()],
) -> Response:
    """Return accepted references as an apparatus fontium: docx, tex, html or xml (TEI)."""
    content = export_apparatus(
        project,
        f".{format_name}",
        query.wanted(),
        reader=reader_of(request, query.reader),
        text=query.text,
        language=query.language,
        search=query.search,
    )
    name = f"{project.id}-apparatus.{format_name}"
    return Response(
        content,
        media_type=MEDIA.get(format_name, "application/octet-stream"),
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


def _table(request: Request, project: Project, query: FilterQuery) -> ResultTable:
    reader = reader_of(request, query.reader)
    return ResultTable(project.database, reader, query.search, query.until)
