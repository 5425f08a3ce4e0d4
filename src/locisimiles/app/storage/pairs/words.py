"""The words of all segments in a file of pairs, so that a word filter need not cut texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from locisimiles.latin.word_search import SearchableTexts, Vocabulary, WordColumns

if TYPE_CHECKING:
    from collections.abc import Sequence

    import duckdb

__all__ = ["add_words", "create_word_tables", "read_words"]


def create_word_tables(connection: duckdb.DuckDBPyConnection) -> None:
    """Create the tables: all words in the order of the texts, and how each distinct one is spelt.

    The latter are lines of one long text for each side, which is read much faster.
    """
    connection.execute("CREATE TABLE word (side VARCHAR, position INTEGER, number INTEGER)")
    connection.execute(
        "CREATE TABLE vocabulary (side VARCHAR, letters VARCHAR, spelt VARCHAR, lemma VARCHAR)"
    )


def add_words(connection: duckdb.DuckDBPyConnection, side: str, texts: Sequence[str]) -> None:
    """Cut the texts of a side into words, and add these."""
    cut = SearchableTexts(texts)
    words = cut.vocabulary
    connection.execute(
        "INSERT INTO vocabulary VALUES (?, ?, ?, ?)",
        [side, *("\n".join(each) for each in (words.letters, words.spelt, words.lemmas))],
    )
    connection.register("given", {"position": cut.text, "number": cut.word.astype(np.int32)})
    connection.execute("INSERT INTO word SELECT ?, position, number FROM given", [side])
    connection.unregister("given")


def read_words(connection: duckdb.DuckDBPyConnection, side: str) -> WordColumns:
    """Return the words of a side, whose positions count its segments from 0."""
    count, letters, spelt, lemmas = connection.execute(
        "SELECT (SELECT COUNT(*) FROM pairs.segment WHERE side = ?), letters, spelt, lemma "
        "FROM pairs.vocabulary WHERE side = ?",
        [side, side],
    ).fetchall()[0]
    # Rows come in the order in which they were added.
    words = connection.execute(
        "SELECT position, number FROM pairs.word WHERE side = ?", [side]
    ).fetchnumpy()
    vocabulary = Vocabulary.known(*(lines.split("\n") for lines in (letters, spelt, lemmas)))
    return WordColumns(vocabulary, words["number"], words["position"], int(count))
