"""Selections as files: results of the package again, so that every writer serves the app."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.app.explanations import explained
from locisimiles.app.selection import Selection
from locisimiles.errors import InputError, OutputError
from locisimiles.export import EXPORT_SUFFIXES, ExplainedResults, write_results
from locisimiles.retrieve import Candidates

if TYPE_CHECKING:
    from locisimiles.app.project import Project
    from locisimiles.results import Results

__all__ = ["export_selection", "selected_results"]


def selected_results(
    project: Project, selection: Selection | None = None, *, reader: str = ""
) -> Results:
    """Return the pairs of a selection as a search would have returned them.

    Parameters
    ----------
    project
        Whose results.
    selection
        Which; all by default. Ranks are counted anew inside it.
    reader
        Whose verdicts count as status.
    """
    where, values = (selection or Selection()).where()
    sql = (
        "SELECT result.query, result.source, result.score, result.cit, result.cf, "  # noqa: S608
        "result.explanation FROM result LEFT JOIN judgement mine "
        "ON mine.query_id = result.query_id AND mine.source_id = result.source_id "
        f"AND mine.reader = ? WHERE {where} ORDER BY result.query, result.rank"
    )
    with project.database.reading() as connection:
        rows = connection.execute(sql, [reader, *values]).fetchall()
        search = connection.execute(
            "SELECT manifest FROM search ORDER BY number DESC LIMIT 1"
        ).fetchone()
    if search is None:
        raise InputError("nothing was searched yet", hint="start a search first")
    judged = bool(rows) and all(row["cit"] is not None for row in rows)
    probabilities = np.array(
        [(1 - row["cit"] - row["cf"], row["cit"], row["cf"]) for row in rows], np.float32
    ) if judged else None  # fmt: skip
    manifest = json.loads(search["manifest"])
    if chosen := (selection or Selection()).as_dict():
        manifest["selection"] = chosen
    return ExplainedResults(
        project.document("query"),
        project.document("source"),
        Candidates(
            np.array([row["query"] for row in rows], np.int32),
            np.array([row["source"] for row in rows], np.int32),
            np.array([row["score"] for row in rows], np.float32),
        ),
        manifest,
        probabilities,
        explanations=tuple(explained(row["explanation"]) for row in rows),
    )


def export_selection(
    project: Project, suffix: str, selection: Selection | None = None, *, reader: str = ""
) -> bytes:
    """Return a selection as a file of the format that a suffix names.

    Raises
    ------
    OutputError
        If there is no such format.
    """
    if suffix not in EXPORT_SUFFIXES:
        raise OutputError(
            f"there is no format {suffix!r}", hint=f"use one of {', '.join(EXPORT_SUFFIXES)}"
        )
    results = selected_results(project, selection, reader=reader)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{project.id}{suffix}"
        try:
            write_results(results, path)
        except OutputError as error:
            error.problem = error.problem.replace(f"{folder}/", "")
            raise
        return path.read_bytes()
