"""The default: words, rules, word vectors and late interaction, weighed together in two rounds."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.errors import ParameterError
from locisimiles.progress import silent
from locisimiles.retrieve.candidates import Candidates, best, tie_break
from locisimiles.retrieve.combined_weights import FIRST, CombinedWeights
from locisimiles.retrieve.fusion import channel_scores
from locisimiles.retrieve.habits import HABITS, SourceFacts, verse_works
from locisimiles.retrieve.late import Late
from locisimiles.retrieve.late_scoring import VIEWS
from locisimiles.retrieve.lexical.bm25 import BM25
from locisimiles.retrieve.ngram_rules import NgramRules
from locisimiles.retrieve.vectors.word_vectors import WordVectorSearch

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from os import PathLike

    from numpy.typing import NDArray

    from locisimiles.corpus import Document
    from locisimiles.latin.lemmatizers import LemmatizeFunction
    from locisimiles.models.encoders import PiecewiseEncoder
    from locisimiles.models.vectors import WordVectors
    from locisimiles.progress import Progress
    from locisimiles.retrieve.base import Index
    from locisimiles.retrieve.habits import Habits
    from locisimiles.retrieve.late_index import LateIndex

__all__ = ["Combined", "CombinedIndex", "FirstRound", "standardised"]

_LOWEST, _HIGHEST = -4.0, 14.0
_LEAST_SPREAD = 1e-6
_QUERIES_AT_A_TIME = 512
_NO_HABITS = np.empty((0, len(HABITS)), np.float32)


def _shipped_vectors() -> WordVectors:
    from locisimiles.models.vectors import shipped_vectors

    return shipped_vectors()


@dataclass(frozen=True, slots=True)
class Combined:
    """Rank by all that is known of a pair, each part with the weight that it has earned.

    In the first round four retrievers (BM25 over lemmas, rules about shared words, pairs of words
    of similar meaning, late interaction) bring their candidates, whose standardised scores are
    weighed and added. The best `depth` come into the second round, where the views of late
    interaction (`locisimiles.retrieve.late_scoring.VIEWS`) are weighed too. The weights were learnt
    from known references; so were the habits of reading that may be used as priors.

    Parameters
    ----------
    priors
        Whether it counts which authors and works the author of the query is known to read, and that
        verse answers verse. Where nothing is known of an author, it does not.
    depth
        How many candidates of each retriever are looked at, and how many come into the second
        round.
    lemmatizer, vectors, model
        What the retrievers use; see `BM25`, `WordVectorSearch` and `Late`.
    weights
        What counts how much: ``shipped`` is as learnt on the whole benchmark; else a file that
        ``locisimiles train default`` wrote.
    late
        How late interaction is done, if not by `Late` as it is with that model.
    """

    priors: bool = True
    depth: int = 1000
    lemmatizer: str | LemmatizeFunction = "fast"
    model: str | PathLike[str] | PiecewiseEncoder = "latin"
    vectors: WordVectors = field(default_factory=_shipped_vectors, repr=False)
    weights: str | CombinedWeights = "shipped"
    late: Late | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if self.depth < 1:
            raise ParameterError(f"depth={self.depth} leaves no candidates", hint="1000 is usual")

    def parameters(self) -> Mapping[str, object]:
        """Return the parameters, for the manifest of a run."""
        return {
            "name": "default",
            "priors": self.priors,
            "depth": self.depth,
            "weights_sha256": self.table().fingerprint(),
            "retrievers": [
                *(dict(retriever.parameters()) for retriever in self._by_words()),
                dict(self.late_search().parameters()),
            ],
        }

    def index(self, source: Document, *, progress: Progress = silent) -> CombinedIndex:
        """Prepare source segments for searching."""
        by_words = [retriever.index(source, progress=progress) for retriever in self._by_words()]
        late = self.late_search().index(source, progress=progress)
        return CombinedIndex(self, source, by_words, late)

    def table(self) -> CombinedWeights:
        """Return what counts how much."""
        if isinstance(self.weights, CombinedWeights):
            return self.weights
        if self.weights == "shipped":
            return CombinedWeights.shipped()
        return CombinedWeights.load(Path(self.weights))

    def _by_words(self) -> tuple[BM25, NgramRules, WordVectorSearch]:
        return (
            BM25(lemmatizer=self.lemmatizer),
            NgramRules(lemmatizer=self.lemmatizer),
            WordVectorSearch(self.vectors, lemmatizer=self.lemmatizer),
        )

    def late_search(self) -> Late:
        """Return how late interaction is done."""
        return self.late or Late(self.model)


@dataclass(frozen=True, slots=True, eq=False)
class FirstRound:
    """The candidates of one query.

    Attributes
    ----------
    segments
        Source segments.
    channels
        A column for each of `CHANNELS`, standardised.
    habits
        A column for each of `HABITS`.
    """

    segments: NDArray[np.int64]
    channels: NDArray[np.float32]
    habits: NDArray[np.float32]

    def take(self, rows: NDArray[np.int64]) -> FirstRound:
        """Return some of the candidates."""
        return FirstRound(self.segments[rows], self.channels[rows], self.habits[rows])

    def scores(self, weights: Mapping[str, float], *, priors: bool) -> NDArray[np.float32]:
        """Return the weighted sum of channels, and of habits if they count."""
        scores = self.channels @ np.array([weights[name] for name in FIRST], np.float32)
        if priors:
            scores = scores + self.habits @ np.array([weights[name] for name in HABITS], np.float32)
        return scores.astype(np.float32)

    def with_habits(
        self, habits: Habits, reader: str, facts: SourceFacts, *, in_verse: bool
    ) -> FirstRound:
        """Return the same candidates, with what is known of a reader."""
        columns = habits.columns(reader, facts, self.segments, in_verse=in_verse)
        return replace(self, habits=columns)


class CombinedIndex:
    """Source segments, prepared for all parts; made by `Combined.index`."""

    def __init__(
        self, combined: Combined, source: Document, by_words: Sequence[Index], late: LateIndex
    ) -> None:
        self._combined = combined
        self._weights = combined.table()
        self._by_words = by_words
        self._late = late
        self._places = tie_break(source.ids)
        self._lengths = np.log1p([text.count(" ") + 1 for text in source.texts]).astype(np.float32)
        self.facts = SourceFacts.of(source)

    def with_weights(self, combined: Combined) -> CombinedIndex:
        """Return the same segments, ranked with the weights of another search of the same kind."""
        other = copy(self)
        other._combined, other._weights = combined, combined.table()  # noqa: SLF001 - our own
        return other

    @property
    def habits(self) -> Habits:
        """What is known of authors' reading."""
        return self._weights.habits

    def search(self, queries: Document, k: int, *, progress: Progress = silent) -> Candidates:
        """Return the best `k` source segments for each query segment."""
        if k < 1:
            raise ParameterError(f"k={k} asks for no candidates", hint="1 is the least")
        combined = self._combined
        depth = max(combined.depth, k)
        ranked = []
        for block in _blocks(queries):
            # Who reads what is not known of everybody.
            known = [combined.priors and self.habits.knows(own.author or "") for own in block]
            found = []
            rounds = self.first_round(block, depth, progress=progress)
            for own, priors in zip(rounds, known, strict=True):
                scores = own.scores(self._weights.ranking(priors=priors).first, priors=priors)
                kept, _ = best(_above_zero(scores), depth, self._places[own.segments])
                found.append(own.take(kept))
            columns = self.second_round(block, found, progress=progress)
            for own, own_columns, priors in zip(found, columns, known, strict=True):
                ranker = self._weights.ranking(priors=priors).final
                scores = ranker.scores(own_columns[:, : len(ranker.names)])  # habits come last
                order, values = best(_above_zero(scores), k, self._places[own.segments])
                ranked.append((own.segments[order], values))
        return Candidates.join(ranked)

    def first_round(
        self, queries: Document, depth: int, *, progress: Progress = silent
    ) -> list[FirstRound]:
        """Return what the retrievers bring for each query."""
        indexes: list[Index] = [*self._by_words, self._late]
        found = [index.search(queries, depth, progress=progress) for index in indexes]
        in_verse = verse_works(queries)
        rounds = []
        for query, segment in enumerate(queries):
            own = [channel.of_query(query) for channel in found]
            segments, columns = channel_scores(own, "score")
            candidates = FirstRound(segments, _clipped(columns), _NO_HABITS)
            reader = segment.author or ""
            rounds.append(
                candidates.with_habits(
                    self.habits, reader, self.facts, in_verse=bool(in_verse[query])
                )
            )
        return rounds

    def second_round(
        self, queries: Document, found: Sequence[FirstRound], *, progress: Progress = silent
    ) -> list[NDArray[np.float32]]:
        """Return the columns `FINAL` and `HABITS` of the candidates of each query."""
        columns = []
        views = self.views(queries, [own.segments for own in found], progress=progress)
        for own, seen in zip(found, views, strict=True):
            length = self._lengths[own.segments]
            standard = np.stack([*map(standardised, seen), length], axis=1)
            columns.append(np.concatenate([own.channels, standard, own.habits], axis=1))
        return columns

    def views(
        self,
        queries: Document,
        segments: Sequence[NDArray[np.int64]],
        *,
        progress: Progress = silent,
    ) -> list[NDArray[np.float32]]:
        """Return for each query the `VIEWS` (rows) of source segments (columns)."""
        query = np.repeat(np.arange(len(segments)), [len(own) for own in segments])
        source = np.concatenate([np.empty(0, np.int64), *segments])
        found = self._late.score(queries, query, source, progress=progress)
        table = np.stack([found[view] for view in VIEWS]).astype(np.float32)
        return np.split(table, np.cumsum([len(own) for own in segments])[:-1], axis=1)


def standardised(values: NDArray[np.floating]) -> NDArray[np.float32]:
    """Return values as their distances from the mean, in standard deviations.

    Examples
    --------
    >>> [round(float(value), 2) for value in standardised(np.array([1.0, 2.0, 3.0]))]
    [-1.22, 0.0, 1.22]
    """
    if not len(values):
        return np.empty(0, np.float32)
    return _clipped((values - values.mean()) / max(float(values.std()), _LEAST_SPREAD))


def _clipped(columns: NDArray[np.floating]) -> NDArray[np.float32]:
    """Return columns in which nothing is so extreme that it outweighs all others."""
    clipped: NDArray[np.float32] = np.clip(columns, _LOWEST, _HIGHEST).astype(np.float32)
    return clipped


def _above_zero(scores: NDArray[np.float32]) -> NDArray[np.float32]:
    """Shift scores so that the lowest is 1: what was found is a candidate."""
    return scores - scores.min() + 1 if len(scores) else scores


def _blocks(queries: Document) -> Iterator[Document]:
    for begin in range(0, len(queries), _QUERIES_AT_A_TIME):
        yield queries.select(list(range(begin, min(begin + _QUERIES_AT_A_TIME, len(queries)))))
