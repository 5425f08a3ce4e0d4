"""Rankings learnt from verdicts."""

from __future__ import annotations

from dataclasses import asdict

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from locisimiles.app.api.dependencies import OpenProject
from locisimiles.app.judging.learning import Apply, Learning

__all__ = ["router"]

router = APIRouter(tags=["learning"])


class LearningRequest(BaseModel):
    """Whether to apply the learnt ranking."""

    model_config = ConfigDict(extra="forbid")

    apply: Apply = Field(
        default="if_better",
        description="if_better: only if it helps on held-out verdicts.",
    )


class ReportResponse(BaseModel):
    """What was learnt from verdicts, and whether it helps."""

    yes: int = Field(description="Pairs that the majority of readers accept.")
    no: int = Field(description="Pairs that the majority of readers reject.")
    left_out: int = Field(
        description="Judged pairs without a majority, or where readers are unsure."
    )
    elsewhere: int = Field(description="Judged pairs that are not among the results.")
    segments: int = Field(description="Query segments with verdicts.")
    average_precision: tuple[float, float] | None = Field(
        description="Shipped and learnt, on held-out verdicts; null if too few."
    )
    log_loss: tuple[float, float] | None = Field(description="Likewise; lower is better.")
    helps: bool | None = Field(
        description="Whether the ranking is better; null if too few verdicts."
    )
    new_in_first: int = Field(description="New pairs among the first 50 unjudged ones.")
    effects: list[tuple[str, str, float]] = Field(description="The largest effects on log-odds.")
    applied: bool = Field(description="Whether the ranking is applied.")


class LearningResponse(BaseModel):
    """The ranking a project has."""

    report: ReportResponse | None = Field(
        description="Of the learnt ranking; null for the shipped one."
    )
    time: float = Field(description="When it was learnt, in seconds since 1970.")
    steps: int = Field(description="Learnt rankings that can be undone.")
    was_reset: bool = Field(description="Whether a new search ended a learnt ranking.")


@router.get("/projects/{project}/learning")
def show_learning(project: OpenProject) -> LearningResponse:
    """Show whether the ranking is the shipped one or a learnt one."""
    return LearningResponse.model_validate(asdict(Learning(project).state()))


@router.post("/projects/{project}/learning")
def learn(project: OpenProject, asked: LearningRequest) -> ReportResponse:
    """Learn from all verdicts, measure the ranking, and apply it if it helps."""
    return ReportResponse.model_validate(asdict(Learning(project).learn(asked.apply)))


@router.post("/projects/{project}/learning/undo")
def undo_learning(project: OpenProject) -> LearningResponse:
    """Return to the ranking before the last one learnt."""
    Learning(project).undo()
    return show_learning(project)


@router.delete("/projects/{project}/learning")
def restore_shipped(project: OpenProject) -> LearningResponse:
    """Return to the shipped ranking."""
    Learning(project).restore()
    return show_learning(project)
