"""Pages of the app with imported pairs: how long each takes, and how much memory all of them."""

from __future__ import annotations

import resource
import time
from functools import partial
from typing import TYPE_CHECKING, Any

from locisimiles.app.judging.verdicts import Judging
from locisimiles.app.projects.collection import ProjectCollection
from locisimiles.app.results import ORDERS, ResultFilter, ResultTable
from locisimiles.app.results.places import find_places
from locisimiles.app.results.statistics import compute_statistics
from locisimiles.app.results.summary import compute_summary
from locisimiles.app.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from locisimiles.app.projects.project import Project

ROWS, JUDGED, READER = 200, 50, "Ann"


def measure_pages(folder: Path, name: str) -> dict[str, Any]:
    """Ask once for every page, and return the slowest ones."""
    project = ProjectCollection(folder).open(name)
    table = ResultTable(project.database, READER)
    found = table.page(limit=JUDGED, order="score").rows
    for row in found:
        Judging(project).judge(row["query_id"], row["source_id"], reader=READER, verdict="cf.")
    rows: list[dict[str, Any]] = []
    for page, ask in pages(project, table, found[0]):
        began, used = time.perf_counter(), time.process_time()
        ask()
        rows.append(
            {
                "page": page,
                "cpu_seconds": round(time.process_time() - used, 3),
                "seconds": round(time.perf_counter() - began, 3),
            }
        )
    rows.sort(key=lambda row: -row["cpu_seconds"])
    return {
        "pages": len(rows),
        "megabytes": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
        "slowest": rows[:12],
    }


def pages(
    project: Project, table: ResultTable, first: dict[str, Any]
) -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield what views ask for, by name."""
    filters = {
        "all": ResultFilter(),
        "of an author": ResultFilter(source_author=first["source_author"]),
        "unjudged": ResultFilter(status="unjudged"),
        "best three": ResultFilter(best=3),
    }
    for name, wanted in filters.items():
        count = table.count(wanted)
        for order in ORDERS:
            for offset in (0, count // 2):
                asked: dict[str, Any] = {
                    "order": order,
                    "offset": offset,
                    "limit": ROWS,
                    "texts": True,
                }
                yield f"{name} by {order} from {offset}", partial(table.page, wanted, **asked)
        yield f"numbers of {name}", partial(compute_statistics, project, wanted, reader=READER)
        for likely in ("best", None):
            ask = partial(find_places, project, wanted, reader=READER, likely=likely)
            yield f"map of {name}, {likely or 'all'}", ask
        yield f"segments of {name}", partial(table.by_query, wanted, first=500, count=60)
        yield f"links of {name}", partial(table.links, wanted)
    yield "places in the source", lambda: table.by_source(first["source"], first["source"] + 60,
                                                          limit=500)  # fmt: skip
    yield "summary", lambda: compute_summary(project, reader=READER)
    words = ResultFilter(words="et")
    yield "words, first time", lambda: table.page(words, limit=ROWS, texts=True)
    for at in (0, 1_000_000):
        asked = {"order": "score", "offset": at, "limit": ROWS, "texts": True}
        yield f"words from {at}", partial(table.page, words, **asked)
    yield "numbers of words", partial(compute_statistics, project, words, reader=READER)
    yield "map of words", partial(find_places, project, words, reader=READER, likely="best")
    yield "next by score", lambda: table.neighbour(first["row"], ResultFilter(), order="score")
    yield "place by score", lambda: table.position(first["row"], ResultFilter(), order="score")
    workspace = Workspace(project, READER)
    workspace.begin()
    yield "verdict", lambda: workspace.judge("reject")
    yield "page after it", lambda: table.page(filters["unjudged"], limit=ROWS, texts=True)
