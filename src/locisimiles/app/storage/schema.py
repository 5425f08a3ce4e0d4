"""The tables of a project, and how old projects get the newest ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from locisimiles.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["MIGRATIONS", "STRICT_VERSION", "pending_migrations"]

STRICT_VERSION = 10
"""From this version on, tables refuse values of another type, in SQLite as in PostgreSQL."""

MIGRATIONS = (
    """
    CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE input (
        number INTEGER PRIMARY KEY,
        side TEXT NOT NULL CHECK (side IN ('query', 'source')),
        kind TEXT NOT NULL CHECK (kind IN ('file', 'library')),
        name TEXT NOT NULL,
        content BLOB,
        UNIQUE (side, name)
    );
    CREATE TABLE remark (side TEXT NOT NULL, number INTEGER NOT NULL, text TEXT NOT NULL);
    CREATE TABLE segment (
        side TEXT NOT NULL, position INTEGER NOT NULL, id TEXT NOT NULL, text TEXT NOT NULL,
        author TEXT NOT NULL, work TEXT NOT NULL, locus TEXT NOT NULL, marks TEXT NOT NULL,
        meta TEXT NOT NULL,
        PRIMARY KEY (side, position)
    ) WITHOUT ROWID;
    CREATE UNIQUE INDEX segment_by_id ON segment (side, id);
    CREATE TABLE search (
        number INTEGER PRIMARY KEY,
        parameters TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('waiting', 'running', 'done', 'cancelled', 'failed')),
        message TEXT NOT NULL DEFAULT '',
        manifest TEXT NOT NULL DEFAULT '{}',
        finished_queries INTEGER NOT NULL DEFAULT 0,
        task TEXT NOT NULL DEFAULT '',
        done INTEGER NOT NULL DEFAULT 0,
        total INTEGER NOT NULL DEFAULT 0,
        task_began REAL NOT NULL DEFAULT 0,
        owner TEXT NOT NULL DEFAULT '',
        heartbeat REAL NOT NULL DEFAULT 0,
        created REAL NOT NULL
    );
    CREATE TABLE result (
        row INTEGER PRIMARY KEY,
        query INTEGER NOT NULL, source INTEGER NOT NULL, rank INTEGER NOT NULL,
        score REAL NOT NULL, probability REAL, cit REAL, cf REAL, type TEXT,
        query_id TEXT NOT NULL, source_id TEXT NOT NULL,
        query_author TEXT NOT NULL, query_work TEXT NOT NULL,
        source_author TEXT NOT NULL, source_work TEXT NOT NULL,
        shared TEXT NOT NULL, rarity INTEGER,
        alignment TEXT NOT NULL, explanation TEXT NOT NULL
    );
    CREATE UNIQUE INDEX result_in_reading_order ON result (query, rank);
    CREATE INDEX result_by_pair ON result (query_id, source_id);
    CREATE INDEX result_by_score ON result (score);
    CREATE INDEX result_by_probability ON result (probability);
    CREATE INDEX result_by_cited ON result (source_author, source_work);
    CREATE INDEX result_by_citing ON result (query_author, query_work, source_author, source_work);
    CREATE TABLE judgement (
        query_id TEXT NOT NULL, source_id TEXT NOT NULL, reader TEXT NOT NULL,
        verdict TEXT CHECK (verdict IN ('cit.', 'cf.', 'reject', 'unsure')),
        note TEXT NOT NULL DEFAULT '',
        time REAL NOT NULL,
        PRIMARY KEY (query_id, source_id, reader)
    ) WITHOUT ROWID;
    CREATE INDEX judgement_by_reader ON judgement (reader, verdict);
    CREATE TABLE judgement_log (
        number INTEGER PRIMARY KEY,
        time REAL NOT NULL, reader TEXT NOT NULL,
        query_id TEXT NOT NULL, source_id TEXT NOT NULL,
        old_verdict TEXT, old_note TEXT NOT NULL,
        verdict TEXT, note TEXT NOT NULL,
        undone INTEGER NOT NULL DEFAULT 0
    );
    CREATE INDEX judgement_log_by_reader ON judgement_log (reader, undone, number);
    """,
    # A ranking learnt from verdicts replaces probability and rank; these columns then keep what the
    # shipped classifier said.
    """
    ALTER TABLE result ADD COLUMN shipped DOUBLE PRECISION;
    ALTER TABLE result ADD COLUMN shipped_rank INTEGER;
    CREATE TABLE learning (
        number INTEGER PRIMARY KEY,
        time DOUBLE PRECISION NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('applied', 'undone', 'reset')),
        report TEXT NOT NULL,
        correction TEXT NOT NULL
    );
    """,
    "CREATE INDEX result_by_places ON result (source, query);",
    # The progress of the whole search; a negative time left is not known yet.
    """
    ALTER TABLE search ADD COLUMN share DOUBLE PRECISION NOT NULL DEFAULT 0;
    ALTER TABLE search ADD COLUMN seconds_left DOUBLE PRECISION NOT NULL DEFAULT -1;
    """,
    # Results belong to a search, and a search to editions of the texts: each time the texts of a
    # side change, they get a new edition, and searches keep those they were made of. Searches of
    # earlier versions other than the last have lost their results.
    """
    CREATE TABLE edition (
        side TEXT NOT NULL, number INTEGER NOT NULL,
        fingerprint TEXT NOT NULL,
        is_current INTEGER NOT NULL,
        PRIMARY KEY (side, number)
    ) WITHOUT ROWID;
    INSERT INTO edition VALUES ('query', 1, '', 1), ('source', 1, '', 1);
    CREATE TABLE edition_input (
        side TEXT NOT NULL, edition INTEGER NOT NULL, number INTEGER NOT NULL, name TEXT NOT NULL,
        PRIMARY KEY (side, edition, number)
    ) WITHOUT ROWID;
    INSERT INTO edition_input SELECT side, 1, number, name FROM input;
    CREATE TABLE segment_of_edition (
        side TEXT NOT NULL, edition INTEGER NOT NULL, position INTEGER NOT NULL, id TEXT NOT NULL,
        text TEXT NOT NULL, author TEXT NOT NULL, work TEXT NOT NULL, locus TEXT NOT NULL,
        marks TEXT NOT NULL, meta TEXT NOT NULL,
        PRIMARY KEY (side, edition, position)
    ) WITHOUT ROWID;
    INSERT INTO segment_of_edition
        SELECT side, 1, position, id, text, author, work, locus, marks, meta FROM segment;
    DROP TABLE segment;
    ALTER TABLE segment_of_edition RENAME TO segment;
    CREATE UNIQUE INDEX segment_by_id ON segment (side, edition, id);
    ALTER TABLE search ADD COLUMN name TEXT NOT NULL DEFAULT '';
    ALTER TABLE search ADD COLUMN query_edition INTEGER NOT NULL DEFAULT 1;
    ALTER TABLE search ADD COLUMN source_edition INTEGER NOT NULL DEFAULT 1;
    ALTER TABLE search ADD COLUMN reuses INTEGER;
    DELETE FROM search WHERE number < (SELECT MAX(number) FROM search);
    UPDATE search SET message = '' WHERE message LIKE '%app.texts_changed%';
    ALTER TABLE result ADD COLUMN search INTEGER NOT NULL DEFAULT 0;
    UPDATE result SET search = (SELECT COALESCE(MAX(number), 0) FROM search);
    ALTER TABLE learning ADD COLUMN search INTEGER NOT NULL DEFAULT 0;
    UPDATE learning SET search = (SELECT COALESCE(MAX(number), 0) FROM search);
    DROP INDEX result_in_reading_order;
    DROP INDEX result_by_pair;
    DROP INDEX result_by_score;
    DROP INDEX result_by_probability;
    DROP INDEX result_by_cited;
    DROP INDEX result_by_citing;
    DROP INDEX result_by_places;
    CREATE UNIQUE INDEX result_in_reading_order ON result (search, query, rank);
    CREATE INDEX result_by_pair ON result (search, query_id, source_id);
    CREATE INDEX result_by_score ON result (search, score);
    CREATE INDEX result_by_probability ON result (search, probability);
    CREATE INDEX result_by_cited ON result (search, source_author, source_work);
    CREATE INDEX result_by_citing
        ON result (search, query_author, query_work, source_author, source_work);
    CREATE INDEX result_by_places ON result (search, source, query);
    """,
    # A verdict is independent if its reader could not know what others had said of the pair. Of
    # earlier verdicts that is known only where nobody else ever judged. Decisions between readers
    # are logged beside judgements, and undone in the same way.
    """
    ALTER TABLE judgement ADD COLUMN independent INTEGER NOT NULL DEFAULT 0;
    UPDATE judgement SET independent = 1
        WHERE verdict IS NOT NULL AND (query_id, source_id) IN (
            SELECT query_id, source_id FROM judgement_log
            GROUP BY query_id, source_id HAVING COUNT(DISTINCT reader) = 1
        );
    ALTER TABLE judgement_log ADD COLUMN old_time DOUBLE PRECISION NOT NULL DEFAULT 0;
    ALTER TABLE judgement_log ADD COLUMN old_independent INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE judgement_log ADD COLUMN independent INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE judgement_log ADD COLUMN adjudicated INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE judgement_log ADD COLUMN old_reader TEXT NOT NULL DEFAULT '';
    CREATE INDEX judgement_log_by_pair ON judgement_log (query_id, source_id, reader);
    CREATE TABLE decision (
        query_id TEXT NOT NULL, source_id TEXT NOT NULL,
        verdict TEXT CHECK (verdict IN ('cit.', 'cf.', 'reject', 'unsure')),
        reader TEXT NOT NULL,
        note TEXT NOT NULL DEFAULT '',
        time DOUBLE PRECISION NOT NULL,
        PRIMARY KEY (query_id, source_id)
    ) WITHOUT ROWID;
    """,
    # Verdicts that were given together have the number of their batch, others 0. Pages ask all the
    # time how many changes are undone.
    """
    ALTER TABLE judgement_log ADD COLUMN batch INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX judgement_log_by_batch ON judgement_log (batch, number) WHERE batch > 0;
    CREATE INDEX judgement_log_undone ON judgement_log (undone) WHERE undone = 1;
    """,
    # A million pairs: filters and sums read the first of these indexes, a tenth of the table; each
    # order has one of its own.
    """
    CREATE INDEX result_narrow ON result (
        search, query, rank, source, score, probability, shipped, shipped_rank, type, rarity,
        query_author, query_work, source_author, source_work, query_id, source_id
    );
    DROP INDEX result_by_cited;
    CREATE INDEX result_by_cited ON result (search, source_author, source_work, probability);
    CREATE INDEX result_by_row ON result (search, row);
    CREATE INDEX result_by_rarity ON result (search, rarity);
    CREATE INDEX result_by_type ON result (search, type);
    CREATE INDEX result_by_shared ON result (search, shared);
    CREATE INDEX result_by_rank ON result (search, rank);
    CREATE INDEX result_by_citing_work ON result (search, query_work);
    CREATE INDEX result_by_cited_work ON result (search, source_work);
    CREATE INDEX result_by_doubt ON result (search, ABS(probability - 0.5));
    """,
    # SQLite makes all tables again as strict ones; PostgreSQL has no others. New tables say STRICT.
    "",
    # Only searches with a signature of this installation go on by themselves.
    "ALTER TABLE search ADD COLUMN signature TEXT NOT NULL DEFAULT '';",
    # Which source stands for one with nearly the same words; empty for itself.
    """
    ALTER TABLE result ADD COLUMN parallel_to TEXT NOT NULL DEFAULT '';
    DROP INDEX result_narrow;
    CREATE INDEX result_narrow ON result (
        search, query, rank, source, score, probability, shipped, shipped_rank, type, rarity,
        query_author, query_work, source_author, source_work, query_id, source_id, parallel_to
    );
    """,
    # Millions of pairs lie in a file beside the tables; how many, and which file.
    """
    ALTER TABLE search ADD COLUMN imported INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE search ADD COLUMN pairs_file TEXT NOT NULL DEFAULT '';
    """,
)
"""Migrations: the first takes a project from version 0 to 1, the second from 1 to 2, and so on.

They are written for SQLite; `locisimiles.app.storage.dialect` adapts them to PostgreSQL. Statements
end with a semicolon and contain no other."""


def pending_migrations(version: int, project: str) -> Iterator[tuple[int, list[str]]]:
    """Return the versions a project lacks, each with its statements."""
    if not 0 <= version <= len(MIGRATIONS):
        raise InputError("app.newer_project", file=project)
    for number, script in enumerate(MIGRATIONS[version:], start=version + 1):
        yield number, [statement for statement in script.split(";") if statement.strip()]
