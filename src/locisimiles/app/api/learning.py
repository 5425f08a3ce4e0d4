"""Rankings learnt from verdicts."""

from __future__ import annotations

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from locisimiles.app.api.dependencies import OpenProject
from locisimiles.app.judging.learning import Apply, Learning, LearningReport, LearningState

__all__ = ["router"]

router = APIRouter(tags=["learning"])


class LearningRequest(BaseModel):
    """Whether to apply the learnt ranking."""

    model_config = ConfigDict(extra="forbid")

    apply: Apply = Field(
        default="if_better",
        description="if_better: only if it helps on held-out verdicts.",
    )


@router.get("/projects/{project}/learning")
def show_learning(project: OpenProject) -> LearningState:
    """Show whether the ranking is the shipped one or a learnt one."""
    return Learning(project).state()


@router.post("/projects/{project}/learning")
def learn(project: OpenProject, asked: LearningRequest) -> LearningReport:
    """Learn from all verdicts, measure the ranking, and apply it if it helps."""
    return Learning(project).learn(asked.apply)


@router.post("/projects/{project}/learning/undo")
def undo_learning(project: OpenProject) -> LearningState:
    """Return to the ranking before the last one learnt."""
    Learning(project).undo()
    return show_learning(project)


@router.delete("/projects/{project}/learning")
def restore_shipped(project: OpenProject) -> LearningState:
    """Return to the shipped ranking."""
    Learning(project).restore()
    return show_learning(project)
