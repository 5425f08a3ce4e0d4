"""A Parquet file of results, copied into a file of pairs with places in every order.

The Parquet file may come from anyone: it is read by its columns alone, and every value is checked.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from locisimiles.app.storage.books import BOOK_COLUMNS, BOOKS
from locisimiles.app.storage.pairs.words import add_words, create_word_tables
from locisimiles.errors import InputError, MalformedInputError, OutputError
from locisimiles.files.parquet_columns import connected, quoted
from locisimiles.files.writing import atomic_path

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    import duckdb
    from numpy.typing import NDArray

__all__ = ["MOST_PAIRS", "Segments", "write_pairs"]

MOST_PAIRS = 20_000_000
"""More pairs would take more than 2 GB of memory while they are ordered."""
_MEMORY = "800MB"
_AT_ONCE = 250_000
_NEEDED = ("query_id", "source_id", "rank", "score")
_JUDGED = ("probability", "probability_cit", "probability_cf")
_FOUND = """
SELECT q.position AS query, s.position AS source, r.rank, r.score, {judged}
FROM (SELECT query_id, source_id, CAST(rank AS INTEGER) AS rank, CAST(score AS FLOAT) AS score,
      {cast} FROM read_parquet({path})) r
LEFT JOIN segment q ON q.side = 'query' AND q.id = r.query_id
LEFT JOIN segment s ON s.side = 'source' AND s.id = r.source_id
"""
_PAIR = """
row BIGINT, query INTEGER, source INTEGER, works INTEGER, rank INTEGER, score DOUBLE,
probability DOUBLE, cit DOUBLE, cf DOUBLE, type VARCHAR, query_id VARCHAR, source_id VARCHAR,
query_author VARCHAR, query_work VARCHAR, source_author VARCHAR, source_work VARCHAR,
by_score INTEGER,
by_probability INTEGER, by_doubt INTEGER, by_rank INTEGER, by_source INTEGER, by_type INTEGER,
by_query_author INTEGER, by_query_work INTEGER, by_source_author INTEGER, by_source_work INTEGER
"""
_BOOK = """
side VARCHAR, author VARCHAR, work VARCHAR, book VARCHAR, first INTEGER, last INTEGER,
segments INTEGER
"""
_ADD_BOOKS = f"INSERT INTO book SELECT ?, {BOOK_COLUMNS} FROM ({BOOKS.format(only='')})"  # noqa: S608
_WORKS = """
CREATE TABLE works AS SELECT
    n.number, q.author AS query_author, q.work AS query_work, s.author AS source_author,
    s.work AS source_work
FROM numbered n
JOIN segment q ON q.side = 'query' AND q.position = n.query
JOIN segment s ON s.side = 'source' AND s.position = n.source
"""
_INSERT = """
INSERT INTO pair SELECT
    n.row, n.query, n.source, n.works, n.rank, n.score,
    {probability}, {cit}, {cf}, {type}, q.id, s.id, q.author, q.work, s.author, s.work,
    n.by_score, n.by_probability, n.by_doubt, n.by_rank, n.by_source, n.by_type,
    n.by_query_author, n.by_query_work, n.by_source_author, n.by_source_work
