"""The state of a project's search: requested, running, stopped, resumed."""

from __future__ import annotations

import json
from dataclasses import dataclass
from hmac import compare_digest
from typing import TYPE_CHECKING, Literal

from locisimiles.app.search.parameters import SearchParameters
from locisimiles.app.search.reuse import find_reusable
from locisimiles.app.storage.stored_messages import load_messages
from locisimiles.app.storage.stored_values import stored_value
from locisimiles.app.storage.tables.rankings import reset_ranking
from locisimiles.app.storage.tables.result_rows import count_results
from locisimiles.app.storage.tables.searches import (
    add_search,
    all_searches,
    end_search,
    find_search,
    refuse_while_searching,
    restart_search,
    search_to_follow,
    sign_search,
    signed_content,
)
from locisimiles.classify.selection import Expectation
from locisimiles.errors import ParameterError
from locisimiles.messages import Message

if TYPE_CHECKING:
    from locisimiles.app.projects.project import Project
    from locisimiles.app.storage.database import Connection, Row

__all__ = [
    "SearchState",
    "SearchStatus",
    "busy_searches",
    "cancel_search",
    "checked_name",
    "fail_search",
    "request_search",
    "resume_search",
    "search_status",
    "searches_to_resume",
]

_LONGEST_NAME = 200
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


def request_search(
    project: Project, parameters: SearchParameters, *, name: str = "", reuse: bool = True
) -> int:
    """Request a search of the current texts; return its number.

    With `reuse`, results of an earlier search are copied where they must be the same.
    """
    if not project.texts.count("query"):
        raise ParameterError("app.no_query_text")
    if not project.texts.count("source"):
        raise ParameterError("app.no_source_text")
    parameters.pipeline()  # reports wrong settings at once
    with project.database.writing() as connection:
        reuses = find_reusable(connection, parameters) if reuse else None
        number = add_search(
            connection, parameters.as_json(), name=checked_name(name), reuses=reuses
        )
        sign_search(connection, number, project.database.storage.sign)
    return number


def search_status(project: Project, number: int | None = None) -> SearchStatus | None:
    """Return the state of a search; None if there is none.

    By default it is the one that waits or runs, or else the newest.
    """
    with project.database.reading() as connection:
        row = search_to_follow(connection) if number is None else find_search(connection, number)
        references = None if row is None else _references(connection, row)
    if row is None:
        return None
    with stored_value("parameters"):
        parameters = SearchParameters.from_json(row["parameters"])
    left = row["seconds_left"] if row["state"] == "running" else -1.0
    return SearchStatus(
        number=row["number"],
        state=row["state"],
        parameters=parameters,
        task=row["task"],
        done=row["done"],
        total=row["total"],
        share=row["share"],
        seconds_left=left if left >= 0 else None,
        finished_queries=row["finished_queries"],
        queries=project.texts_of(row["number"]).count("query"),
        message=next(iter(load_messages(row["message"])), None),
        references=references,
    )


def busy_searches(project: Project) -> list[int]:
    """Return the numbers of the searches that wait or run."""
    return [int(row["number"]) for row in _busy(project)]


def searches_to_resume(project: Project) -> list[int]:
    """Return the numbers of the searches that wait or run, if they were requested here.

    The others came with a file from elsewhere; they are stopped until a user resumes them.
    """
    sign = project.database.storage.sign
    busy = _busy(project)
    ours = [row for row in busy if compare_digest(row["signature"], sign(signed_content(row)))]
    numbers = [int(row["number"]) for row in ours]
    for number in {int(row["number"]) for row in busy} - set(numbers):
        with project.database.writing() as connection:
            elsewhere = Message("app.search_from_elsewhere")
            end_search(connection, "cancelled", elsewhere, number)
    return numbers


def cancel_search(project: Project) -> None:
    """Stop the search that is under way; its results so far are kept."""
    with project.database.writing() as connection:
        end_search(connection, "cancelled")


def fail_search(project: Project, number: int, message: Message) -> None:
    """Mark a search as failed whose process ended unexpectedly."""
    with project.database.writing() as connection:
        end_search(connection, "failed", message, number)


def resume_search(project: Project, number: int | None = None) -> int | None:
    """Request the rest of a search that stopped, by default the newest; return its number, or None.

    Any search can be resumed, with the texts it began with.
    """
    status = search_status(project, number)
    if status is None or not (status.can_resume or status.is_busy):
        return None
    with project.database.writing() as connection:
        if not status.is_busy:
            refuse_while_searching(connection)
        reset_ranking(connection, status.number)
        restart_search(connection, status.number)
        sign_search(connection, status.number, project.database.storage.sign)
    return status.number


def checked_name(name: str) -> str:
    """Return the name of a search as it is stored."""
    return " ".join(name.split())[:_LONGEST_NAME]


def _busy(project: Project) -> list[Row]:
    with project.database.reading() as connection:
        rows = all_searches(connection)
    return [row for row in rows if row["state"] in ("waiting", "running")]


def _references(connection: Connection, search: Row) -> Expectation | None:
    with stored_value("manifest"):
        stored = json.loads(search["manifest"]).get("references")
        if search["state"] != "done" or not stored:
            return None
        # Earlier versions stored the expectation of the last block.
        of_all = stored["pairs"] == count_results(connection, search["number"])
        if not all(isinstance(value, int | float) for value in stored.values()):
            raise TypeError(stored)
        return Expectation(**stored) if of_all else None
