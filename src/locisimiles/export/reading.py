"""Read results from files, ours or those of the published package of the same name."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from locisimiles.candidates import Candidates
from locisimiles.errors import MalformedInputError, ParameterError
from locisimiles.export.pairs import BY_LABEL, parse_pairs
from locisimiles.export.sides import read_side
from locisimiles.export.tables import read_pair_table
from locisimiles.files.limits import current_limits, limited
from locisimiles.results import Results
from locisimiles.results.alignments import parse_alignment
from locisimiles.results.columns import ALIGNED_COLUMN, EXPLAINED_COLUMN, PARALLEL_COLUMN
from locisimiles.results.groups import best_rows
from locisimiles.results.reader_cells import JUDGEMENT_COLUMNS, are_judged, parse_judgement

if TYPE_CHECKING:
    import os

    from numpy.typing import NDArray

    from locisimiles.corpus import Document
    from locisimiles.evidence import Alignment
    from locisimiles.export.pairs import ParsedPairs
    from locisimiles.export.tables import PairTable
    from locisimiles.results import PairJudgement

__all__ = ["read_results"]


def read_results(
    path: str | os.PathLike[str],
    *,
    query: Document | None = None,
    source: Document | None = None,
    guarded: bool = False,
) -> Results:
    """Read results from a file.

    Besides our own files, it reads those that the command line and the app of the published
    package write, and its ``to_csv`` and ``to_json``.

    Parameters
    ----------
    path
        A ``.csv``, ``.tsv``, ``.json``, ``.jsonl``, ``.xlsx`` or ``.parquet`` file with columns
        ``query_id``, ``source_id`` and a score. A manifest beside or inside it is read too.
    query, source
        The documents that were compared; by default, the segments in the file.
    guarded
        Remove the apostrophes that `write_results` added with ``spreadsheet_safe``.

    Returns
    -------
    Results
        Ranks are counted among the rows of the file.

    Raises
    ------
    InputError
        If the file cannot be read, contradicts itself, or names segments that the documents lack.
    """
    with limited(current_limits()):  # asked once: the environment is slow to ask for each segment
        return _from_table(read_pair_table(path, guarded=guarded), query, source)


def _from_table(table: PairTable, query: Document | None, source: Document | None) -> Results:
    # In others' files, a query without a match has a row, too.
    paired = np.flatnonzero(table.cells["source_id"].lengths)
    queries, all_queries = read_side(table, "query", query)
    sources, source_of = read_side(table, "source", source, paired)
    parsed = parse_pairs(table, paired, all_queries[paired], source_of)
    order = _ordered(parsed, sources)
    rows = paired[order]
    candidates = Candidates(
        query=parsed.query[order], source=parsed.source[order], score=parsed.score[order]
    )
    names = [name for name in parsed.further if name != BY_LABEL or parsed.judged is None]
    aligned, parallel = ALIGNED_COLUMN in table.cells, PARALLEL_COLUMN in table.cells
    return Results(
        queries,
        sources,
        candidates,
        table.manifest,
        None if parsed.judged is None else parsed.judged[order].astype(np.float32),
        {name: table.cells[name].take(rows) for name in names},
        table.cells[EXPLAINED_COLUMN].take(rows) if EXPLAINED_COLUMN in table.cells else None,
        _alignments(table, rows, candidates, queries, sources) if aligned else None,
        _judgements(table, rows) if are_judged(table.columns) else None,
        best=_best(table, rows, candidates, sources) if parallel else None,
    )


def _ordered(pairs: ParsedPairs, sources: Document) -> NDArray[np.int64]:
    """Return the order of pairs: by query, by rank, then by the id of the source."""
    order = np.lexsort((pairs.rank, pairs.query))
    query, rank = pairs.query[order], pairs.rank[order]
    if not ((query[1:] == query[:-1]) & (rank[1:] == rank[:-1])).any():
        return order
    place = np.empty(len(sources), np.int64)
    place[sorted(range(len(sources)), key=sources.ids.__getitem__)] = np.arange(len(sources))
    return np.lexsort((place[pairs.source], pairs.rank, pairs.query))


def _alignments(
    table: PairTable,
    rows: NDArray[np.int64],
    pairs: Candidates,
    query: Document,
    source: Document,
) -> tuple[Alignment, ...]:
    found = []
    cells = table.cells[ALIGNED_COLUMN].take(rows)
    places = zip(rows.tolist(), pairs.query.tolist(), pairs.source.tolist(), cells, strict=True)
    for row, of_query, of_source, cell in places:
        try:
            found.append(parse_alignment(cell, query.texts[of_query], source.texts[of_source]))
        except ParameterError as error:
            raise MalformedInputError(
                "export.bad_alignment",
                reason=error.message,
                column=ALIGNED_COLUMN,
                file=table.file,
                row=table.numbers[row],
            ) from error
    return tuple(found)


def _judgements(table: PairTable, rows: NDArray[np.int64]) -> tuple[PairJudgement | None, ...]:
    columns = [table.cells[name].take(rows) for name in JUDGEMENT_COLUMNS]
    found = []
    for row, *cells in zip(rows.tolist(), *columns, strict=True):
        try:
            found.append(parse_judgement(dict(zip(JUDGEMENT_COLUMNS, cells, strict=True))))
        except MalformedInputError as error:
            error.file, error.row = table.file, table.numbers[row]
            raise
    return tuple(found)


def _best(
    table: PairTable, rows: NDArray[np.int64], pairs: Candidates, source: Document
) -> NDArray[np.int64]:
    ids = (source.ids[position] for position in pairs.source.tolist())
    return best_rows(
        zip(pairs.query.tolist(), ids, table.cells[PARALLEL_COLUMN].take(rows), strict=True)
    )
