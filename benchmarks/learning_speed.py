"""How long a project of 100,000 pairs takes to learn a ranking, to apply it, and to go back.

    python benchmarks/learning_speed.py

Fills a project as ``benchmarks/app.py`` does, gives its pairs artificial probabilities, judges the
first of them, and measures each step, and pages of the table before and after. Writes
``benchmarks/results/learning_speed.json``.
"""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app import PAIRS, many_pairs
from harness import save_results, timings
from locisimiles.app.judging.learning import Learning
from locisimiles.app.projects.collection import ProjectCollection
from locisimiles.app.results import ResultFilter, ResultTable

if TYPE_CHECKING:
    from collections.abc import Callable

    from locisimiles.app.projects.project import Project

VERDICTS = (100, 1000, 5000)


def fill(project: Project) -> None:
    many_pairs(project, PAIRS)
    with project.database.writing() as connection:
        connection.execute(
            "UPDATE result SET cit = 0.6 / (rank + row % 7), cf = 0.3 / (rank + row % 7), "
            "probability = 0.9 / (rank + row % 7), type = 'cit.'"
        )


def judge(project: Project, count: int) -> None:
    rows = []
    for offset in range(0, count, 1000):
        rows += ResultTable(project.database).page(offset=offset, limit=min(count, 1000)).rows
    with project.database.writing() as connection:
        connection.execute("DELETE FROM judgement")
        connection.executemany(
            "INSERT INTO judgement (query_id, source_id, reader, verdict, time) "
            "VALUES (?, ?, '', ?, 0)",
            [
                (r["query_id"], r["source_id"],
                 "cit." if r["source_author"] == "Virgil" or int(str(r["row"])) % 9 == 0
                 else "reject")
                for r in rows
            ],
        )  # fmt: skip


def seconds(work: Callable[[], object]) -> float:
    return round(timings(work)[0], 3)


def pages(project: Project) -> dict[str, float]:
    found, probable = ResultTable(project.database), ResultFilter(least_probability=0.5)
    return {
        "most probable first": seconds(lambda: found.page(order="probability", offset=50_000)),
        "as the text goes": seconds(lambda: found.page(offset=50_000)),
        "most informative first": seconds(lambda: found.page(order="informative", limit=200)),
        "least probability 0.5": seconds(lambda: found.page(probable, limit=200)),
    }


def measure(project: Project, count: int) -> dict[str, Any]:
    judge(project, count)
    learning = Learning(project)
    shipped = pages(project)
    return {
        "measure only": seconds(lambda: learning.learn("never")),
        "measure and apply": seconds(lambda: learning.learn("always")),
        "pages with the shipped ranking": shipped,
        "pages with the learnt ranking": pages(project),
        "back to the shipped ranking": seconds(learning.restore),
    }


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        project = ProjectCollection(Path(folder)).create("many")
        fill(project)
        measured: dict[str, Any] = {
            "pairs": PAIRS,
            "load of the machine": round(os.getloadavg()[0], 1),
            "cores": os.cpu_count(),
            "seconds": {f"{count} verdicts": measure(project, count) for count in VERDICTS},
        }
    save_results("learning_speed", measured)
    print(json.dumps(measured, indent=1))


if __name__ == "__main__":
    main()
