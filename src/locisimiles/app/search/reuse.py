"""Results of an earlier search that a search of changed texts need not look for again.

What is found for a query segment depends on the segment, on the form of its work (verse or prose),
on all sources, and on parameters and version of the search. Where all of these are the same, its
results are the same. Where sources were added or removed, all ranks, rarities and probabilities may
change, so everything is searched again; and a budget or a precision chooses among all results, so
what it dropped then may be kept now.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from locisimiles.app.search.parameters import SearchParameters
from locisimiles.app.storage.tables.searches import (
    count_new_segments,
    find_search,
    search_of_other_queries,
)
from locisimiles.evidence.verse import verse_or_prose
from locisimiles.pipeline import current_versions
from locisimiles.retrieve.combined.priors import verse_works

if TYPE_CHECKING:
    from collections.abc import Mapping

    from locisimiles.app.projects.project import Project
    from locisimiles.app.storage.database import Connection
    from locisimiles.corpus import Document
    from locisimiles.pipeline import Pipeline

__all__ = ["Earlier", "NewSegments", "earlier_results", "find_reusable", "new_segments"]

_MOST_COPIED = 2000


class NewSegments(NamedTuple):
    """What a search of the current texts would have to look for."""

    search: int  # whose other results can be reused
    parameters: SearchParameters
    new: int  # query segments that it did not search
    total: int


class Earlier(NamedTuple):
    """Results of an earlier search that hold for a new one.

    Examples
    --------
    >>> earlier = Earlier(1, {0: 0, 1: 1, 2: 7, 5: 8}, {})
    >>> earlier.known_until(0), earlier.known_until(2), earlier.known_until(3)
    (2, 3, 3)
    >>> earlier.new_until(3, 9), earlier.new_until(6, 9)
    (5, 9)
    """

    search: int
    positions: dict[int, int]  # of query segments now: where they were then
    manifest: Mapping[str, object]

    def known_until(self, begin: int) -> int:
        """Return the end of the run of segments with results that followed each other then, too."""
        end, then = begin, self.positions.get(begin)
        while then is not None and end - begin < _MOST_COPIED:
            end += 1
            if self.positions.get(end) != then + end - begin:
                break
        return end

    def new_until(self, begin: int, end: int) -> int:
        """Return the end of the run of segments without results, at most `end`."""
        return next((at for at in range(begin, end) if at in self.positions), end)


def find_reusable(connection: Connection, parameters: SearchParameters) -> int | None:
    """Return a search with the same sources and parameters but another query; None if none."""
    if parameters.budget is not None or parameters.precision is not None:
        return None
    row = search_of_other_queries(connection, parameters.as_json())
    return None if row is None else int(row["number"])


def new_segments(project: Project) -> NewSegments | None:
    """Return what is new since the last search of the same sources; None if it needs a full one."""
    with project.database.reading() as connection:
        row = search_of_other_queries(connection)
        if row is None:
            return None
        parameters = SearchParameters.from_json(row["parameters"])
        if find_reusable(connection, parameters) != row["number"]:
            return None
        new, total = count_new_segments(connection, row["query_edition"])
    return NewSegments(row["number"], parameters, new, total) if total else None


def earlier_results(
    project: Project, reuses: int | None, query: Document, pipeline: Pipeline, *, indexed: bool
) -> Earlier | None:
    """Return the results of the search `reuses` that hold for a query; None if none do.

    `indexed` says whether sources are searched by their index, which may find others in large ones.
    """
    if reuses is None:
        return None
    with project.database.reading() as connection:
        row = find_search(connection, reuses)
    if row is None or not row["finished_queries"]:
        return None
    manifest = json.loads(row["manifest"])
    retriever = json.loads(json.dumps(dict(pipeline.retriever.parameters())))
    now = {"retriever": retriever, "index": indexed, **current_versions()}
    if pipeline.classifier is not None:
        now["classifier"] = json.loads(json.dumps(dict(pipeline.classifier.parameters())))
    if any(manifest.get(name) != value for name, value in now.items()):
        return None
    then = project.document("query", reuses)
    return Earlier(reuses, _unchanged(then, query, row["finished_queries"]), manifest)


def _unchanged(then: Document, now: Document, finished: int) -> dict[int, int]:
    forms, now_forms = _forms(then), _forms(now)
    positions = {}
    for position, segment in enumerate(now):
        if segment.id not in then:
            continue
        old = then.index(segment.id)
        same_form = forms[old] == now_forms[position]
        if old < finished and same_form and then[old] == segment:
            positions[position] = old
    return positions


def _forms(document: Document) -> list[tuple[int, bool]]:
    """Return the form of each segment's work, as evidence and as search and classifier see it."""
    return [*zip(verse_or_prose(document).tolist(), verse_works(document).tolist(), strict=True)]
