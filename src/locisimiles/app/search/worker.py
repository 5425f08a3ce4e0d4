"""The process that searches: block by block, each stored as soon as it is found.

``python -m locisimiles.app.search.worker USER PROJECT NUMBER`` runs one search; the environment
says where projects are. The process ends with its standard input, so it never outlives the app;
started again, it resumes after the last block.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
import uuid
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from locisimiles.app.projects.collection import ProjectCollection
from locisimiles.app.search.jobs import LOST_EXIT
from locisimiles.app.search.overall_progress import OverallProgress, plan_search
from locisimiles.app.search.parameters import SearchParameters
from locisimiles.app.search.query_blocks import QueryBlocks
from locisimiles.app.search.result_rows import adapt_stored, select_stored
from locisimiles.app.search.reuse import earlier_results
from locisimiles.app.search.source_index import SourceIndex
from locisimiles.app.storage import open_storage
from locisimiles.app.storage.stored_messages import dump_messages
from locisimiles.app.storage.tables.result_rows import add_results, stored_results_of
from locisimiles.app.storage.tables.searches import find_search, update_search
from locisimiles.classify.selection import expect_references
from locisimiles.errors import InputError, LocisimilesError
from locisimiles.pipeline import assumption
from locisimiles.retrieve.methods import METHODS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from locisimiles.app.projects.project import Project
    from locisimiles.app.search.reuse import Earlier
    from locisimiles.app.storage.database import Connection

__all__ = ["BLOCK", "Lost", "SearchRun", "main"]

BLOCK = 64
"""Maximum number of query segments that are searched and stored together."""
_FIRST_BLOCK, _LONG_S = 4, 4.0
_BEAT_S, _DEAD_AFTER_S, _PAUSE_S = 1.0, 4.0, 0.3


class Lost(Exception):  # noqa: N818 - nothing went wrong
    """The search was cancelled, or taken over by another process."""


class SearchRun:
    """One process that runs one search."""

    def __init__(self, project: Project, number: int) -> None:
        self._project, self._number = project, number
        self._owner = uuid.uuid4().hex
        self._reported = 0.0
        self._task, self._done = "", 0
        self._reuses: int | None = None
        self._authors: Sequence[str] = ()
        self._overall = OverallProgress({}, time.monotonic())
        self._index: SourceIndex | None = None
        self._over = threading.Event()

    def run(self) -> None:
        """Search to the end; if the search fails, the project stores the reason."""
        parameters, finished = self._claim()
        try:
            with self._beating():  # over before the search ends, or its end would count as a loss
                self._search(parameters, finished)
        except LocisimilesError as error:
            if self._index is not None and isinstance(error, InputError):
                self._index.forget()  # it may be damaged; the next search makes it again
            self._update(state="failed", owner="", message=dump_messages([error.as_message()]))
            raise
        self._finish(parameters)

    @contextmanager
    def _beating(self) -> Iterator[None]:
        thread = threading.Thread(target=self._beat, daemon=True)
        thread.start()
        try:
            yield
        finally:
            self._over.set()
            thread.join()

    def _search(self, parameters: SearchParameters, finished: int) -> None:
        query = self._project.document("query", self._number)
        self._authors = query.authors
        sources = self._project.texts_of(self._number).count("source")
        encodes = (
            METHODS[parameters.method].speed != "seconds"
            or parameters.pipeline().classifier is not None
        )
        pipeline = parameters.pipeline(parameters.selection.of_a_block())
        self._index = SourceIndex(self._project, self._number, pipeline)
        plan = plan_search(len(query), sources, encodes=encodes, indexed=self._index.is_ready)
        self._overall = OverallProgress(plan, time.monotonic())
        self._report("preparing", 0, 0)
        earlier = earlier_results(
            self._project, self._reuses, query, pipeline, indexed=self._index.is_used
        )
        blocks = QueryBlocks(query, pipeline, self._index, self._report)
        # A block takes long in a large library. Small blocks report progress more often.
        size = min(_FIRST_BLOCK, BLOCK)
        while finished < len(query):
            begin, began = finished, time.monotonic()
            known = earlier.known_until(begin) if earlier else begin
            if earlier and known > begin:
                finished = known
                rows, manifest = self._copied(earlier, begin, known), earlier.manifest
            else:
                blocks.prepare()
                self._report("searching", begin, len(query), at_once=True)
                finished = min(begin + size, len(query))
                if earlier:
                    finished = earlier.new_until(begin, finished)
                rows, manifest = blocks.search(begin, finished)
                if time.monotonic() - began < _LONG_S:
                    size = min(2 * size, BLOCK)
            self._keep(rows, finished, len(query), blocks.described(manifest))

    def _copied(self, earlier: Earlier, begin: int, end: int) -> list[tuple[object, ...]]:
        """Return the earlier results of query segments, with their places now."""
        then = earlier.positions[begin]
        with self._project.database.reading() as connection:
            rows = stored_results_of(connection, earlier.search, then, then + end - begin - 1)
        return [(int(str(row[0])) - then + begin, *row[1:]) for row in rows]

    def _finish(self, parameters: SearchParameters) -> None:
        """Apply the selection, store the expected number of references, and end: all or nothing."""
        classifier = parameters.pipeline().classifier
        with self._project.database.writing() as connection:
            search = find_search(connection, self._number)
            if search is None or search["owner"] != self._owner:
                raise Lost
            manifest = json.loads(search["manifest"])
            if classifier is not None:
                rates, spread = classifier.calibration.base_rates, classifier.calibration.spread
                if rates is not None:
                    spread = rates.spread(self._authors)
                    rate = adapt_stored(connection, self._number, rates, self._authors)
                    manifest["base_rate"] = rate.as_dict(self._authors)
                kept = select_stored(connection, self._number, parameters.selection)
                expected = expect_references(kept, spread)
                manifest["references"] = expected.as_dict()
                manifest["assumption"] = assumption(classifier.calibration)
                if parameters.selection.is_needed:
                    manifest["selection"] = dict(parameters.selection.as_dict())
            self._change(
                connection, state="done", task="", owner="", done=search["total"], message="",
                share=1.0, seconds_left=0.0,
                manifest=json.dumps(manifest),
            )  # fmt: skip

    def _claim(self) -> tuple[SearchParameters, int]:
        """Take the search when its last process is gone; raise `Lost` if that process is alive."""
        seen, since = None, time.monotonic()
        while True:
            with self._project.database.writing() as connection:
                row = find_search(connection, self._number)
                if row is None or row["state"] not in ("waiting", "running"):
                    raise Lost
                # Only our own clock counts: the other process may be on another machine.
                if (beat := (row["owner"], row["heartbeat"])) != seen:
                    if seen is not None and seen[0] == beat[0]:
                        raise Lost
                    seen, since = beat, time.monotonic()
                if not row["owner"] or time.monotonic() - since > _DEAD_AFTER_S:
                    update_search(
                        connection, self._number, row["owner"], state="running", owner=self._owner,
                        heartbeat=time.time(), task="", done=0, total=0,
                    )  # fmt: skip
                    self._reuses = row["reuses"]
                    return SearchParameters.from_json(row["parameters"]), row["finished_queries"]
            time.sleep(_PAUSE_S)

    def _beat(self) -> None:
        while not self._over.wait(_BEAT_S):
            try:
                self._update(heartbeat=time.time(), **self._progressed())
            except Lost:
                os._exit(LOST_EXIT)
            except LocisimilesError:
                continue  # the database may come back; if not, the next block fails

    def _report(self, task: str, done: int, total: int, *, at_once: bool = False) -> None:
        # Parts of a method may run the same task one after the other.
        new = task != self._task or done < self._done
        if not (new or at_once) and time.monotonic() - self._reported < _PAUSE_S:
            return
        self._task, self._done, self._reported = task, done, time.monotonic()
        self._overall.report(task, done, total, now=time.monotonic())
        self._update(task=task, done=done, total=total, heartbeat=time.time(), **self._progressed())

    def _progressed(self) -> dict[str, float]:
        share, left = self._overall.at(time.monotonic())
        return {"share": share, "seconds_left": -1.0 if left is None else left}

    def _keep(
        self,
        rows: list[tuple[object, ...]],
        finished: int,
        queries: int,
        manifest: dict[str, object],
    ) -> None:
        self._overall.report("searching", finished, queries, now=time.monotonic())
        with self._project.database.writing() as connection:
            self._change(
                connection, finished_queries=finished, manifest=json.dumps(manifest),
                done=finished, heartbeat=time.time(), **self._progressed(),
            )  # fmt: skip
            add_results(connection, self._number, rows)

    def _update(self, **columns: str | float) -> None:
        with self._project.database.writing() as connection:
            self._change(connection, **columns)

    def _change(self, connection: Connection, **columns: str | float) -> None:
        if not update_search(connection, self._number, self._owner, **columns):
            raise Lost


def _end_with_standard_input() -> None:
    # The bare descriptor: a thread inside a buffered reader would disturb the interpreter's exit.
    while os.read(sys.stdin.fileno(), 1024):
        pass
    os._exit(LOST_EXIT)


def main(user: str, project: str, number: str) -> int:
    """Run a search; return 0 if it succeeds."""
    threading.Thread(target=_end_with_standard_input, daemon=True).start()
    try:
        with closing(open_storage()) as storage:
            SearchRun(ProjectCollection(storage, user).open(project), int(number)).run()
    except Lost:
        return LOST_EXIT
    except LocisimilesError:
        return 1  # the project stores the reason
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
