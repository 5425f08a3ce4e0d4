"""The pairs of a job as one Parquet file without texts: tens of millions in seconds.

DuckDB joins the files of blocks with the ids of segments, and makes selections in one pass over
them. Which pairs are kept is decided as in `merged_blocks`.
"""
# ruff: noqa: S608 - all that is put into SQL are numbers, quoted paths and names of ours

from __future__ import annotations

import json
from contextlib import contextmanager
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import numpy as np

from locisimiles.classify.selection import Tally
from locisimiles.errors import InputError, MalformedInputError
from locisimiles.files.parquet_columns import connected, quoted, write_query
from locisimiles.jobs.running import missing_blocks
from locisimiles.jobs.searcher import open_index
from locisimiles.pipeline import described_expectation
from locisimiles.progress import silent
from locisimiles.results.columns import MANIFEST_KEY

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    import duckdb
    from numpy.typing import NDArray

    from locisimiles.classify.base_rates import BaseRate, BaseRates
    from locisimiles.classify.selection import Selection
    from locisimiles.corpus import Document
    from locisimiles.jobs.plan import Job
    from locisimiles.pipeline import Pipeline
    from locisimiles.progress import Progress

__all__ = ["write_compact"]

_COUNTED_AT_ONCE = 1_000_000
_MEMORY = "1200MB"  # then DuckDB writes to a temporary folder
_SIDES = ("query", "source")
_FACTS = ("author", "work", "locus")
_JUDGED = ", CAST(cit + cf AS FLOAT) AS probability, cit AS probability_cit, cf AS probability_cf"


def write_compact(
    job: Job, pipeline: Pipeline, path: Path, *, progress: Progress = silent
) -> Tally:
    """Write the pairs of a job with the ids, authors, works and loci of their segments.

    Scores are not rounded; texts and shared words are left out. `locisimiles.read_results` reads
    the file, and adds the texts if it is given the documents.

    Parameters
    ----------
    job
        The job; all its blocks must be done.
    pipeline
        From `merging_pipeline`, which says which pairs are kept.
    path
        The file, which is replaced.
    progress
        Called to report progress.

    Returns
    -------
    Tally
        Of the probabilities of all pairs that were kept.

    Raises
    ------
    InputError
        If blocks are missing or damaged, or the index is no longer that of the plan.
    """
    query, source = job.query(), open_index(job)
    if missing := missing_blocks(job, progress=progress):
        raise InputError(
            "jobs.unfinished",
            folder=str(job.folder),
            count=len(missing),
            total=len(job.blocks),
        )
    manifest = pipeline.manifest(len(query), query.fingerprint(), len(source), source.fingerprint())
    manifest.pop("group", None)  # that would need the texts
    progress("merging", 0, 1)
    with _opened() as connection:
        _find(connection, job, pipeline)
        last = connection.execute("SELECT max(source) FROM judged").fetchall()[0][0]
        if last is not None and last >= len(source):
            raise MalformedInputError("files.damaged", file=str(job.blocks_folder))
        tally = Tally()
        calibration = pipeline.calibration
        if calibration is not None:
            if calibration.base_rates is not None:
                rate = _adapt(connection, calibration.base_rates, query.authors)
                manifest["base_rate"] = rate.as_dict(query.authors)
            _select(connection, pipeline.selection)
            _count(connection, tally)
            manifest |= described_expectation(tally, calibration, query)
        else:
            _select(connection, pipeline.selection)
        for side, document in zip(_SIDES, (query, source), strict=True):
            _add_segments(connection, side, document)
        judged = "" if pipeline.classifier is None else _JUDGED
        facts = "".join(f", {side}.{fact} AS {side}_{fact}" for side in _SIDES for fact in _FACTS)
        write_query(
            connection,
            f"SELECT query.id AS query_id, source.id AS source_id, kept.rank, kept.score{judged}"
            f"{facts} FROM kept JOIN query ON kept.query = query.row "
            "JOIN source ON kept.source = source.row ORDER BY kept.query, kept.rank",
            path,
            {MANIFEST_KEY: json.dumps(manifest, ensure_ascii=False)},
        )
    progress("merging", 1, 1)
    return tally


