"""Requests and responses of the REST API, for its OpenAPI document."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from locisimiles.app.judging.verdicts import ChosenPairs
from locisimiles.app.projects.project import StoredSegment
from locisimiles.app.results import ResultFilter
from locisimiles.app.search.parameters import SearchParameters
from locisimiles.app.search.status import SearchState, SearchStatus
from locisimiles.app.search.stored_searches import StoredSearch
from locisimiles.checks import parse_share

__all__ = [
    "BatchRequest",
    "BatchResponse",
    "BlindRequest",
    "FilterQuery",
    "JudgementRequest",
    "PageQuery",
    "ProjectRequest",
    "ProjectResponse",
    "ResultsResponse",
    "SearchEntry",
    "SearchName",
    "SearchRequest",
    "SearchResponse",
    "StartRequest",
    "TextsResponse",
]

_MOST_ROWS = 1000
_MOST_IN_BATCH = 100_000


class ProjectRequest(BaseModel):
    """A new project."""

    title: str = Field(max_length=200)
    example: bool = Field(default=False, description="Fill it with the example texts.")


class ProjectResponse(BaseModel):
    """A project."""

    id: str
    title: str
    query_segments: int = 0
    source_segments: int = 0
    results: int = 0


class TextsResponse(BaseModel):
    """One side of a project: its inputs, its segments, and remarks about them."""

    inputs: list[str]
    remarks: list[str]
    total: int
    segments: list[StoredSegment]


def _share(value: object) -> object:
    """Read shares that people write: "50%"; what is of another type is left to pydantic."""
    if isinstance(value, str | int | float) and not isinstance(value, bool):
        return parse_share(str(value))
    return value


_Share = Annotated[float, BeforeValidator(_share), Field(ge=0, le=1)]


class SearchRequest(BaseModel):
    """The parameters of a search."""

    model_config = ConfigDict(extra="forbid")

    method: str = Field(default="default", max_length=100)
    k: int = Field(
        default=10, ge=1, le=1000, description="Maximum number of candidates per query segment."
    )
    priors: bool = Field(default=True, description="Whether to use author priors.")
    lemmatizer: Literal["fast", "context"] = "fast"
    settings: dict[str, str] = Field(default_factory=dict, description="Settings of the method.")
    budget: int | None = Field(
        default=None,
        ge=1,
        le=10**9,
        description="Keep this number of pairs, the most probable of all.",
    )
    precision: _Share | None = Field(
        default=None,
        description="Keep as many pairs as possible with this expected share of references.",
    )
    threshold: _Share | None = Field(
        default=None, description="Keep pairs with at least this probability."
    )

    def parameters(self) -> SearchParameters:
        """Return the parameters of the search."""
        return SearchParameters(**self.model_dump())


class StartRequest(SearchRequest):
    """The parameters of a new search, and its name."""

    name: str = Field(default="", max_length=200)
    reuse: bool = Field(
        default=True,
        description="Copy results of an earlier search where they must be the same.",
    )

    def parameters(self) -> SearchParameters:
        """Return the parameters of the search."""
        return SearchParameters(**self.model_dump(exclude={"name", "reuse"}))


class SearchName(BaseModel):
    """The name of a search; empty for none."""

    model_config = ConfigDict(extra="forbid")

    name: str = Field(max_length=200)


class SearchEntry(BaseModel):
    """A search, in the list of all."""

    number: int
    name: str
    state: SearchState
    created: float = Field(description="Seconds since 1970.")
    pairs: int
    is_current: bool = Field(description="Whether the texts are still those that were searched.")
    query_names: list[str]
    source_names: list[str]
    finished_queries: int
    can_resume: bool

    @classmethod
    def of(cls, search: StoredSearch) -> SearchEntry:
        """Return a search as the API shows it."""
        return cls(**{name: getattr(search, name) for name in cls.model_fields})


class ExpectedReferences(BaseModel):
    """Expected number of references among pairs, with its 90 % interval."""

    pairs: int
    expected: float
    low: int
    high: int


class SearchResponse(BaseModel):
    """The state of a search."""

    number: int
    state: SearchState
    parameters: SearchRequest
    task: str
    done: int
    total: int
    share: float = Field(description="The part of the whole work that is done, from 0 to 1.")
    seconds_left: float | None = Field(description="Until the search is done.")
    finished_queries: int
    queries: int
    message: str
    can_resume: bool
    is_provisional: bool = Field(
        description="Whether results may still be dropped when the search is done."
    )
    references: ExpectedReferences | None = Field(
        description="Among the pairs kept, once the search is done."
    )

    @classmethod
    def of(cls, status: SearchStatus) -> SearchResponse:
        """Return the state as the API shows it."""
        expected = status.references
        special: dict[str, Any] = {
            "parameters": SearchRequest.model_validate_json(status.parameters.as_json()),
            "message": str(status.message or ""),
            "references": expected and ExpectedReferences.model_validate(expected.as_dict()),
        }
        names = set(cls.model_fields) - set(special)
        return cls(**special, **{name: getattr(status, name) for name in names})


class Conditions(BaseModel):
    """Conditions that results must meet."""

    not_in: int | None = Field(
        default=None, description="Number of another search that did not find the pair."
    )
    query_author: str | None = None
    query_work: str | None = None
    source_author: str | None = None
    source_work: str | None = None
    type: str | None = Field(default=None, description="cit. or cf., according to the classifier.")
    least_probability: float | None = None
    least_score: float | None = None
    most_rarity: int | None = Field(
        default=None,
        description="Maximum number of source segments that have the rarest shared word.",
    )
    best: int | None = Field(
        default=None, description="Maximum number of candidates per query segment."
    )
    status: str | None = None
    parallels: Literal["once"] | None = Field(
        default=None,
        description="Of sources with nearly the same words, only the best one of a query.",
    )
    words: str | None = Field(default=None, max_length=200)
    query: int | None = Field(default=None, description="Position of a query segment.")
    until: int | None = Field(
        default=None,
        description="Number of a row: what a running search adds after it is left out.",
    )

    def wanted(self) -> ResultFilter:
        """Return the filter."""
        return ResultFilter.from_mapping(self.model_dump())


class FilterQuery(Conditions):
    """Conditions that results of a search must meet, for a reader."""

    reader: str = Field(
        default="", max_length=100, description="The reader whose verdicts count as status."
    )
    search: int | None = Field(
        default=None, description="Number of a search; by default the newest with results."
    )


class ApparatusQuery(FilterQuery):
    """Filter, and what an apparatus contains."""

    text: bool = Field(default=True, description="Print the whole text, not the apparatus alone.")
    language: Literal["en", "de", "it", "fr"] = Field(default="en", description="Of the headings.")


class PageQuery(FilterQuery):
    """Filter, order, and page."""

    order: str = "reading"
    backwards: bool = False
    offset: int = Field(default=0, ge=0)
    limit: int = Field(default=100, ge=1, le=_MOST_ROWS)
    texts: bool = False
    kwic: bool = Field(
        default=False,
        description="Add both texts, whole and as keyword in context: what stands before, the "
        "keyword, what stands after, each in pieces of text, number of the matching word, and "
        "whether it is a hit of the words that are looked for.",
    )


class ResultsResponse(BaseModel):
    """A page of results, and their total number."""

    total: int
    rows: list[dict[str, object]]


class BlindRequest(BaseModel):
    """Whether a reader sees nothing of what other readers say."""

    reader: str = Field(default="", max_length=100)
    on: bool


class JudgementRequest(BaseModel):
    """A judgement; fields that are left out stay unchanged."""

    query_id: str = Field(max_length=1000)
    source_id: str = Field(max_length=1000)
    reader: str = Field(default="", max_length=100)
    verdict: Literal["cit.", "cf.", "reject", "unsure"] | None = None
    note: str | None = Field(default=None, max_length=20_000)


class AllPairs(Conditions):
    """All pairs that meet some conditions; a condition that does not exist is an error."""

    model_config = ConfigDict(extra="forbid")

    def wanted(self) -> ResultFilter:
        """Return the filter; unlike in an address, an empty author or work is one without name."""
        return ResultFilter(**self.model_dump(exclude={"until"}))


class BatchRequest(BaseModel):
    """A verdict, a note, or both on many pairs; fields that are left out stay unchanged."""

    model_config = ConfigDict(extra="forbid")

    rows: list[int] = Field(
        default_factory=list,
        max_length=_MOST_IN_BATCH,
        description="Numbers of results; with `all`, those to leave out.",
    )
    all: AllPairs | None = Field(default=None, description="All pairs that meet these conditions.")
    search: int | None = Field(
        default=None, description="Number of a search; by default the newest with results."
    )
    reader: str = Field(default="", max_length=100)
    verdict: Literal["cit.", "cf.", "reject", "unsure"] | None = None
    note: str | None = Field(default=None, max_length=20_000)
    only_count: bool = Field(default=False, description="Count what would change; change nothing.")

    def chosen(self) -> ChosenPairs:
        """Return the pairs."""
        if self.all is None:
            return ChosenPairs(tuple(self.rows), search=self.search)
        return ChosenPairs(tuple(self.rows), self.all.wanted(), self.search, self.all.until)


class BatchResponse(BaseModel):
    """How many pairs were chosen, and how many verdicts and notes were replaced."""

    chosen: int
    changed: int
    replaced_verdicts: int
    replaced_notes: int
