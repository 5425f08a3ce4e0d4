"""Selections as files: results of the package again, so that every writer serves the app."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.app.judging.learning import Learning
from locisimiles.app.results.explanations import explained
from locisimiles.app.results.filters import ResultFilter
from locisimiles.candidates import Candidates
from locisimiles.errors import InputError, OutputError
from locisimiles.export import EXPORT_SUFFIXES, write_results
from locisimiles.results import Results

if TYPE_CHECKING:
    from locisimiles.app.projects.project import Project
    from locisimiles.app.storage.database import Row

__all__ = ["SHIPPED_COLUMN", "export_selection", "selected_results"]

SHIPPED_COLUMN = "shipped_probability"
"""The column of a table whose probabilities were learnt in the project."""


def selected_results(
    project: Project, selection: ResultFilter | None = None, *, reader: str = ""
) -> Results:
    """Return the pairs of a selection as a search would have returned them.

    Parameters
    ----------
    project
        Whose results.
    selection
        Which; all by default. Ranks are counted anew inside it. Where a ranking was learnt,
        probabilities are the learnt ones, and the shipped ones have a column of their own.
    reader
        Whose verdicts count as status.
    """
    where, values = (selection or ResultFilter()).where()
    sql = (
        "SELECT result.query, result.source, result.score, result.cit, result.cf, "  # noqa: S608
        "result.probability, result.shipped, result.explanation FROM result "
        "LEFT JOIN judgement mine "
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
    learnt = judged and all(row["shipped"] is not None for row in rows)
    probabilities = np.array([_probabilities(row) for row in rows], np.float32) if judged else None
    manifest = json.loads(search["manifest"])
    if chosen := (selection or ResultFilter()).as_dict():
        manifest["selection"] = chosen
    if learnt:
        manifest["learnt"] = Learning(project).state().report
    return Results(
        project.document("query"),
        project.document("source"),
        Candidates(
            np.array([row["query"] for row in rows], np.int32),
            np.array([row["source"] for row in rows], np.int32),
            # Results are ordered by their score, which is the probability where there is one.
            np.array([row["probability" if learnt else "score"] for row in rows], np.float32),
        ),
        manifest,
        probabilities,
        {SHIPPED_COLUMN: tuple(f"{row['shipped']:.4f}" for row in rows)} if learnt else {},
        explanations=tuple(explained(row["explanation"]) for row in rows),
    )


def _probabilities(row: Row) -> tuple[float, float, float]:
    """Return those of no reference, cit. and cf.; what was learnt says nothing of the type."""
    cit, cf = row["cit"], row["cf"]
    if row["shipped"] is not None:
        share = cit / (cit + cf) if cit + cf > 0 else 0.5
        cit, cf = share * row["probability"], (1 - share) * row["probability"]
    return 1 - cit - cf, cit, cf


def export_selection(
    project: Project, suffix: str, selection: ResultFilter | None = None, *, reader: str = ""
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
            error.change_words(lambda words: words.replace(f"{folder}/", ""))
            raise
        return path.read_bytes()
