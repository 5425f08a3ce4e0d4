"""Learn how much clues to verses of the Bible count, from the references of the Fathers."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.classify.base import Pairs
from locisimiles.corpus.library.vulgate import book_of
from locisimiles.errors import ParameterError
from locisimiles.index import PreparedDocument
from locisimiles.learn.listwise import fit_listwise
from locisimiles.progress import silent
from locisimiles.retrieve.verses import VerseClues, VerseWeights

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from locisimiles.benchmark.sets.dataset import Benchmark
    from locisimiles.classify.base import Classifier
    from locisimiles.progress import Progress
    from locisimiles.retrieve.base import Index

__all__ = ["citation_counts", "learn_verses"]

_DEPTH, _BLOCK = 100, 256
_LEAST = 1e-6
_SINGLE = {"often": (1.0, 0.0, 0.0), "named": (0.0, 1.0, 0.0), "kind": (0.0, 0.0, 1.0)}
_DIGITS = 3
_JUDGED = 0.2


def citation_counts(
    noted: Mapping[str, Mapping[tuple[str, str], int]], *, without: Iterable[str] = ()
) -> dict[str, dict[int, list[int]]]:
    """Return how often verses are cited: by book and chapter, from the first verse on.

    Parameters
    ----------
    noted
        How often each author cites each verse: its book and locus.
    without
        Authors to leave out.

    Examples
    --------
    >>> noted = {"Ambrosius": {("Mt", "5.3"): 2}, "Hilarius": {("Mt", "5.3"): 1, ("Is", "1.1"): 4}}
    >>> citation_counts(noted, without=["Hilarius"])
    {'Matth.': {5: [0, 0, 2]}}
    """
    total: Counter[tuple[str, int, int]] = Counter()
    for author in set(noted) - set(without):
        for (book, locus), count in noted[author].items():
            numbers = locus.partition(".")
            total[book_of(book), int(numbers[0]), int(numbers[2])] += count
    counts: dict[str, dict[int, list[int]]] = {}
    for (book, chapter, verse), times in sorted(total.items()):
        own = counts.setdefault(book, {}).setdefault(chapter, [])
        own += [0] * (verse - len(own))
        own[verse - 1] = times
    return counts


def learn_verses(
    training: Benchmark,
    noted: Mapping[str, Mapping[tuple[str, str], int]],
    index: Index,
    classifier: Classifier,
    *,
    progress: Progress = silent,
) -> VerseWeights:
    """Learn the weights of verses.

    The weights are those that rank noted verses first, together with the scores of search and
    classifier, for queries of all authors. Verses that stand for a noted one are left out. How
    often a verse is cited is counted without the author of the query. The share of the classifier
    in the order is not learnt but chosen: more of it finds a little more first, less a little more
    among the first ten.

    Parameters
    ----------
    training
        References of the Fathers to a Bible.
    noted
        How often each author cites each verse.
    index
        The source of the set, prepared for the default search without verses.
    classifier
        Judges candidates.
    progress
        Called to report progress.

    Raises
    ------
    ParameterError
        If the source has no verses.
    """
    source = PreparedDocument.of(training.source)
    by_author = {
        author: _columns_of(source, citation_counts(noted, without=[author]))
        for author in sorted(set(training.query.authors))
    }
    rows = training.references.queries
    columns: list[NDArray[np.float32]] = []
    right: list[NDArray[np.bool_]] = []
    for begin in range(0, len(rows), _BLOCK):
        progress("learning", begin, len(rows))
        own = rows[begin : begin + _BLOCK]
        query = PreparedDocument(training.query.select(own.tolist()))
        found = index.search(query, _DEPTH)
        judged = classifier.probabilities(Pairs(query, source, found.query, found.source))
        chance = np.clip(judged[:, 1:].sum(axis=1, dtype=np.float64), _LEAST, 1 - _LEAST)
        log_odds = np.log(chance) - np.log1p(-chance)
        for place, row in enumerate(own.tolist()):
            at = np.flatnonzero(found.query == place)
            segments = found.source[at].astype(np.int64)
            clues = by_author[query.authors[place]]
            gains = [one.gains(query.texts[place], segments) for one in clues]
            hit, near = _read(training, row, segments)
            kept = hit | ~near
            table = np.column_stack([log_odds[at], found.score[at], *gains])
            columns.append(table[kept].astype(np.float32))
            right.append(hit[kept])
    progress("learning", len(rows), len(rows))
    judge, search, *clued = fit_listwise(columns, right).tolist()
    unit = judge + search
    often, named, kind = (round(weight / unit, _DIGITS) for weight in clued)
    counts = citation_counts(noted)
    return VerseWeights(often, named, kind, _JUDGED, tuple(sorted(noted)), counts)


def _columns_of(
    source: PreparedDocument, counts: Mapping[str, Mapping[int, list[int]]]
) -> list[VerseClues]:
    """Return clues of each kind, with a weight of 1."""
    kinds = [VerseWeights(*weights, counts=counts) for weights in _SINGLE.values()]
    found = [VerseClues.of(source, weights) for weights in kinds]
    if any(clues is None for clues in found):
        raise ParameterError("learn.no_verses")
    return [clues for clues in found if clues is not None]


def _read(
    training: Benchmark, query: int, segments: NDArray[np.int64]
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Tell which candidates are noted, and which stand for a noted one."""
    references = training.references
    noted = references.source[references.query == query]
    near = np.zeros(len(segments), np.bool_)
    if training.parallels is not None:
        for verse in noted.tolist():
            near |= np.isin(segments, training.parallels.of(verse))
    return np.isin(segments, noted), near
