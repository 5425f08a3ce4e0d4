"""The features of pairs: words, late interaction, standing among candidates, verse.

Every feature depends on the two texts alone, but for the standing of a pair among the other
candidates of its query, which needs all of these.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from locisimiles.candidates import Features
from locisimiles.checks import check_pairs
from locisimiles.classify.comparison import ComparableTexts
from locisimiles.classify.word_features import WORD_FEATURES
from locisimiles.index import PreparedDocument
from locisimiles.late import Late
from locisimiles.late.scoring import VIEWS
from locisimiles.progress import silent
from locisimiles.retrieve.combined.priors import verse_works

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from locisimiles.corpus import Document
    from locisimiles.late.pieces import PieceWeights
    from locisimiles.progress import Progress
    from locisimiles.retrieve.combined.priors import AuthorPriors, SourceWorks

__all__ = [
    "GROUPS",
    "PAIR_FEATURES",
    "PRIORS",
    "PairFeatures",
    "column_names",
    "expanded",
    "prior_columns",
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
PRIORS = ("author", "work")
"""The author priors that the ensemble uses."""
_REPORT_EVERY = 64
_FEWEST, _MOST = 300, 200_000
_MIDDLE, _HALF = np.log(7000.0), 2.5


@dataclass(frozen=True, slots=True)
class PairFeatures:
    """Computes the features `PAIR_FEATURES`.

    Parameters
    ----------
    pieces
        The weights of pieces in late interaction. They do not depend on the sources, so that a pair
        has the same features in every library.
    late
        How late interaction is done.
    """

    pieces: PieceWeights
    late: Late = field(default_factory=lambda: Late(exact=True))

    def columns(
        self,
        query: Document,
        source: Document,
        query_rows: NDArray[np.integer[Any]],
        source_rows: NDArray[np.integer[Any]],
        *,
        progress: Progress = silent,
    ) -> Features:
        """Return the features of pairs; parameters as those of a `Classifier`."""
        query, source = PreparedDocument.of(query), PreparedDocument.of(source)
        check_pairs(query_rows, source_rows, len(query), len(source))
        rows = np.asarray(query_rows, np.int64), np.asarray(source_rows, np.int64)
        order = np.lexsort(rows[::-1])
        of_query, of_source = rows[0][order], rows[1][order]
        words = _word_columns(query, source, of_query, of_source, progress)
        late = self._late_columns(query, source, of_query, of_source, progress)
        by_name = dict(zip((*WORD_FEATURES, *_LATE), (*words.T, *late.T), strict=True))
        standings = [column for name in _COMPARED for column in standing(of_query, by_name[name])]
        cites = verse_works(query)[of_query]
        cited = source.derive("verse", lambda: verse_works(source))[of_source]
        table = np.column_stack(
            [words, late, *standings, cites, cited, cites & cited, ~cites & cited]
        )
        columns = np.empty(table.shape, np.float32)
        columns[order] = table
        return Features(PAIR_FEATURES, columns)

    def _late_columns(
        self,
        query: PreparedDocument,
        source: PreparedDocument,
        query_rows: NDArray[np.int64],
        source_rows: NDArray[np.int64],
        progress: Progress,
    ) -> NDArray[np.float64]:
        index = self.late.prepared_index(source)
        if index is None:
            used, source_rows = np.unique(source_rows, return_inverse=True)
            index = self.late.index(source.select(used.tolist()), progress=progress)
        index = index.reweighted(self.pieces)
        views = index.score(query, query_rows, source_rows, progress=progress)
        return np.column_stack([views[view] for view in VIEWS])


def _word_columns(
    query: PreparedDocument,
    source: PreparedDocument,
    query_rows: NDArray[np.int64],
    source_rows: NDArray[np.int64],
    progress: Progress,
) -> NDArray[np.float64]:
    queries, of_query = np.unique(query_rows, return_inverse=True)
    sources, of_source = np.unique(source_rows, return_inverse=True)
    texts = ComparableTexts(query.part(queries).join(source.part(sources)))
    columns = np.zeros((len(query_rows), len(WORD_FEATURES)))
    bounds = np.searchsorted(of_query, np.arange(len(queries) + 1)).tolist()
    for number in range(len(queries)):
        if number % _REPORT_EVERY == 0:
            progress("comparing words", number, len(queries))
        pairs = slice(bounds[number], bounds[number + 1])
        others = len(queries) + of_source[pairs]
        for portion in texts.portions(number, others):
            comparison = texts.compare(number, others[portion])
            for column, feature in enumerate(WORD_FEATURES.values()):
                columns[pairs, column][portion] = feature(comparison)
    progress("comparing words", len(queries), len(queries))
    return columns


def standing(
    query: NDArray[np.int64], score: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the standing of pairs among the candidates of their query.

    Parameters
    ----------
    query
        The query of each pair, ascending.
    score
        What they are compared by.

    Returns
    -------
    tuple of numpy.ndarray
        The logarithm of the place (ties share the middle of theirs), and the lead: of the best over
        the second, of all others over the best, which is negative.

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
    # Ties share the middle of their places: the order of the sources must not matter.
    firsts = np.flatnonzero(np.append(True, (np.diff(ordered) != 0) | (np.diff(group) != 0)))
    equals = np.diff(np.append(firsts, len(query)))
    place = np.empty(len(score))
    place[order] = np.repeat(firsts + (equals - 1) / 2, equals) - begins[group]
    best = ordered[begins][group]
    # Without a second, the best leads by its whole score.
    seconds = np.where(sizes > 1, ordered[np.minimum(begins + 1, len(query) - 1)], 0.0)
    return np.log1p(place), np.where(score == best, score - seconds[group], score - best)


def prior_columns(
    authors: Sequence[tuple[str, AuthorPriors]],
    works: SourceWorks,
    query_rows: NDArray[np.int64],
    source_rows: NDArray[np.int64],
) -> Features:
    """Return the columns `PRIORS`.

    Parameters
    ----------
    authors
        The author of each query segment, and the priors to use for it.
    works
        Authors and works of the source segments.
    query_rows, source_rows
        The pairs.
    """
    columns = np.zeros((len(query_rows), len(PRIORS)), np.float32)
    if len(columns):
        order = np.argsort(query_rows, kind="stable")
        queries, begins = np.unique(query_rows[order], return_index=True)
        for number, rows in zip(queries.tolist(), np.split(order, begins[1:]), strict=True):
            author, priors = authors[number]
            segments = np.asarray(source_rows[rows], np.int64)
            columns[rows] = priors.columns(author, works, segments, in_verse=False).select(PRIORS)
    return Features(PRIORS, columns)


def column_names(*, priors: bool) -> tuple[str, ...]:
    """Return the names of the features that are weighted, before they are expanded."""
    return (*PAIR_FEATURES, *(PRIORS if priors else ()))


def expanded(columns: NDArray[np.floating[Any]], sources: int) -> NDArray[np.float64]:
    """Return columns, the number of sources, and their products.

    The more sources there are, the more of them are similar by chance: what a feature means depends
    on their number. It enters as a logarithm, about -1 for the hundreds of a small document and 1
    for a library of a hundred thousand.

    Examples
    --------
    >>> expanded(np.array([[2.0]]), 90_000).round(2).tolist()
    [[2.0, 1.02, 2.04]]
    """
    size = (np.log(np.clip(sources, _FEWEST, _MOST)) - _MIDDLE) / _HALF
    wide = np.asarray(columns, np.float64)
    return np.column_stack([wide, np.full(len(wide), size), wide * size])
