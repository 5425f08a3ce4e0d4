"""The searches of a project, as it knows them: asked for, under way, finished."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, fields
from typing import TYPE_CHECKING, Literal

from locisimiles.app.judging.learnt_ranking import reset_ranking
from locisimiles.app.projects.project import forget_results, now, refuse_while_searching
from locisimiles.classify.methods import DEFAULT_CLASSIFIER
from locisimiles.classify.selection import Expectation, Selection
from locisimiles.errors import ParameterError
from locisimiles.pipeline import AUTO, Pipeline
from locisimiles.retrieve.methods import METHODS, MethodOptions

if TYPE_CHECKING:
    from collections.abc import Mapping

    from locisimiles.app.projects.project import Project
    from locisimiles.app.storage.database import Connection, Row

__all__ = ["LOST_EXIT", "SearchParameters", "SearchState", "SearchStatus", "Searches"]

SearchState = Literal["waiting", "running", "done", "cancelled", "failed"]
LOST_EXIT = 3
"""How a process ends whose search was cancelled, or is done by another."""
_DEEPEST = 1000


@dataclass(frozen=True, slots=True)
class SearchParameters:
    """What a search shall do.

    Attributes
    ----------
    method
        One of `locisimiles.retrieve.methods.METHODS`.
    k
        How many candidates each query segment gets at most.
    priors
        Whether the default method knows habits of reading.
    lemmatizer
        Whose lemmas.
    settings
        Settings of the method, as users write them.
    budget, precision, threshold
        Which results are kept, as in `locisimiles.classify.selection.Selection`; one of them at
        most, by default all.

    Examples
    --------
    >>> SearchParameters(method="bm25", settings={"k1": "1.2"}).pipeline().retriever
    BM25(terms='lemma', k1=1.2, b=0.75, lemmatizer='fast')
    >>> SearchParameters(budget=120).selection.as_dict()
    {'budget': 120}
    """

    method: str = "default"
    k: int = 10
    priors: bool = True
    lemmatizer: str = "fast"
    settings: Mapping[str, str] = field(default_factory=dict)
    budget: int | None = None
    precision: float | None = None
    threshold: float | None = None

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise ParameterError(
                f"there is no method {self.method!r}", hint=f"choose one of {', '.join(METHODS)}"
            )
        if not 1 <= self.k <= _DEEPEST:
            raise ParameterError(f"k={self.k} is too few or too many", hint=f"1 to {_DEEPEST}")
        if self.lemmatizer not in ("fast", "context"):
            # Others are files, or libraries that fetch things; that is for the command line.
            raise ParameterError(
                f"{self.lemmatizer!r} is no lemmatizer of the app", hint="use fast or context"
            )
        self.selection.as_dict()  # raises an error if the selection makes no sense

    @property
    def selection(self) -> Selection:
        """Which results are kept."""
        return Selection(self.budget, self.precision, self.threshold)

    def pipeline(self, selection: Selection | None = None) -> Pipeline:
        """Return the search, with another selection if one is given.

        Raises
        ------
        LocisimilesError
            If the method has no such settings, or lacks something it needs.
        """
        return Pipeline(
            self.method,
            classifier=DEFAULT_CLASSIFIER if self.selection.is_needed else AUTO,
            k=self.k,
            selection=selection or self.selection,
            options=MethodOptions(lemmatizer=self.lemmatizer, priors=self.priors),
            settings=self.settings,
        )

    def as_json(self) -> str:
        """Return what the project keeps."""
        return json.dumps({**asdict(self), "settings": dict(self.settings)})

    @classmethod
    def from_json(cls, text: str) -> SearchParameters:
        """Read what `as_json` gave; what a newer version added is left out."""
        known = {field.name for field in fields(cls)}
        return cls(**{name: v for name, v in json.loads(text).items() if name in known})


@dataclass(frozen=True, slots=True)
class SearchStatus:
    """How far a search is.

    Attributes
    ----------
    task, done, total
        What it does at the moment, and how much of that is done.
    seconds_left
        How long that will take; None if nobody knows yet.
    finished_queries, queries
        How many query segments have their results, and of how many.
    message
        Why it failed, or stopped.
    references
        How many references are to be expected among the pairs that were kept; None until the
        search is done, or if nothing has judged them.
    """

    number: int
    state: SearchState
    parameters: SearchParameters
    task: str
    done: int
    total: int
    seconds_left: float | None
    finished_queries: int
    queries: int
    message: str
    references: Expectation | None = None

    @property
    def is_busy(self) -> bool:
        """Whether it is under way."""
        return self.state in ("waiting", "running")

    @property
    def is_provisional(self) -> bool:
        """Whether some of what it has found may go again: it is cut when all is found."""
        selection = self.parameters.selection
        return self.state != "done" and selection.is_needed and selection.threshold is None

    @property
    def can_resume(self) -> bool:
        """Whether it stopped before its end."""
        return self.state in ("cancelled", "failed") and self.queries > 0


class Searches:
    """The searches of a project.

    Parameters
    ----------
    project
        Whose searches.
    """

    def __init__(self, project: Project) -> None:
        self._project, self._database = project, project.database

    def ask(self, parameters: SearchParameters) -> int:
        """Ask for a new search, which takes the place of the last one; return its number.

        Raises
        ------
        ParameterError
            If one is under way, or there are no texts.
        """
        for side in ("query", "source"):
            if not self._project.count_segments(side):
                raise ParameterError(f"there is no {side} text yet", hint="add a file")
        parameters.pipeline()  # so that a wrong setting is reported at once
        with self._database.writing() as connection:
            refuse_while_searching(connection)
            forget_results(connection)
            return int(
                connection.execute(
                    "INSERT INTO search (parameters, state, created) VALUES (?, 'waiting', ?) "
                    "RETURNING number",
                    [parameters.as_json(), now()],
                ).fetchone()[0]
            )

    def last(self) -> SearchStatus | None:
        """Return how the last search stands; None if there was none."""
        with self._database.reading() as connection:
            row = connection.execute("SELECT * FROM search ORDER BY number DESC LIMIT 1").fetchone()
            references = None if row is None else _references(connection, row)
        if row is None:
            return None
        return _status(row, self._project.count_segments("query"), references)

    def cancel(self) -> None:
        """Stop the search that is under way; what it found is kept."""
        self._end_busy("cancelled", "")

    def give_up(self, number: int, message: str) -> None:
        """Say that a search ended without saying so itself."""
        with self._database.writing() as connection:
            connection.execute(
                "UPDATE search SET state = 'failed', message = ?, owner = '' "
                "WHERE number = ? AND state IN ('waiting', 'running')",
                [message, number],
            )

    def resume(self) -> int | None:
        """Ask for the rest of a search that stopped; return its number, None if there is none."""
        status = self.last()
        if status is None or not (status.can_resume or status.is_busy):
            return None
        with self._database.writing() as connection:
            reset_ranking(connection)
            connection.execute(
                # One that still runs is waited for by whoever wants to take it over.
                "UPDATE search SET message = '', state = "
                "CASE state WHEN 'running' THEN state ELSE 'waiting' END WHERE number = ?",
                [status.number],
            )
        return status.number

    def _end_busy(self, state: SearchState, message: str) -> None:
        with self._database.writing() as connection:
            connection.execute(
                "UPDATE search SET state = ?, message = ?, owner = '' "
                "WHERE state IN ('waiting', 'running')",
                [state, message],
            )


def _status(row: Row, queries: int, references: Expectation | None) -> SearchStatus:
    left = None
    if row["state"] == "running" and 0 < row["done"] <= row["total"]:
        took = max(row["heartbeat"] - row["task_began"], 0.0)
        left = took * (row["total"] - row["done"]) / row["done"]
    return SearchStatus(
        number=row["number"],
        state=row["state"],
        parameters=SearchParameters.from_json(row["parameters"]),
        task=row["task"],
        done=row["done"],
        total=row["total"],
        seconds_left=left,
        finished_queries=row["finished_queries"],
        queries=queries,
        message=row["message"],
        references=references,
    )


def _references(connection: Connection, search: Row) -> Expectation | None:
    told = json.loads(search["manifest"]).get("references")
    if search["state"] != "done" or not told:
        return None
    # Earlier versions kept what was to be expected of the last block.
    pairs = connection.execute("SELECT COUNT(*) FROM result").fetchone()[0]
    return Expectation(**told) if told["pairs"] == pairs else None
