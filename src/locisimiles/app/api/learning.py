"""A ranking that a project learns from its verdicts."""

from __future__ import annotations

from dataclasses import asdict

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from locisimiles.app.api.sharing import TheProject
from locisimiles.app.judging.learning import Apply, Learning

__all__ = ["router"]

router = APIRouter(tags=["learning"])


class LearningAsked(BaseModel):
    """Whether the project shall be ranked anew."""

    model_config = ConfigDict(extra="forbid")

    apply: Apply = Field(
        default="if_better",
        description="if_better: if that helps on verdicts it was not learnt from.",
    )


class ReportShown(BaseModel):
    """What was learnt from how many verdicts, and what it is worth."""

    yes: int = Field(description="Pairs that most readers accept.")
    no: int = Field(description="Pairs that most readers reject.")
    left_out: int = Field(description="Pairs of which readers are unsure, or divided.")
    elsewhere: int = Field(description="Pairs with a verdict that are not among the results.")
    segments: int = Field(description="Query segments with verdicts.")
    average_precision: tuple[float, float] | None = Field(
        description="Shipped and learnt, on verdicts it was not learnt from; null if too few."
    )
    log_loss: tuple[float, float] | None = Field(description="The same; the less, the better.")
    helps: bool | None = Field(description="Whether it is better; null if too few to tell.")
    new_in_first: int = Field(description="Others than before among the first 50 unjudged pairs.")
    effects: list[tuple[str, str, float]] = Field(description="What adds most to log-odds.")
    applied: bool = Field(description="Whether the project is ranked by it now.")


class LearningShown(BaseModel):
    """Which ranking a project has."""

    report: ReportShown | None = Field(description="Of the learnt one; null if it is the shipped.")
    time: float = Field(description="When it was learnt, in seconds since 1970.")
    steps: int = Field(description="Learnt rankings that can be taken back.")
    was_reset: bool = Field(description="Whether a new search ended a learnt ranking.")


@router.get("/projects/{project}/learning")
def show_learning(project: TheProject) -> LearningShown:
    """Say whether the ranking is the shipped one or a learnt one."""
    return LearningShown.model_validate(asdict(Learning(project).state()))


@router.post("/projects/{project}/learning")
def learn(project: TheProject, asked: LearningAsked) -> ReportShown:
    """Learn from all verdicts, measure it, and rank anew if it helps."""
    return ReportShown.model_validate(asdict(Learning(project).learn(asked.apply)))


@router.post("/projects/{project}/learning/undo")
def undo_learning(project: TheProject) -> LearningShown:
    """Go back to the ranking before the last that was learnt."""
    Learning(project).undo()
    return show_learning(project)


@router.delete("/projects/{project}/learning")
def restore_shipped(project: TheProject) -> LearningShown:
    """Go back to the shipped ranking."""
    Learning(project).restore()
    return show_learning(project)
