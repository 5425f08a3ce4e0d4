"""The features of pairs: words, late interaction, standing among candidates, verse.

Every feature depends on the two texts alone, except the standing of a pair among the candidates of
its query, which needs all of these.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from locisimiles.candidates import Features
from locisimiles.classify.comparison import ComparableTexts
from locisimiles.classify.word_features import WORD_FEATURES
from locisimiles.late import Late
from locisimiles.late.scoring import VIEWS
from locisimiles.models.batches import bounded_runs
from locisimiles.progress import silent
from locisimiles.retrieve.combined.priors import SourceWorks, verse_column

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from locisimiles.classify.base import Pairs
    from locisimiles.index import PreparedDocument
    from locisimiles.late.index import LateIndex
    from locisimiles.late.pieces import PieceWeights
    from locisimiles.progress import Progress
    from locisimiles.retrieve.combined.priors import AuthorPriors

    _LateViews = Callable[[Pairs], NDArray[np.float64]]

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
"""The names of the features by group."""
PAIR_FEATURES = tuple(name for group in GROUPS.values() for name in group)
PRIORS = ("author", "work")
"""The author priors that the ensemble uses."""
_REPORT_EVERY = 64
_PAIRS_AT_ONCE = 1 << 14  # at 1.8 KB each; those of a query stay together
_FEWEST, _MOST = 300, 200_000
_MIDDLE, _HALF = np.log(7000.0), 2.5


@dataclass(frozen=True, slots=True)
class PairFeatures:
    """Computes the features `PAIR_FEATURES`.

    The weights of pieces in late interaction do not depend on the sources, so that a pair has the
    same features in every library.
    """

    pieces: PieceWeights
    late: Late = field(default_factory=lambda: Late(exact=True))

    def columns(self, pairs: Pairs, *, progress: Progress = silent) -> Features:
        """Return the features of pairs, a row per pair."""
        columns = np.empty((len(pairs), len(PAIR_FEATURES)), np.float32)
        for rows, block in self.blocks(pairs, progress=progress):
            columns[rows] = block.values
        return Features(PAIR_FEATURES, columns)

    def blocks(
        self, pairs: Pairs, *, progress: Progress = silent
    ) -> Iterator[tuple[NDArray[np.int64], Features]]:
        """Yield the features of all pairs, those of some queries at a time, in bounded memory.

        Yield the rows of the pairs, and their features.
        """
        order = np.lexsort((pairs.source_rows, pairs.query_rows))
        queries, counts = np.unique(pairs.query_rows, return_counts=True)
        late = self._late(pairs, progress)
        ends = np.cumsum(counts)
        for run in bounded_runs(counts, _PAIRS_AT_ONCE):
            done = run.start
            rows = order[ends[done] - counts[done] : ends[run.stop - 1]]
            yield rows, self._block(pairs.select(rows), late, _later(progress, done, len(queries)))
        progress("comparing words", len(queries), len(queries))

    def _block(self, pairs: Pairs, late: _LateViews, progress: Progress) -> Features:
        """Return the features of pairs that are ordered by query and source."""
        words, views = _word_columns(pairs, progress), late(pairs)
        by_name = dict(zip((*WORD_FEATURES, *_LATE), (*words.T, *views.T), strict=True))
        standings = [
            column for name in _COMPARED for column in standing(pairs.query_rows, by_name[name])
        ]
        cites = verse_column(pairs.query)[pairs.query_rows]
        cited = verse_column(pairs.source)[pairs.source_rows]
        table = np.column_stack(
            [words, views, *standings, cites, cited, cites & cited, ~cites & cited]
        )
        return Features(PAIR_FEATURES, table.astype(np.float32))

    def _late(self, pairs: Pairs, progress: Progress) -> _LateViews:
        """Return a function that gives the views of late interaction of some of the pairs."""
        row_of_source = np.arange(len(pairs.source))
        index = self.late.prepared_index(pairs.source)
        if index is None:
            used = np.unique(pairs.source_rows)
            row_of_source[used] = np.arange(len(used))
            index = self.late.index(pairs.source.select(used.tolist()), progress=progress)
            weighted = index.reweighted(self.pieces)
        else:
            weighted = _reweighted(pairs.source, index, self.pieces)

        def views(some: Pairs) -> NDArray[np.float64]:
            found = weighted.score(some.query, some.query_rows, row_of_source[some.source_rows])
            return np.column_stack([found[view] for view in VIEWS])

        return views


def _reweighted(source: PreparedDocument, index: LateIndex, weights: PieceWeights) -> LateIndex:
    """Return an index with other weights, kept for the next pairs: it weighs all of its pieces."""
    known: dict[PieceWeights, LateIndex] = source.derive(("reweighted", index), dict)
    if weights not in known:
        known.clear()
        known[weights] = index.reweighted(weights)
    return known[weights]


def _later(progress: Progress, begin: int, total: int) -> Progress:
    """Return a progress report for a part that begins after others."""
    return lambda task, done, _: progress(task, begin + done, total)


def _word_columns(pairs: Pairs, progress: Progress) -> NDArray[np.float64]:
    """Return the features of words; pairs must be sorted by query."""
    queries, of_query = np.unique(pairs.query_rows, return_inverse=True)
    sources, of_source = np.unique(pairs.source_rows, return_inverse=True)
    texts = ComparableTexts(pairs.query.part(queries).join(pairs.source.part(sources)))
    columns = np.zeros((len(pairs), len(WORD_FEATURES)))
    bounds = np.searchsorted(of_query, np.arange(len(queries) + 1)).tolist()
    for number in range(len(queries)):
        if number % _REPORT_EVERY == 0:
            progress("comparing words", number, len(queries))
        own = slice(bounds[number], bounds[number + 1])
        others = len(queries) + of_source[own]
        for batch in texts.batches(number, others):
            comparison = texts.compare(number, others[batch])
            for column, feature in enumerate(WORD_FEATURES.values()):
                columns[own, column][batch] = feature(comparison)
    return columns


def standing(
    query: NDArray[np.int64], score: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the standing of pairs among the candidates of their query; queries must ascend.

    It is the logarithm of the place (ties share the mean of theirs), and the lead: of the best over
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
    # Ties share the mean of their places: the order of the sources must not matter.
    firsts = np.flatnonzero(np.append(True, (np.diff(ordered) != 0) | (np.diff(group) != 0)))
    equals = np.diff(np.append(firsts, len(query)))
    place = np.empty(len(score))
    place[order] = np.repeat(firsts + (equals - 1) / 2, equals) - begins[group]
    best = ordered[begins][group]
    # Without a second, the best leads by its whole score.
    seconds = np.where(sizes > 1, ordered[np.minimum(begins + 1, len(query) - 1)], 0.0)
    return np.log1p(place), np.where(score == best, score - seconds[group], score - best)


def prior_columns(authors: Sequence[tuple[str, AuthorPriors]], pairs: Pairs) -> Features:
    """Return the columns `PRIORS`, given the author of each query segment and the priors to use."""
    columns = np.zeros((len(pairs), len(PRIORS)), np.float32)
    if len(columns):
        source = pairs.source
        works = source.derive("works", lambda: SourceWorks.of(source))
        order = np.argsort(pairs.query_rows, kind="stable")
        queries, begins = np.unique(pairs.query_rows[order], return_index=True)
        for number, rows in zip(queries.tolist(), np.split(order, begins[1:]), strict=True):
            author, priors = authors[number]
            own = priors.columns(author, works, pairs.source_rows[rows], in_verse=False)
            columns[rows] = own.select(PRIORS)
    return Features(PRIORS, columns)


def column_names(*, priors: bool) -> tuple[str, ...]:
    """Return the names of the weighted features, before they are expanded."""
    return (*PAIR_FEATURES, *(PRIORS if priors else ()))


def expanded(columns: NDArray[np.floating[Any]], sources: int) -> NDArray[np.float64]:
    """Return columns, the number of sources, and their products.

    The more sources there are, the more of them are similar by chance: what a feature means depends
    on their number. It enters as a logarithm, scaled to about -1 for a document of some hundreds
    and 1 for a library of a hundred thousand.

    Examples
    --------
    >>> expanded(np.array([[2.0]]), 90_000).round(2).tolist()
    [[2.0, 1.02, 2.04]]
    """
    size = (np.log(np.clip(sources, _FEWEST, _MOST)) - _MIDDLE) / _HALF
    wide = np.asarray(columns, np.float64)
    return np.column_stack([wide, np.full(len(wide), size), wide * size])
