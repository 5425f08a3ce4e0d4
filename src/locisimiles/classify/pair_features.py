"""All that is known of pairs, as columns: words, late interaction, rivals, verse.

Every column is computed from the two texts alone, but for those that say how a pair stands among
the other candidates of its query, which need all of these.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from locisimiles.classify.base import check_pairs
from locisimiles.classify.comparison import ComparableTexts
from locisimiles.classify.word_features import WORD_FEATURES
from locisimiles.progress import silent
from locisimiles.retrieve.habits import HABITS, SourceFacts, verse_works
from locisimiles.retrieve.late import Late
from locisimiles.retrieve.late_scoring import VIEWS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from locisimiles.corpus import Document
    from locisimiles.progress import Progress
    from locisimiles.retrieve.habits import Habits
    from locisimiles.retrieve.late_words import PieceWeights

__all__ = [
    "GROUPS",
    "PAIR_FEATURES",
    "PRIORS",
    "PairFeatures",
    "column_names",
    "expanded",
    "habit_columns",
    "standing",
]

_LATE = tuple(f"late {view}" for view in VIEWS)
_COMPARED = ("late window", "near pair", "rarity")
_STANDING = tuple(f"{what} of {name}" for name in _COMPARED for what in ("place", "lead"))
_VERSE = ("verse cites", "verse is cited", "verse in verse", "verse in prose")

GROUPS = {
    "words": tuple(WORD_FEATURES),
    "late": _LATE,
    "standing": _STANDING,
    "verse": _VERSE,
}
"""The names of the features, by what they are about."""
PAIR_FEATURES = tuple(name for group in GROUPS.values() for name in group)
PRIORS = HABITS[:2]
"""What is known of the reading of a query's author: authors and works."""
_REPORT_EVERY = 64
_FEWEST, _MOST = 300, 200_000
_MIDDLE, _HALF = np.log(7000.0), 2.5


@dataclass(frozen=True, slots=True)
class PairFeatures:
    """Computes the columns `PAIR_FEATURES`.

    Parameters
    ----------
    pieces
        How much pieces of words count in late interaction. They do not depend on the sources, so
        that a pair has the same features in every library.
    late
        How late interaction is done.
    """

    pieces: PieceWeights
    late: Late = field(default_factory=lambda: Late(exact=True))

    def columns(
        self,
        query: Document,
        source: Document,
        pairs_query: NDArray[np.integer[Any]],
        pairs_source: NDArray[np.integer[Any]],
        *,
        progress: Progress = silent,
    ) -> NDArray[np.float32]:
        """Return a row for each pair; parameters as those of a `Classifier`."""
        check_pairs(query, source, pairs_query, pairs_source)
        asked = np.asarray(pairs_query, np.int64)
        given = np.asarray(pairs_source, np.int64)
        order = np.lexsort((given, asked))
        asked, given = asked[order], given[order]
        words = _word_columns(query, source, asked, given, progress)
        late = self._late_columns(query, source, asked, given, progress)
        by_name = dict(zip((*WORD_FEATURES, *_LATE), (*words.T, *late.T), strict=True))
        standings = [column for name in _COMPARED for column in standing(asked, by_name[name])]
        cites, cited = verse_works(query)[asked], verse_works(source)[given]
        table = np.column_stack(
            [words, late, *standings, cites, cited, cites & cited, ~cites & cited]
        )
        columns = np.empty(table.shape, np.float32)
        columns[order] = table
        return columns

    def _late_columns(
        self,
        query: Document,
        source: Document,
        asked: NDArray[np.int64],
        given: NDArray[np.int64],
        progress: Progress,
    ) -> NDArray[np.float64]:
        index = self.late.alive(source)
        if index is None:
            used, given = np.unique(given, return_inverse=True)
            index = self.late.index(source.select(used.tolist()), progress=progress)
        views = index.reweighted(self.pieces).score(query, asked, given, progress=progress)
        return np.column_stack([views[view] for view in VIEWS])