FROM numbered n
JOIN segment q ON q.side = 'query' AND q.position = n.query
JOIN segment s ON s.side = 'source' AND s.position = n.source
ORDER BY n.row
"""


class Segments(NamedTuple):
    """The segments of a side, in order: columns of texts."""

    id: Sequence[str]
    text: Sequence[str]
    author: Sequence[str]
    work: Sequence[str]
    locus: Sequence[str]
    marks: Sequence[str]


def write_pairs(
    parquet: Path,
    path: Path,
    sides: dict[str, Segments],
    progress: Callable[[str, int, int], None] = lambda *_: None,
) -> int:
    """Write a file of pairs, durably and whole or not at all; return the number of pairs.

    Parameters
    ----------
    parquet
        Results, such as `locisimiles job merge --compact` writes them.
    path
        The file, which is replaced.
    sides
        The segments of ``query`` and ``source``.
    progress
        Called to report progress.

    Raises
    ------
    InputError
        If the results are damaged, too many, or of other texts.
    OutputError
        If the file cannot be written.
    """
    with atomic_path(path) as temporary, _writing(parquet, temporary, path) as connection:
        progress("reading results", 0, 1)
        for side, segments in sides.items():
            _add_segments(connection, side, segments)
            add_words(connection, side, segments.text)
            connection.execute(_ADD_BOOKS, [side, side])
        found = _read(connection, parquet)
        progress("reading results", 1, 1)
        count = len(found["row"])
        judged = found.pop("judged", None) is not None
        found["works"] = _add_works(connection, found, sides)
        found |= _places(found, sides, judged=judged, progress=progress)
        _add_pairs(connection, found, judged=judged, progress=progress)
        connection.execute("CHECKPOINT")
    return count


@contextmanager
def _writing(parquet: Path, temporary: Path, path: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    import duckdb

    if not parquet.is_file():
        raise InputError("files.not_found", file=str(parquet))
    try:
        with connected(threads=2) as connection:
            connection.execute(f"SET memory_limit = {quoted(_MEMORY)}")
            connection.execute(f"SET temp_directory = {quoted(temporary.parent / 'spilled')}")
            connection.execute(f"ATTACH {quoted(temporary)} AS pairs")
            connection.execute("USE pairs")
            connection.execute(
                "CREATE TABLE segment (side VARCHAR, position INTEGER, id VARCHAR, text VARCHAR, "
                "author VARCHAR, work VARCHAR, locus VARCHAR, marks VARCHAR)"
            )
            create_word_tables(connection)
            connection.execute(f"CREATE TABLE book ({_BOOK})")
            connection.execute(f"CREATE TABLE pair ({_PAIR})")
            yield connection
            connection.execute("USE memory")
            connection.execute("DETACH pairs")
    except (duckdb.IOException, duckdb.FatalException) as error:
        raise OutputError("files.unwritable", path=str(path), reason=_reason(error)) from error
    except duckdb.Error as error:
        raise MalformedInputError(
            "files.parquet_damaged", file=parquet.name, reason=_reason(error)
        ) from error


def _reason(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]


def _add_segments(connection: duckdb.DuckDBPyConnection, side: str, segments: Segments) -> None:
    columns: dict[str, NDArray[Any]] = {"position": np.arange(len(segments.id), dtype=np.int32)}
    columns |= {
        name: np.array(values, object)
        for name, values in zip(Segments._fields, segments, strict=True)
    }
    connection.register("given", columns)
    names = ", ".join(Segments._fields)
    connection.execute(
        f"INSERT INTO segment SELECT {quoted(side)}, position, {names} FROM given"  # noqa: S608
    )
    connection.unregister("given")


def _read(connection: duckdb.DuckDBPyConnection, parquet: Path) -> dict[str, NDArray[Any]]:
    """Return the columns of all pairs in reading order, checked; ``judged`` if they are judged."""
    names = _names(connection, parquet)
    if missing := [name for name in _NEEDED if name not in names]:
        raise InputError("app.pairs_without", file=parquet.name, column=missing[0])
    own = [name for name in _JUDGED if name in names]
    # Without the two types, each of them gets half.
    cast = ", ".join(f"CAST({name} AS FLOAT) AS {name}" for name in own) or "NULL AS probability"
    sql = _FOUND.format(
        judged=", ".join(f"r.{name}" for name in own) or "r.probability",
        cast=cast,
        path=quoted(parquet),
    )
    count = connection.execute(
        f"SELECT COUNT(*) FROM read_parquet({quoted(parquet)})"  # noqa: S608 - quoted
    ).fetchall()[0][0]
    if count > MOST_PAIRS:
        raise InputError("app.too_many_pairs", file=parquet.name, count=count, most=MOST_PAIRS)
    _check(connection, sql, parquet)
    columns = connection.execute(f"{sql} ORDER BY query, rank, source").fetchnumpy()
    found = {
        name: np.ascontiguousarray(columns[name]) for name in ("query", "source", "rank", "score")
    }
    found["row"] = np.arange(1, count + 1, dtype=np.int32)
    if "probability" in own:
        both = {"probability_cit", "probability_cf"} <= set(own)
        found["probability"] = np.ascontiguousarray(columns["probability"])
        found["cit"] = (
            np.ascontiguousarray(columns["probability_cit"]) if both else found["probability"] / 2
        )
        found["cf"] = (
            np.ascontiguousarray(columns["probability_cf"]) if both else found["probability"] / 2
        )
        found["judged"] = np.ones(1)
    return found


def _names(connection: duckdb.DuckDBPyConnection, parquet: Path) -> list[str]:
    import duckdb

    try:
        described = connection.execute(
            f"DESCRIBE SELECT * FROM read_parquet({quoted(parquet)})"  # noqa: S608 - quoted
        )
        return [str(row[0]) for row in described.fetchall()]
    except duckdb.Error as error:
        raise MalformedInputError(
            "files.parquet_damaged", file=parquet.name, reason=_reason(error)
        ) from error


def _check(connection: duckdb.DuckDBPyConnection, sql: str, parquet: Path) -> None:
    """Raise an InputError if a pair is of other texts, or a number is none."""
    strange = connection.execute(
        "SELECT COUNT(*), ANY_VALUE(COALESCE(CASE WHEN q.position IS NULL THEN r.query_id END, "  # noqa: S608
        f"r.source_id)) FROM read_parquet({quoted(parquet)}) r "
        "LEFT JOIN segment q ON q.side = 'query' AND q.id = r.query_id "
        "LEFT JOIN segment s ON s.side = 'source' AND s.id = r.source_id "
        "WHERE q.position IS NULL OR s.position IS NULL"
    ).fetchall()[0]
    if strange[0]:
        raise InputError(
            "app.pairs_of_other_texts", file=parquet.name, count=strange[0], id=str(strange[1])
        )
    probability = "AND (f.probability IS NULL OR f.probability BETWEEN 0 AND 1.0001)"
    wrong = connection.execute(
        f"SELECT COUNT(*) FROM ({sql}) f WHERE NOT COALESCE(f.rank >= 1 AND isfinite(f.score) "  # noqa: S608
        f"{probability}, FALSE)"
    ).fetchall()[0][0]
    if wrong:
        raise InputError("app.pairs_with_wrong_numbers", file=parquet.name, count=wrong)


def _places(
    found: dict[str, NDArray[Any]],
    sides: dict[str, Segments],
    *,
    judged: bool,
    progress: Callable[[str, int, int], None],
) -> dict[str, NDArray[Any]]:
    """Return the place of each pair in every order; pairs that are equal in it keep theirs."""
    query, source, row = found["query"], found["source"], found["row"]
    own, cited = sides["query"], sides["source"]
    keys: dict[str, Callable[[], NDArray[Any]]] = {
        "by_score": lambda: -found["score"],
        "by_rank": lambda: found["rank"],
        "by_source": lambda: source,
        "by_query_author": lambda: _codes(own.author)[query],
        "by_query_work": lambda: _codes(own.work)[query],
        "by_source_author": lambda: _codes(list(zip(cited.author, cited.work, strict=True)))[
            source
        ],
        "by_source_work": lambda: _codes(cited.work)[source],
    }
    if judged:
        keys["by_probability"] = lambda: -found["probability"]
        keys["by_doubt"] = lambda: np.abs(found["probability"].astype(np.float64) - 0.5)
        keys["by_type"] = lambda: (found["cit"] < found["cf"]).astype(np.int8)
    placed: dict[str, NDArray[Any]] = {}
    for done, (name, key) in enumerate(keys.items()):
        progress("ordering pairs", done, len(keys))
        order = np.argsort(key(), kind="stable")
        place = np.empty(len(row), np.int32)
        place[order] = np.arange(len(row), dtype=np.int32)
        placed[name] = place
    progress("ordering pairs", len(keys), len(keys))
    return {**dict.fromkeys(("by_probability", "by_doubt", "by_type"), row), **placed}


def _add_works(
    connection: duckdb.DuckDBPyConnection,
    found: dict[str, NDArray[Any]],
    sides: dict[str, Segments],
) -> NDArray[np.int32]:
    """Add the authors and works that pairs have; return which of them each pair has."""
    own, cited = (
        _codes(list(zip(side.author, side.work, strict=True)))
        for side in (sides["query"], sides["source"])
    )
    both = own[found["query"]].astype(np.int64) * (int(cited.max()) + 1) + cited[found["source"]]
    _, first, number = np.unique(both, return_index=True, return_inverse=True)
    known = {"number": np.arange(len(first), dtype=np.int32)}
    known |= {side: found[side][first] for side in ("query", "source")}
    connection.register("numbered", known)
    connection.execute(_WORKS)
    connection.unregister("numbered")
    return number.astype(np.int32)


def _codes(names: Sequence[Any]) -> NDArray[np.int32]:
    """Return the place of each name among all, in the order of code points."""
    places = {name: at for at, name in enumerate(sorted(set(names)))}
    return np.fromiter((places[name] for name in names), np.int32, len(names))


def _add_pairs(
    connection: duckdb.DuckDBPyConnection,
    found: dict[str, NDArray[Any]],
    *,
    judged: bool,
    progress: Callable[[str, int, int], None],
) -> None:
    known = {"probability": "n.probability", "cit": "n.cit", "cf": "n.cf",
             "type": "CASE WHEN n.cit >= n.cf THEN 'cit.' ELSE 'cf.' END"}  # fmt: skip
    sql = _INSERT.format(**known if judged else dict.fromkeys(known, "NULL"))
    count = len(found["row"])
    for begin in range(0, count, _AT_ONCE):
        progress("storing pairs", begin, count)
        some = {name: column[begin : begin + _AT_ONCE] for name, column in found.items()}
        connection.register("numbered", some)
        connection.execute(sql)
        connection.unregister("numbered")
    progress("storing pairs", count, count)
