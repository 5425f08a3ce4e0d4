"""Results of a project as files, written by the same functions as those of a search."""

from __future__ import annotations

import json
import tempfile
from collections import defaultdict
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.app.judging.learning import Learning
from locisimiles.app.judging.times import written_time
from locisimiles.app.results import ResultFilter, ResultTable
from locisimiles.app.results.explanations import explanation_text
from locisimiles.app.storage.tables.blindness import read_blindness
from locisimiles.app.storage.tables.judgements import read_decisions, read_judgements
from locisimiles.app.storage.tables.searches import find_search, search_to_read
from locisimiles.candidates import Candidates
from locisimiles.checks import check_choice
from locisimiles.errors import InputError, OutputError, ParameterError
from locisimiles.export import (
    APPARATUS_SUFFIXES,
    EXPORT_SUFFIXES,
    write_apparatus,
    write_results,
)
from locisimiles.results import PairJudgement, ReaderJudgement, Results
from locisimiles.results.groups import best_rows

if TYPE_CHECKING:
    from collections.abc import Callable

    from locisimiles.app.projects.project import Project
    from locisimiles.app.storage.database import Row
    from locisimiles.app.storage.tables.judgements import StoredJudgement

__all__ = ["SHIPPED_COLUMN", "export_apparatus", "export_file", "stored_results"]

SHIPPED_COLUMN = "shipped_probability"
"""The column with the probabilities of the shipped classifier, if a ranking was learnt."""


_MOST_IMPORTED = 200_000  # pairs, which are held in memory
_GUARDED = (".csv", ".tsv")
_COLUMNS = (
    "query", "source", "query_id", "source_id", "score", "cit", "cf", "probability", "shipped",
    "explanation", "parallel_to",
)  # fmt: skip


def stored_results(
    project: Project,
    wanted: ResultFilter | None = None,
    *,
    reader: str = "",
    search: int | None = None,
) -> Results:
    """Return stored results as a search returns them, with ranks counted among them.

    If a ranking was learnt, probabilities are the learnt ones, and `SHIPPED_COLUMN` has the others.
    Of several judgements of a pair, the adjudicated one counts, else that of the reader, else what
    all readers agree on. A reader who works blind gets only their own.
    """
    with project.database.reading() as connection:
        found = find_search(connection, search_to_read(connection, search))
        if read_blindness(connection, reader).on:
            judgements = read_judgements(connection, reader)
        else:
            judgements = [*read_judgements(connection), *read_decisions(connection)]
    if found is None:
        raise InputError("app.no_results")
    number = int(found["number"])
    table = ResultTable(project.database, reader, number)
    if found["imported"] and (count := table.count(wanted)) > _MOST_IMPORTED:
        raise ParameterError("app.too_many_to_export", count=count, most=_MOST_IMPORTED)
    rows = table.columns(_COLUMNS, wanted, order="reading")
    judged = bool(rows) and all(row["cit"] is not None for row in rows)
    learnt = judged and all(row["shipped"] is not None for row in rows)
    probabilities = np.array([_probabilities(row) for row in rows], np.float32) if judged else None
    manifest = json.loads(found["manifest"])
    if chosen := (wanted or ResultFilter()).as_dict():
        manifest["selection"] = chosen
    if learnt and (report := Learning(project, number).state().report):
        manifest["learnt"] = asdict(report)
    return Results(
        project.document("query", number),
        project.document("source", number),
        Candidates(
            np.array([row["query"] for row in rows], np.int32),
            np.array([row["source"] for row in rows], np.int32),
            # Results are ordered by their score, which is the probability where there is one.
            np.array([row["probability" if learnt else "score"] for row in rows], np.float32),
        ),
        manifest,
        probabilities,
        {SHIPPED_COLUMN: tuple(f"{row['shipped']:.4f}" for row in rows)} if learnt else {},
        explanations=tuple(explanation_text(row["explanation"]) for row in rows),
        judgements=_judgements(rows, judgements, reader),
        best=best_rows((row["query"], row["source_id"], row["parallel_to"]) for row in rows),
    )


def _judgements(
    rows: list[Row], stored: list[StoredJudgement], reader: str
) -> tuple[PairJudgement | None, ...] | None:
    """Return what readers decided about each row; None if none was judged."""
    by_pair: dict[tuple[str, str], list[ReaderJudgement]] = defaultdict(list)
    for one in stored:
        by_pair[one.query_id, one.source_id].append(
            ReaderJudgement(
                one.verdict,
                one.note,
                one.reader,
                written_time(one.time),
                one.adjudicated,
                one.independent,
            )
        )
    found = tuple(
        PairJudgement.of(by_pair.get((row["query_id"], row["source_id"]), ()), reader=reader)
        for row in rows
    )
    return found if any(found) else None


def _probabilities(row: Row) -> tuple[float, float, float]:
    """Return those of no reference, cit. and cf.; a learnt probability keeps the ratio of types."""
    cit, cf = row["cit"], row["cf"]
    if row["shipped"] is not None:
        share = cit / (cit + cf) if cit + cf > 0 else 0.5
        cit, cf = share * row["probability"], (1 - share) * row["probability"]
    return 1 - cit - cf, cit, cf


def export_file(
    project: Project,
    suffix: str,
    wanted: ResultFilter | None = None,
    *,
    reader: str = "",
    search: int | None = None,
) -> bytes:
    """Return results as a file of the format that a suffix names."""
    check_choice(EXPORT_SUFFIXES, format=suffix)
    results = stored_results(project, wanted, reader=reader, search=search)
    # Readers open these in spreadsheet programs, which would run a formula in a text.
    safe = suffix in _GUARDED
    return _written(
        project, suffix, lambda path: write_results(results, path, spreadsheet_safe=safe)
    )


def export_apparatus(
    project: Project,
    suffix: str,
    wanted: ResultFilter | None = None,
    *,
    reader: str = "",
    text: bool = True,
    language: str = "en",
    search: int | None = None,
) -> bytes:
    """Return accepted references as an *apparatus fontium*, in the format that a suffix names."""
    check_choice(APPARATUS_SUFFIXES, format=suffix)
    results = stored_results(project, wanted, reader=reader, search=search)
    return _written(
        project, suffix, lambda path: write_apparatus(results, path, text=text, language=language)
    )


def _written(project: Project, suffix: str, write: Callable[[Path], object]) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{project.id}{suffix}"
        try:
            write(path)
        except OutputError as error:
            error.change_words(lambda words: words.replace(f"{folder}/", ""))
            raise
        return path.read_bytes()
