"""What readers decided."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from starlette.concurrency import run_in_threadpool

from locisimiles.app.api.models import JudgementGiven, JudgementShown
from locisimiles.app.api.sharing import TheProject, reader_of
from locisimiles.app.judging.verdicts import Judging

__all__ = ["router"]

router = APIRouter(tags=["judgements"])


@router.get("/projects/{project}/judgements")
def list_judgements(project: TheProject, reader: str | None = None) -> list[JudgementShown]:
    """List the judgements of one reader, or of all."""
    return [JudgementShown(**one._asdict()) for one in Judging(project).all(reader)]


@router.put("/projects/{project}/judgements")
def judge(request: Request, project: TheProject, given: JudgementGiven) -> JudgementShown:
    """Keep a verdict, a note, or both."""
    verdict = {"verdict": given.verdict} if "verdict" in given.model_fields_set else {}
    kept = Judging(project).judge(
        given.query_id,
        given.source_id,
        reader=reader_of(request, given.reader),
        note=given.note,
        **verdict,
    )
    return JudgementShown(**kept._asdict())


@router.post("/projects/{project}/judgements/undo")
def undo(request: Request, project: TheProject, reader: str = "") -> JudgementShown | None:
    """Take back what a reader did last."""
    undone = Judging(project).undo(reader_of(request, reader))
    return None if undone is None else JudgementShown(**undone._asdict())


@router.get("/projects/{project}/judgements.csv")
def export_judgements(project: TheProject, reader: str | None = None) -> Response:
    """Write judgements as a table that can be read in again."""
    return Response(
        Judging(project).export_csv(reader),
        media_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{project.id}-judgements.csv"'},
    )


@router.post("/projects/{project}/judgements/import/{name}")
async def import_judgements(
    request: Request, project: TheProject, name: str, reader: str = ""
) -> dict[str, int]:
    """Take over a table of judgements, whose bytes are the body."""
    content = await request.body()
    imported = await run_in_threadpool(
        Judging(project).import_file, name, content, reader=reader_of(request, reader)
    )
    return imported._asdict()


@router.get("/projects/{project}/agreement")
def show_agreement(project: TheProject) -> list[dict[str, object]]:
    """Compare every two readers."""
    return [one._asdict() for one in Judging(project).agreement()]
