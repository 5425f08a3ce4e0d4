"""The state of a project's search: requested, running, stopped, resumed."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from locisimiles.app.search.parameters import SearchParameters
from locisimiles.app.storage.stored_messages import load_messages
from locisimiles.app.storage.tables.rankings import reset_ranking
from locisimiles.app.storage.tables.results import count_results
from locisimiles.app.storage.tables.searches import (
    add_search,
    end_search,
    last_search,
    restart_search,
)
from locisimiles.classify.selection import Expectation
from locisimiles.errors import ParameterError

if TYPE_CHECKING:
    from locisimiles.app.projects.project import Project
    from locisimiles.app.storage.database import Connection, Row
    from locisimiles.messages import Message

__all__ = [
    "SearchState",
    "SearchStatus",
    "cancel_search",
    "fail_search",
    "request_search",
    "resume_search",
    "search_status",
]

SearchState = Literal["waiting", "running", "done", "cancelled", "failed"]


@dataclass(frozen=True, slots=True)
class SearchStatus:
    """The state of a search."""

    number: int
    state: SearchState
    parameters: SearchParameters
    task: str
    done: int  # of `total`, in this task
    total: int
    share: float  # of the whole work that is done, from 0 to 1
    seconds_left: float | None  # until the search is done, if it can be estimated
    finished_queries: int  # of `queries`, which have results
    queries: int
    message: Message | None  # why the search failed or stopped
    references: Expectation | None  # among the pairs kept, once a classifier has judged all

    @property
    def is_busy(self) -> bool:
        """Whether it waits or runs."""
        return self.state in ("waiting", "running")

    @property
    def is_provisional(self) -> bool:
        """Whether results may still be dropped: the selection is final when the search is done."""
        selection = self.parameters.selection
        return self.state != "done" and selection.is_needed and selection.threshold is None

    @property
    def can_resume(self) -> bool:
        """Whether it stopped before its end."""
        return self.state in ("cancelled", "failed") and self.queries > 0


def request_search(project: Project, parameters: SearchParameters) -> int:
    """Request a search, which replaces the last one; return its number."""
    if not project.texts.count("query"):
        raise ParameterError("app.no_query_text")
    if not project.texts.count("source"):
        raise ParameterError("app.no_source_text")
    parameters.pipeline()  # reports wrong settings at once
    with project.database.writing() as connection:
        return add_search(connection, parameters.as_json())


def search_status(project: Project) -> SearchStatus | None:
    """Return the state of the last search; None if there was none."""
    with project.database.reading() as connection:
        row = last_search(connection)
        references = None if row is None else _references(connection, row)
    if row is None:
        return None
    left = row["seconds_left"] if row["state"] == "running" else -1.0
    return SearchStatus(
        number=row["number"],
        state=row["state"],
        parameters=SearchParameters.from_json(row["parameters"]),
        task=row["task"],
        done=row["done"],
        total=row["total"],
        share=row["share"],
        seconds_left=left if left >= 0 else None,
        finished_queries=row["finished_queries"],
        queries=project.texts.count("query"),
        message=next(iter(load_messages(row["message"])), None),
        references=references,
    )


def cancel_search(project: Project) -> None:
    """Stop the search; its results so far are kept."""
    with project.database.writing() as connection:
        end_search(connection, "cancelled")


def fail_search(project: Project, number: int, message: Message) -> None:
    """Mark a search as failed whose process ended unexpectedly."""
    with project.database.writing() as connection:
        end_search(connection, "failed", message, number)


def resume_search(project: Project) -> int | None:
    """Request the rest of a search that stopped; return its number, None if there is none."""
    status = search_status(project)
    if status is None or not (status.can_resume or status.is_busy):
        return None
    with project.database.writing() as connection:
        reset_ranking(connection)
        restart_search(connection, status.number)
    return status.number


def _references(connection: Connection, search: Row) -> Expectation | None:
    stored = json.loads(search["manifest"]).get("references")
    if search["state"] != "done" or not stored:
        return None
    # Earlier versions stored the expectation of the last block.
    return Expectation(**stored) if stored["pairs"] == count_results(connection) else None
