"""The process that searches: block by block, each kept as soon as it is found.

``python -m locisimiles.app.search.worker USER PROJECT NUMBER`` runs one search; the
environment says where projects are kept. It ends when its standard input does, so it never outlives
the app; started again, it resumes after the last block that was kept.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
import uuid
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.app.projects.collection import Projects
from locisimiles.app.projects.project import now
from locisimiles.app.results.explanations import stored_explanation
from locisimiles.app.search.status import LOST_EXIT, SearchParameters
from locisimiles.app.storage import chosen_storage
from locisimiles.classify.selection import Selection, expect_references
from locisimiles.errors import LocisimilesError
from locisimiles.evidence import EvidenceFinder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from locisimiles.app.projects.project import Project
    from locisimiles.app.storage.database import Connection
    from locisimiles.evidence import Evidence
    from locisimiles.results import Results

__all__ = ["BLOCK", "Lost", "SearchRun", "main"]

BLOCK = 64
"""How many query segments are searched and kept together at most."""
_FIRST_BLOCK, _LONG_S = 4, 4.0
_BEAT_S, _DEAD_AFTER_S, _PAUSE_S = 1.0, 4.0, 0.3


class Lost(Exception):  # noqa: N818 - nothing went wrong
    """Somebody cancelled the search, or another process does it now."""


class SearchRun:
    """One process that does one search.

    Parameters
    ----------
    project
        Whose search.
    number
        Which one.
    """

    def __init__(self, project: Project, number: int) -> None:
        self._project, self._number = project, number
        self._owner = uuid.uuid4().hex
        self._told = 0.0
        self._task, self._done = "", 0
        self._over = threading.Event()

    def run(self) -> None:
        """Search until all is found.

        Raises
        ------
        Lost
            If somebody cancelled it.
        LocisimilesError
            If it cannot be done; the project then says why.
        """
        parameters, finished = self._claim()
        try:
            with self._beating():  # which ends before the search does, and takes no end for a loss
                self._search(parameters, finished)
        except LocisimilesError as error:
            self._update("state = 'failed', owner = '', message = ?", [str(error)])
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
        query, source = self._project.document("query"), self._project.document("source")
        self._tell("preparing", 0, 0)
        pipeline = parameters.pipeline(_selection_of_block(parameters.selection))
        searcher = pipeline.prepare(source, progress=self._tell)
        self._tell("preparing evidence", 0, 0)
        finder = EvidenceFinder(query, source)
        whole = {"segments": len(query), "sha256": query.fingerprint()}
        # In a large library a block takes long. Small ones tell more often how far the search is.
        size = min(_FIRST_BLOCK, BLOCK)
        before, first_began = finished, now()
        while finished < len(query):
            begin, began = finished, time.monotonic()
            self._tell("searching", begin, len(query), at_once=True)
            block = query[begin : begin + size]
            results = searcher.run(block)
            rows = list(_rows(results, begin, finder))
            manifest = {**results.manifest, "query": whole}
            manifest.pop("references", None)  # those of the block; `_finish` counts them all
            finished = begin + len(block)
            # What was found before a crash took no time now; so the rest is not promised too soon.
            took = (now() - first_began) * finished / (finished - before)
            self._keep(rows, finished, manifest, took)
            if time.monotonic() - began < _LONG_S:
                size = min(2 * size, BLOCK)

    def _finish(self, parameters: SearchParameters) -> None:
        """Cut what was found, say what is to be expected of it, and end; all or nothing of it."""
        classifier = parameters.pipeline().classifier
        with self._project.database.writing() as connection:
            found = connection.execute(
                "SELECT manifest FROM search WHERE number = ? AND owner = ?",
                [self._number, self._owner],
            ).fetchone()
            if found is None:
                raise Lost
            manifest = json.loads(found["manifest"])
            if classifier is not None:
                kept = _select_results(connection, parameters.selection)
                expected = expect_references(kept, classifier.calibration.spread)
                manifest["references"] = expected.as_dict()
                if parameters.selection.is_needed:
                    manifest["selection"] = dict(parameters.selection.as_dict())
            connection.execute(
                "UPDATE search SET state = 'done', task = '', owner = '', done = total, "
                "message = '', manifest = ? WHERE number = ?",
                [json.dumps(manifest), self._number],
            )

    def _claim(self) -> tuple[SearchParameters, int]:
        """Take the search over, as soon as whoever had it before is gone.

        Raises
        ------
        Lost
            If it is over, or whoever has it is alive.
        """
        seen, since = None, time.monotonic()
        while True:
            with self._project.database.writing() as connection:
                row = connection.execute(
                    "SELECT * FROM search WHERE number = ?", [self._number]
                ).fetchone()
                if row is None or row["state"] not in ("waiting", "running"):
                    raise Lost
                # Only our own clock counts: the other may be on another machine.
                if (beat := (row["owner"], row["heartbeat"])) != seen:
                    if seen is not None and seen[0] == beat[0]:
                        raise Lost
                    seen, since = beat, time.monotonic()
                if not row["owner"] or time.monotonic() - since > _DEAD_AFTER_S:
                    connection.execute(
                        "UPDATE search SET state = 'running', owner = ?, heartbeat = ?, "
                        "task_began = ?, task = '', done = 0, total = 0 WHERE number = ?",
                        [self._owner, now(), now(), self._number],
                    )
                    parameters = SearchParameters.from_json(row["parameters"])
                    return parameters, row["finished_queries"]
            time.sleep(_PAUSE_S)

    def _beat(self) -> None:
        while not self._over.wait(_BEAT_S):
            try:
                self._update("heartbeat = ?", [now()])
            except Lost:
                os._exit(LOST_EXIT)
            except LocisimilesError:
                continue  # the database may come back; if not, the next block will say so

    def _tell(self, task: str, done: int, total: int, *, at_once: bool = False) -> None:
        # Parts of a method may do the same, one after the other.
        new = task != self._task or done < self._done
        if not (new or at_once) and time.monotonic() - self._told < _PAUSE_S:
            return
        self._task, self._done, self._told = task, done, time.monotonic()
        began = ", task_began = ?" if new else ""
        self._update(
            f"task = ?, done = ?, total = ?, heartbeat = ?{began}",
            [task, done, total, now(), *([now()] if new else [])],
        )

    def _update(self, change: str, values: list[object]) -> None:
        with self._project.database.writing() as connection:
            changed = connection.execute(
                f"UPDATE search SET {change} WHERE number = ? AND owner = ?",  # noqa: S608 - ours
                [*values, self._number, self._owner],
            ).rowcount
        if not changed:
            raise Lost

    def _keep(
        self,
        rows: list[tuple[object, ...]],
        finished: int,
        manifest: dict[str, object],
        took: float,
    ) -> None:
        with self._project.database.writing() as connection:
            changed = connection.execute(
                "UPDATE search SET finished_queries = ?, manifest = ?, done = ?, heartbeat = ?, "
                "task_began = ? WHERE number = ? AND owner = ?",
                [
                    finished,
                    json.dumps(manifest),
                    finished,
                    now(),
                    now() - took,
                    self._number,
                    self._owner,
                ],
            ).rowcount
            if not changed:
                raise Lost
            last = connection.execute("SELECT COALESCE(MAX(row), 0) FROM result").fetchone()[0]
            connection.executemany(
                "INSERT INTO result (row, query, source, rank, score, probability, cit, cf, type, "
                "query_id, source_id, query_author, query_work, source_author, source_work, "
                "shared, rarity, alignment, explanation) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [(number, *row) for number, row in enumerate(rows, start=last + 1)],
            )


def _selection_of_block(selection: Selection) -> Selection:
    """Return what can be left out of a block before all is found.

    A budget of all blocks leaves at most as many pairs in each. How far down a precision reaches
    depends on what is still to be found.
    """
    return Selection() if selection.precision is not None else selection


def _select_results(connection: Connection, selection: Selection) -> NDArray[np.float32]:
    """Remove the results that a selection leaves out; return the probabilities of the others."""
    rows = connection.execute("SELECT row, score FROM result ORDER BY query, rank").fetchall()
    # Scores are the classifier's own numbers; the sums of two probabilities are rounded otherwise.
    probability = np.array([row["score"] for row in rows], np.float32)
    kept = selection.kept(probability)
    connection.executemany(
        "DELETE FROM result WHERE row = ?",
        [(rows[place]["row"],) for place in np.flatnonzero(~kept).tolist()],
    )
    return probability[kept]


def _rows(results: Results, begin: int, finder: EvidenceFinder) -> Iterator[tuple[object, ...]]:
    query = results.candidates.query.astype("int64") + begin
    evidence = finder.for_pairs(query, results.candidates.source.astype("int64"))
    sources = results.candidates.source.tolist()
    columns = zip(query.tolist(), sources, results, evidence, strict=True)
    for at, source, reference, why in columns:
        judged = reference.probabilities
        yield (
            at, source, reference.rank, reference.score,
            *((judged.reference, judged.cit, judged.cf, judged.kind) if judged else [None] * 4),
            reference.query.id, reference.source.id,
            reference.query.author, reference.query.work,
            reference.source.author, reference.source.work,
            " ".join(word.lemma for word in why.shared),
            min((word.in_source for word in why.shared), default=None),
            _alignment(why), stored_explanation(why),
        )  # fmt: skip


def _alignment(evidence: Evidence) -> str:
    pairs = [[*pair.query, *pair.source, pair.bond] for pair in evidence.alignment.pairs]
    return json.dumps(pairs, separators=(",", ":"))


def _end_with_standard_input() -> None:
    # The bare descriptor: a thread inside a buffered reader would disturb the interpreter's end.
    while os.read(sys.stdin.fileno(), 1024):
        pass
    os._exit(LOST_EXIT)


def main(user: str, project: str, number: str) -> int:
    """Do a search; return 0 if all is found."""
    threading.Thread(target=_end_with_standard_input, daemon=True).start()
    try:
        SearchRun(Projects(chosen_storage(), user).open(project), int(number)).run()
    except Lost:
        return LOST_EXIT
    except LocisimilesError:
        return 1  # the project says why
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
