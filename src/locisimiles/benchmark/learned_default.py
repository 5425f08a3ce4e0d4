"""The method ``default``: the combined search, its weights learnt on the training folds."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.learn.listwise import fit_listwise
from locisimiles.progress import silent
from locisimiles.retrieve.combined import Combined, CombinedIndex, FirstRound
from locisimiles.retrieve.combined_weights import FINAL, FIRST, CombinedWeights, RankingWeights
from locisimiles.retrieve.habits import HABITS, Habits, Readings, verse_works
from locisimiles.retrieve.ranker import Ranker, fit_ranker

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from locisimiles.benchmark.sets.dataset import Benchmark
    from locisimiles.corpus import Document
    from locisimiles.progress import Progress

__all__ = [
    "UNTRAINED",
    "LearnedDefault",
    "TrainedDefault",
    "TrainingRounds",
    "learn_weights",
    "training_rounds",
]

_LEARNT_FROM = 300  # candidates of each query, and those that are right
_NOTHING = RankingWeights({}, Ranker((), *(np.empty(0, np.float32),) * 4))
UNTRAINED = CombinedWeights(_NOTHING, _NOTHING, Habits({}, {}))


class _Prepared:
    """The sources of a set, prepared once, and what was found in them: folds share both."""

    def __init__(self) -> None:
        self._kept: tuple[object, _RememberingIndex] | None = None
        self._learnt: dict[object, CombinedWeights] = {}

    def weights(
        self, combined: Combined, training: Benchmark, progress: Progress
    ) -> CombinedWeights:
        """Learn what parts count, unless the same was learnt before."""
        index = self.index(combined, training.source, progress)
        references = training.references
        asked = tuple(training.query.ids[query] for query in references.query.tolist())
        state = asked, references.source.tobytes(), combined.depth
        if state not in self._learnt:
            self._learnt[state] = learn_weights(index, training, combined.depth, progress=progress)
        return self._learnt[state]

    def index(self, combined: Combined, source: Document, progress: Progress) -> CombinedIndex:
        """Return the sources, ranked with the weights of `combined`."""
        state = source.fingerprint(), combined.parameters()["retrievers"]
        if self._kept is None or self._kept[0] != state:
            parts = combined.index(source, progress=progress)
            self._kept = state, _RememberingIndex(parts)
            self._learnt.clear()
        return self._kept[1].with_weights(combined)


@cache
def _shared() -> _Prepared:
    """Return the sources that were prepared last: with and without priors they are the same."""
    return _Prepared()


class _RememberingIndex(CombinedIndex):
    """Remembers what was found: every query is trained on in all folds but one."""

    def __init__(self, parts: CombinedIndex) -> None:
        vars(self).update(vars(parts))
        self._rounds: dict[tuple[str, int], FirstRound] = {}
        self._seen: dict[str, tuple[NDArray[np.int64], NDArray[np.float32]]] = {}

    def first_round(
        self, queries: Document, depth: int, *, progress: Progress = silent
    ) -> list[FirstRound]:
        """Search those queries that are new."""
        new = [at for at, text in enumerate(queries.texts) if (text, depth) not in self._rounds]
        if new:
            asked = queries.select(new)
            found = super().first_round(asked, depth, progress=progress)
            segments = [own.segments for own in found]
            views = super().views(asked, segments, progress=progress)
            for text, own, seen in zip(asked.texts, found, views, strict=True):
                self._rounds[text, depth] = own
                if text not in self._seen or len(own.segments) > len(self._seen[text][0]):
                    self._seen[text] = own.segments, seen  # of the greatest depth: it has all
        in_verse = verse_works(queries)
        return [
            self._rounds[segment.text, depth].with_habits(
                self.habits, segment.author or "", self.facts, in_verse=bool(in_verse[at])
            )
            for at, segment in enumerate(queries)
        ]

    def views(
        self,
        queries: Document,
        segments: Sequence[NDArray[np.int64]],
        *,
        progress: Progress = silent,  # noqa: ARG002 - nothing takes long
    ) -> list[NDArray[np.float32]]:
        """Look up what was seen in the first round."""
        found = []
        for text, own in zip(queries.texts, segments, strict=True):
            known, seen = self._seen[text]
            found.append(seen[:, np.searchsorted(known, own)])
        return found


@dataclass(frozen=True, slots=True)
class TrainedDefault:
    """The combined search with weights of a fold, over parts that are prepared already."""

    combined: Combined
    prepared: _Prepared

    def parameters(self) -> Mapping[str, object]:
        """Return the parameters, for the manifest of a run."""
        return self.combined.parameters()

    def index(self, source: Document, *, progress: Progress = silent) -> CombinedIndex:
        """Return sources prepared for all parts, those of the set once for all folds."""
        return self.prepared.index(self.combined, source, progress)


@dataclass(frozen=True, slots=True)
class LearnedDefault:
    """Learns what the parts of the combined search count, and what authors read.

    Parameters
    ----------
    combined
        The search; its weights are not used.
    """

    combined: Combined = field(default_factory=lambda: Combined(weights=UNTRAINED))
    _prepared: _Prepared = field(default_factory=_shared, repr=False)

    def parameters(self) -> Mapping[str, object]:
        """Return the parameters, for the manifest of a run."""
        told = dict(self.combined.parameters())
        told.pop("weights_sha256")
        return told

    def index(self, source: Document, *, progress: Progress = silent) -> CombinedIndex:
        """Return sources prepared for all parts, once for all folds."""
        return self._prepared.index(self.combined, source, progress)

    def fit(self, training: Benchmark, *, progress: Progress = silent) -> TrainedDefault:
        """Search the training queries with all parts, and weigh the parts."""
        weights = self._prepared.weights(self.combined, training, progress)
        return TrainedDefault(replace(self.combined, weights=weights), self._prepared)


def learn_weights(
    index: CombinedIndex, training: Benchmark, depth: int, *, progress: Progress = silent
) -> CombinedWeights:
    """Return what the parts count, learnt from the references of a set.

    Parameters
    ----------
    index
        Its sources, prepared.
    training
        What may be seen.
    depth
        How many candidates come into the second round.
    progress
        Called while the work goes on.
    """
    rounds = training_rounds(index, training, depth, progress=progress)
    ways = {
        priors: _fit_ranking(index, rounds, depth, priors=priors, progress=progress)
        for priors in (True, False)
    }
    return CombinedWeights(ways[True], ways[False], rounds.habits)


@dataclass(frozen=True, slots=True, eq=False)
class TrainingRounds:
    """What the first round brings for queries whose sources are known.

    Attributes
    ----------
    queries
        The query segments.
    found, right
        The candidates of each, and which of them are right.
    habits
        What the references say of the authors' reading.
    """

    queries: Document
    found: list[FirstRound]
    right: list[NDArray[np.bool_]]
    habits: Habits

    def through(self, first: Mapping[str, float], depth: int, *, priors: bool) -> TrainingRounds:
        """Return what comes into the second round."""
        found, right = [], []
        for own, answers in zip(self.found, self.right, strict=True):
            scores = own.scores(first, priors=priors)
            kept = np.sort(np.argsort(-scores, kind="stable")[:depth])
            found.append(own.take(kept))
            right.append(answers[kept])
        return replace(self, found=found, right=right)


def training_rounds(
    index: CombinedIndex, training: Benchmark, depth: int, *, progress: Progress = silent
) -> TrainingRounds:
    """Search the queries of a set that have references; none knows its own as habits."""
    references = training.references
    queries = training.query.select(references.queries.tolist())
    answers = [
        references.source[references.query == query].astype(np.int64)
        for query in references.queries
    ]
    readings = Readings(index.facts, [segment.author or "" for segment in queries], answers)
    found = _with_habits(index, queries, readings, depth, progress)
    right = [np.isin(own.segments, known) for own, known in zip(found, answers, strict=True)]
    return TrainingRounds(queries, found, right, readings.habits())


def _with_habits(
    index: CombinedIndex, queries: Document, readings: Readings, depth: int, progress: Progress
) -> list[FirstRound]:
    """Return the first round; no query knows its own references as habits."""
    in_verse = verse_works(queries)
    rounds = index.first_round(queries, depth, progress=progress)
    return [
        own.with_habits(
            readings.habits(without=query),
            segment.author or "",
            index.facts,
            in_verse=bool(in_verse[query]),
        )
        for query, (segment, own) in enumerate(zip(queries, rounds, strict=True))
    ]


def _fit_ranking(
    index: CombinedIndex,
    rounds: TrainingRounds,
    depth: int,
    *,
    priors: bool,
    progress: Progress,
) -> RankingWeights:
    """Fit the first round, and the second on what comes through it."""
    habits = HABITS if priors else ()
    channels = [
        np.concatenate([own.channels, own.habits], axis=1)[:, : len(FIRST) + len(habits)]
        for own in rounds.found
    ]
    weights = fit_listwise(channels, rounds.right).round(4).tolist()
    first = dict(zip((*FIRST, *habits), weights, strict=True))
    through = rounds.through(first, depth, priors=priors)
    names = (*FINAL, *habits)
    columns, right = [], []
    every = index.second_round(through.queries, through.found, progress=progress)
    for own, own_columns, answers in zip(through.found, every, through.right, strict=True):
        # What the first round puts far down teaches little, and costs most of the time.
        order = np.argsort(-own.scores(first, priors=priors), kind="stable")
        kept = np.union1d(order[:_LEARNT_FROM], np.flatnonzero(answers))
        columns.append(own_columns[kept, : len(names)])
        right.append(answers[kept])
    return RankingWeights(first, fit_ranker(names, columns, right))
