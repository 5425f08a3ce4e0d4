"""Judgements of readers."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response
from starlette.concurrency import run_in_threadpool

from locisimiles.app.api.dependencies import (
    MEDIA,
    FileName,
    FormatName,
    OpenProject,
    ReaderName,
    reader_of,
)
from locisimiles.app.api.models import (
    BatchRequest,
    BatchResponse,
    BlindRequest,
    JudgementRequest,
)
from locisimiles.app.judging.exchange import export_judgements, import_judgements
from locisimiles.app.judging.verdicts import Judging, StoredJudgement

__all__ = ["router"]

router = APIRouter(tags=["judgements"])


@router.get("/projects/{project}/judgements")
def list_judgements(
    project: OpenProject, reader: ReaderName | None = None
) -> list[StoredJudgement]:
    """List the judgements of one reader, or of all."""
    return Judging(project).all(reader)


@router.put("/projects/{project}/judgements")
def judge(request: Request, project: OpenProject, given: JudgementRequest) -> StoredJudgement:
    """Store a verdict, a note, or both."""
    return Judging(project).judge(**_given(request, given))


@router.post("/projects/{project}/judgements/batch")
def judge_many(request: Request, project: OpenProject, given: BatchRequest) -> BatchResponse:
    """Store a verdict, a note, or both on many pairs; undo takes them back as one."""
    count = Judging(project).judge_many(
        given.chosen(),
        reader=reader_of(request, given.reader),
        note=given.note,
        only_count=given.only_count,
        **_verdict(given),
    )
    return BatchResponse(**count._asdict())


@router.post("/projects/{project}/judgements/undo")
def undo(request: Request, project: OpenProject, reader: ReaderName = "") -> StoredJudgement | None:
    """Undo the last change of a reader."""
    return Judging(project).undo(reader_of(request, reader))


@router.post("/projects/{project}/judgements/redo")
def redo(request: Request, project: OpenProject, reader: ReaderName = "") -> StoredJudgement | None:
    """Redo what a reader undid last."""
    return Judging(project).redo(reader_of(request, reader))


@router.get("/projects/{project}/judgements.{format_name}")
def export_table(
    project: OpenProject, format_name: FormatName, reader: ReaderName | None = None
) -> Response:
    """Return judgements and decisions as a table that can be imported: csv, tsv, xlsx, json."""
    return Response(
        export_judgements(project, f".{format_name}", reader),
        media_type=MEDIA.get(format_name, "application/octet-stream"),
        headers={
            "Content-Disposition": f'attachment; filename="{project.id}-judgements.{format_name}"'
        },
    )


@router.post("/projects/{project}/judgements/import/{name}")
async def import_table(
    request: Request, project: OpenProject, name: FileName, reader: ReaderName = ""
) -> dict[str, int]:
    """Import a table of judgements; the body is the file."""
    content = await request.body()
    imported = await run_in_threadpool(
        import_judgements, project, name, content, reader=reader_of(request, reader)
    )
    return imported._asdict()


@router.post("/projects/{project}/judgements/rename")
def rename(
    request: Request, project: OpenProject, old: ReaderName = "", new: ReaderName = ""
) -> dict[str, int]:
    """Give the judgements of a reader, or nameless ones, another name; nothing is overwritten."""
    return Judging(project).rename(old.strip(), reader_of(request, new))._asdict()


@router.get("/projects/{project}/decisions")
def list_decisions(project: OpenProject) -> list[StoredJudgement]:
    """List the decisions between readers."""
    return Judging(project).decisions()


@router.put("/projects/{project}/decisions")
def decide(request: Request, project: OpenProject, given: JudgementRequest) -> StoredJudgement:
    """Decide between readers; the decision overrides their verdicts in exports."""
    return Judging(project).decide(**_given(request, given))


@router.put("/projects/{project}/blind")
def set_blind(request: Request, project: OpenProject, given: BlindRequest) -> BlindRequest:
    """Hide from a reader what others say of the pairs, or show it again."""
    reader = reader_of(request, given.reader)
    Judging(project).set_blind(reader, on=given.on)
    return BlindRequest(reader=reader, on=given.on)


@router.get("/projects/{project}/agreement")
def show_agreement(project: OpenProject) -> list[dict[str, object]]:
    """Compare every two readers: by all verdicts, and by independent ones."""
    return [
        {**one.of_all._asdict(), "independent": one.of_independent._asdict()}
        for one in Judging(project).agreement()
    ]


def _given(request: Request, given: JudgementRequest) -> dict[str, Any]:
    """Return what a request names, for `Judging`."""
    return {
        "query_id": given.query_id,
        "source_id": given.source_id,
        "reader": reader_of(request, given.reader),
        "note": given.note,
        **_verdict(given),
    }


def _verdict(given: JudgementRequest | BatchRequest) -> dict[str, Any]:
    """Return the verdict, if there is one; null withdraws it."""
    return {"verdict": given.verdict} if "verdict" in given.model_fields_set else {}
