"""Judgements of readers."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response
from starlette.concurrency import run_in_threadpool

from locisimiles.app.api.dependencies import OpenProject, reader_of
from locisimiles.app.api.models import JudgementRequest
from locisimiles.app.judging.verdicts import Judging, StoredJudgement

__all__ = ["router"]

router = APIRouter(tags=["judgements"])


@router.get("/projects/{project}/judgements")
def list_judgements(project: OpenProject, reader: str | None = None) -> list[StoredJudgement]:
    """List the judgements of one reader, or of all."""
    return Judging(project).all(reader)


@router.put("/projects/{project}/judgements")
def judge(request: Request, project: OpenProject, given: JudgementRequest) -> StoredJudgement:
    """Store a verdict, a note, or both."""
    verdict: dict[str, Any] = (
        {"verdict": given.verdict} if "verdict" in given.model_fields_set else {}
    )
    return Judging(project).judge(
        given.query_id,
        given.source_id,
        reader=reader_of(request, given.reader),
        note=given.note,
        **verdict,
    )


@router.post("/projects/{project}/judgements/undo")
def undo(request: Request, project: OpenProject, reader: str = "") -> StoredJudgement | None:
    """Undo the last change of a reader."""
    return Judging(project).undo(reader_of(request, reader))


@router.post("/projects/{project}/judgements/redo")
def redo(request: Request, project: OpenProject, reader: str = "") -> StoredJudgement | None:
    """Redo what a reader undid last."""
    return Judging(project).redo(reader_of(request, reader))


@router.get("/projects/{project}/judgements.csv")
def export_judgements(project: OpenProject, reader: str | None = None) -> Response:
    """Return judgements as a table that can be imported again."""
    return Response(
        Judging(project).export_csv(reader),
        media_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{project.id}-judgements.csv"'},
    )


@router.post("/projects/{project}/judgements/import/{name}")
async def import_judgements(
    request: Request, project: OpenProject, name: str, reader: str = ""
) -> dict[str, int]:
    """Import a table of judgements; the body is the file."""
    content = await request.body()
    imported = await run_in_threadpool(
        Judging(project).import_file, name, content, reader=reader_of(request, reader)
    )
    return imported._asdict()


@router.get("/projects/{project}/agreement")
def show_agreement(project: OpenProject) -> list[dict[str, object]]:
    """Compare every two readers."""
    return [one._asdict() for one in Judging(project).agreement()]