def _word_columns(
    query: Document,
    source: Document,
    asked: NDArray[np.int64],
    given: NDArray[np.int64],
    progress: Progress,
) -> NDArray[np.float64]:
    queries, of_query = np.unique(asked, return_inverse=True)
    sources, of_source = np.unique(given, return_inverse=True)
    query_texts = [query.texts[row] for row in queries.tolist()]
    source_texts = [source.texts[row] for row in sources.tolist()]
    texts = ComparableTexts([*query_texts, *source_texts])
    query_rows, source_rows = texts.rows(query_texts), texts.rows(source_texts)
    columns = np.zeros((len(asked), len(WORD_FEATURES)))
    bounds = np.searchsorted(of_query, np.arange(len(queries) + 1)).tolist()
    for number in range(len(queries)):
        if number % _REPORT_EVERY == 0:
            progress("comparing words", number, len(queries))
        own = slice(bounds[number], bounds[number + 1])
        asked_text, others = int(query_rows[number]), source_rows[of_source[own]]
        for portion in texts.portions(asked_text, others):
            found = texts.compare(asked_text, others[portion])
            for column, feature in enumerate(WORD_FEATURES.values()):
                columns[own, column][portion] = feature(found)
    progress("comparing words", len(queries), len(queries))
    return columns


def standing(
    query: NDArray[np.int64], score: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return how pairs stand among the candidates of their query.

    Parameters
    ----------
    query
        The query of each pair, ascending.
    score
        By what they are compared.

    Returns
    -------
    tuple of numpy.ndarray
        The logarithm of the place (equals share the middle of theirs), and the lead: that of the
        best before the second, for others (negative) what they lack to the best.

    Examples
    --------
    >>> place, lead = standing(np.array([0, 0, 0, 1]), np.array([3.0, 7.0, 6.0, 2.0]))
    >>> np.expm1(place).round().tolist(), lead.tolist()
    ([2.0, 0.0, 1.0, 0.0], [-4.0, 1.0, -1.0, 2.0])
    """
    if not len(query):
        return np.zeros(0), np.zeros(0)
    begins = np.flatnonzero(np.append(True, np.diff(query) != 0))
    sizes = np.diff(np.append(begins, len(query)))
    group = np.repeat(np.arange(len(begins)), sizes)
    order = np.lexsort((-score, group))
    ordered = score[order]
    # Equals share the middle of their places: it must not count which comes first in the source.
    firsts = np.flatnonzero(np.append(True, (np.diff(ordered) != 0) | (np.diff(group) != 0)))
    equals = np.diff(np.append(firsts, len(query)))
    place = np.empty(len(score))
    place[order] = np.repeat(firsts + (equals - 1) / 2, equals) - begins[group]
    best = ordered[begins][group]
    # Without a second, the best leads by all it has.
    seconds = np.where(sizes > 1, ordered[np.minimum(begins + 1, len(query) - 1)], 0.0)
    return np.log1p(place), np.where(score == best, score - seconds[group], score - best)


def habit_columns(
    readers: Sequence[tuple[str, Habits]],
    facts: SourceFacts,
    pairs_query: NDArray[np.int64],
    pairs_source: NDArray[np.int64],
) -> NDArray[np.float32]:
    """Return the columns `PRIORS`.

    Parameters
    ----------
    readers
        The author of each query segment, and what is known of authors when it is judged.
    facts
        Of the source segments.
    pairs_query, pairs_source
        The pairs.
    """
    columns = np.zeros((len(pairs_query), len(PRIORS)), np.float32)
    if not len(columns):
        return columns
    order = np.argsort(pairs_query, kind="stable")
    queries, begins = np.unique(pairs_query[order], return_index=True)
    for number, own in zip(queries.tolist(), np.split(order, begins[1:]), strict=True):
        reader, habits = readers[number]
        known = habits.columns(
            reader, facts, np.asarray(pairs_source[own], np.int64), in_verse=False
        )
        columns[own] = known[:, : len(PRIORS)]
    return columns


def column_names(*, priors: bool) -> tuple[str, ...]:
    """Return the names of the columns that are weighed, before they are expanded."""
    return (*PAIR_FEATURES, *(PRIORS if priors else ()))


def expanded(columns: NDArray[np.floating[Any]], sources: int) -> NDArray[np.float64]:
    """Return columns, how many sources there are, and both multiplied.

    The more sources there are, the more of them are alike by chance: what a column says depends on
    their number. It is taken as a logarithm, about -1 for the hundreds of a small document and 1
    for a library of a hundred thousand.

    Examples
    --------
    >>> expanded(np.array([[2.0]]), 90_000).round(2).tolist()
    [[2.0, 1.02, 2.04]]
    """
    size = (np.log(np.clip(sources, _FEWEST, _MOST)) - _MIDDLE) / _HALF
    wide = np.asarray(columns, np.float64)
    return np.column_stack([wide, np.full(len(wide), size), wide * size])
