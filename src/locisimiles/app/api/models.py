"""What the REST API takes and gives, for its OpenAPI document."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from locisimiles.app.results.filters import ResultFilter
from locisimiles.app.search.status import SearchParameters, SearchStatus

__all__ = [
    "JudgementGiven",
    "JudgementShown",
    "NewProject",
    "ProjectShown",
    "ResultQuery",
    "ResultsShown",
    "SearchAsked",
    "SearchShown",
    "SelectionQuery",
    "TextsShown",
]

_MOST_ROWS = 1000


class NewProject(BaseModel):
    """A project that shall be made, or renamed."""

    title: str = Field(max_length=200)
    example: bool = Field(default=False, description="Fill it with the example texts.")


class ProjectShown(BaseModel):
    """A project."""

    id: str
    title: str
    query_segments: int = 0
    source_segments: int = 0
    results: int = 0


class SegmentShown(BaseModel):
    """A segment of a text."""

    position: int
    id: str
    text: str
    author: str
    work: str
    locus: str


class TextsShown(BaseModel):
    """One side of a project: what was given, what was read from it, what was odd about it."""

    inputs: list[str]
    remarks: list[str]
    total: int
    segments: list[SegmentShown]


class SearchAsked(BaseModel):
    """What a search shall do."""

    model_config = ConfigDict(extra="forbid")

    method: str = "default"
    k: int = Field(default=10, ge=1, le=1000, description="Candidates for each query segment.")
    priors: bool = Field(default=True, description="Whether habits of reading count.")
    lemmatizer: Literal["fast", "context"] = "fast"
    settings: dict[str, str] = Field(default_factory=dict, description="Settings of the method.")
    budget: int | None = Field(
        default=None, ge=1, description="Keep only so many pairs, the most probable of all."
    )
    precision: float | None = Field(
        default=None,
        ge=0,
        le=1,
        description="Keep as many pairs as can be, so that this share should be references.",
    )
    threshold: float | None = Field(
        default=None, ge=0, le=1, description="Keep only pairs at least as probable as this."
    )

    def parameters(self) -> SearchParameters:
        """Return what the app takes."""
        return SearchParameters(**self.model_dump())


class ReferencesExpected(BaseModel):
    """How many references are to be expected among pairs, and between which numbers (90 %)."""

    pairs: int
    expected: float
    low: int
    high: int


class SearchShown(BaseModel):
    """How far a search is."""

    number: int
    state: Literal["waiting", "running", "done", "cancelled", "failed"]
    parameters: SearchAsked
    task: str
    done: int
    total: int
    seconds_left: float | None
    finished_queries: int
    queries: int
    message: str
    can_resume: bool
    is_provisional: bool = Field(
        description="Whether some of what was found may go again when all is found."
    )
    references: ReferencesExpected | None = Field(
        description="What to expect of the pairs that were kept, once the search is done."
    )

    @classmethod
    def of(cls, status: SearchStatus) -> SearchShown:
        """Show a status."""
        parameters = SearchAsked.model_validate_json(status.parameters.as_json())
        told = status.references
        references = None if told is None else ReferencesExpected.model_validate(told.as_dict())
        names = set(cls.model_fields) - {"parameters", "references"}
        return cls(
            parameters=parameters,
            references=references,
            **{name: getattr(status, name) for name in names},
        )


class SelectionQuery(BaseModel):
    """Which results are wanted; what is not given does not matter."""

    reader: str = Field(default="", description="Whose verdicts count as status.")
    query_author: str | None = None
    query_work: str | None = None
    source_author: str | None = None
    source_work: str | None = None
    type: str | None = Field(default=None, description="cit. or cf., as a classifier thinks.")
    least_probability: float | None = None
    least_score: float | None = None
    most_rarity: int | None = Field(
        default=None, description="Segments of the source that have the rarest shared word."
    )
    best: int | None = Field(default=None, description="Candidates of each query segment.")
    status: str | None = None
    words: str | None = Field(default=None, max_length=200)
    query: int | None = Field(default=None, description="Position of a query segment.")

    def selection(self) -> ResultFilter:
        """Return what the app takes."""
        return ResultFilter.from_mapping(self.model_dump())


class ResultQuery(SelectionQuery):
    """Which results are wanted, in which order, from where to where."""

    order: str = "reading"
    backwards: bool = False
    offset: int = Field(default=0, ge=0)
    limit: int = Field(default=100, ge=1, le=_MOST_ROWS)
    texts: bool = False


class ResultsShown(BaseModel):
    """Some results, and how many there are in all."""

    total: int
    rows: list[dict[str, object]]


class JudgementGiven(BaseModel):
    """What a reader decides; what is left out stays as it is."""

    query_id: str = Field(max_length=1000)
    source_id: str = Field(max_length=1000)
    reader: str = Field(default="", max_length=100)
    verdict: Literal["cit.", "cf.", "reject", "unsure"] | None = None
    note: str | None = Field(default=None, max_length=20_000)


class JudgementShown(BaseModel):
    """What a reader decided."""

    query_id: str
    source_id: str
    verdict: str | None
    reader: str
    note: str
    time: float