@contextmanager
def _opened() -> Iterator[duckdb.DuckDBPyConnection]:
    with TemporaryDirectory(prefix="locisimiles-") as spilled, connected(threads=2) as connection:
        connection.execute(f"SET memory_limit = {quoted(_MEMORY)}")
        connection.execute(f"SET temp_directory = {quoted(spilled)}")
        yield connection


def _find(connection: duckdb.DuckDBPyConnection, job: Job, pipeline: Pipeline) -> None:
    """Make the view of all pairs that are found."""
    files = ", ".join(quoted(job.block_path(number)) for number in range(len(job.blocks)))
    connection.execute(
        f"CREATE VIEW judged AS SELECT * FROM read_parquet([{files}]) "
        f"WHERE rank <= {int(pipeline.k)}"
    )


def _adapt(
    connection: duckdb.DuckDBPyConnection, rates: BaseRates, authors: Sequence[str]
) -> BaseRate:
    """Adapt the probabilities of all pairs to the whole text, as `adapted_results` does."""
    best = connection.execute(
        "SELECT query, MAX(score) AS score FROM judged GROUP BY query ORDER BY query"
    ).fetchnumpy()
    rate = rates.estimate(best["query"], best["score"], authors)
    if rate.changes_nothing(authors):
        return rate
    pairs = connection.execute("SELECT * FROM judged ORDER BY query, rank").fetchnumpy()
    chances = np.column_stack([np.zeros_like(pairs["cit"]), pairs["cit"], pairs["cf"]])
    adapted = rate.adapted(chances, [authors[row] for row in pairs["query"].tolist()])
    pairs |= {"cit": adapted[:, 1], "cf": adapted[:, 2], "score": adapted[:, 1] + adapted[:, 2]}
    columns = {name: np.ascontiguousarray(column) for name, column in pairs.items()}
    connection.register("adapted", columns)
    connection.execute("DROP VIEW judged")
    connection.execute("CREATE TABLE judged AS SELECT * FROM adapted")
    connection.unregister("adapted")
    return rate


def _select(connection: duckdb.DuckDBPyConnection, selection: Selection) -> None:
    """Make the table of pairs that are kept."""
    limit = "TRUE"
    if selection.threshold is not None:
        limit = f"CAST(score AS DOUBLE) >= {float(selection.threshold)!r}"
    connection.execute(f"CREATE VIEW found AS SELECT * FROM judged WHERE {limit}")
    kept = "SELECT * FROM found"
    if selection.spans_all:
        # The order of `Selection.kept`: of equally probable pairs, the first.
        kept += f" ORDER BY score DESC, query, rank LIMIT {_reach(connection, selection)}"
    kind = "TABLE" if selection.spans_all else "VIEW"
    connection.execute(f"CREATE {kind} kept AS {kept}")


def _reach(connection: duckdb.DuckDBPyConnection, selection: Selection) -> int:
    """Return how many of the most probable pairs are kept."""
    if selection.budget is not None:
        return int(selection.budget)
    scores = connection.execute("SELECT score FROM found ORDER BY score DESC").fetchnumpy()
    return int(selection.kept(scores["score"]).sum())


def _count(connection: duckdb.DuckDBPyConnection, tally: Tally) -> None:
    scores = connection.execute("SELECT score FROM kept").fetchnumpy()["score"]
    for begin in range(0, len(scores), _COUNTED_AT_ONCE):
        tally.add(scores[begin : begin + _COUNTED_AT_ONCE])


def _add_segments(connection: duckdb.DuckDBPyConnection, side: str, document: Document) -> None:
    """Make a table of the ids and facts of segments, by their position."""
    columns: dict[str, NDArray[Any]] = {"row": np.arange(len(document), dtype=np.int32)}
    named = zip(("id", *_FACTS), (document.ids, document.authors, document.works, document.loci),
                strict=True)  # fmt: skip
    columns |= {name: np.array([one or "" for one in texts], object) for name, texts in named}
    connection.register("segments", columns)
    connection.execute(f"CREATE TABLE {side} AS SELECT * FROM segments")
    connection.unregister("segments")
